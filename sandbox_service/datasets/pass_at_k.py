"""pass@k, estimated without bias from n samples a problem."""

from __future__ import annotations

import math
from collections.abc import Iterable


def pass_at_k(counts: Iterable[tuple[int, int]], k: int) -> float | None:
    """The chance that of k samples at least one is right: the mean over problems of 1 - C(n - c, k) / C(n, k).

    Args:
        counts: of each problem, how many samples there are and how many are right.
        k: at least 1.

    Returns:
        The estimate; `None` where no problem has k samples: those that have fewer do not count.

    >>> pass_at_k([(4, 1)], 1), pass_at_k([(4, 1)], 2), pass_at_k([(4, 2), (4, 0)], 2)
    (0.25, 0.5, 0.4166666666666667)
    """
    each = [1.0 - math.comb(n - c, k) / math.comb(n, k) for n, c in counts if n >= k]
    return math.fsum(each) / len(each) if each else None
