"""How many points a checker gives that gives a part of them."""

from __future__ import annotations

import re

MAX_BYTES = 1 << 16
"""How much of a text is searched."""
# A number by itself: neither the 1 of `1/3`, of `x1` or of `1.5.2`, nor the 50 of `50%`.
_NUMBER = re.compile(
    rb"(?<![\w./+-])[+-]?(?:[0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?|\.[0-9]+(?:e[+-]?[0-9]+)?|nan|inf(?:inity)?)"
    rb"(?![\w/%]|\.[0-9])",
    re.IGNORECASE,
)
# What stands at the start of a line is the checker's own word; further on it may quote the output.
_WORDS = (re.compile(rb"^[ \t]*points\b", re.MULTILINE), re.compile(rb"\bpoints\b"), re.compile(rb""))


def points_of(*texts: bytes) -> float | None:
    """The number after the word `points`, in whichever text has it, or else the first number of all.

    Args:
        texts: what the checker wrote. testlib begins with `points 0.5` on stderr.

    Returns:
        The points, `None` where there is no such number or it is not from 0 to 1.

    >>> points_of(b"points 0.25 the path is too long")
    0.25
    >>> points_of(b"", b"0.5")
    0.5
    """
    for word in _WORDS:
        for text in texts:
            text = text[:MAX_BYTES]
            if (start := word.search(text)) and (number := _NUMBER.search(text, start.end())):
                points = float(number[0])
                return points if 0.0 <= points <= 1.0 else None
    return None
