"""What a list of judged cases is worth. Skipped cases count as not passed: nobody knows what they would have done."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sandbox_service.contract.result import CaseResult
from sandbox_service.contract.verdict import Verdict

ALMOST = math.nextafter(1.0, 0.0)


def binary(cases: Sequence[CaseResult]) -> float:
    """1 if every case is accepted, else 0.

    >>> right, wrong = CaseResult(id="0", verdict="accepted"), CaseResult(id="1", verdict="wrong_answer")
    >>> binary([right, right]), binary([right, wrong])
    (1.0, 0.0)
    """
    return float(bool(cases) and all(map(_passed, cases)))


def fraction(cases: Sequence[CaseResult]) -> float:
    """Cases accepted / cases sent; of a case to which a checker gave points, its share of them.

    >>> right, skipped = CaseResult(id="0", verdict="accepted"), CaseResult(id="1", verdict="skipped")
    >>> wrong = CaseResult(id="2", verdict="wrong_answer")
    >>> fraction([right, wrong, skipped, skipped])
    0.25
    """
    return _share([1.0] * len(cases), cases)


def weighted(cases: Sequence[CaseResult]) -> float:
    """Weight earned / weight sent, each as in `fraction`; where all weights are 0 nothing is earned.

    >>> easy = CaseResult(id="0", verdict="accepted", weight=1.0)
    >>> hard = CaseResult(id="1", verdict="time_limit_exceeded", weight=3.0)
    >>> weighted([easy, hard])
    0.25
    >>> weighted([CaseResult(id="0", verdict="accepted", weight=0.0)])
    0.0
    """
    return _share([case.weight for case in cases], cases)


def grouped(cases: Sequence[CaseResult]) -> float:
    """Weight of the groups in which every case is accepted / weight sent; a case without a group is one by itself.

    >>> def case(id, verdict, group): return CaseResult(id=id, verdict=verdict, group=group)
    >>> grouped([case("0", "accepted", "a"), case("1", "wrong_answer", "a"), case("2", "accepted", "b")])
    0.3333333333333333
    """
    groups: dict[tuple[str | None, int], list[CaseResult]] = {}
    for number, case in enumerate(cases):
        groups.setdefault((case.group, number if case.group is None else -1), []).append(case)
    total = math.fsum(case.weight for case in cases)
    earned = math.fsum(case.weight for group in groups.values() if all(map(_passed, group)) for case in group)
    right = all(_passed(case) for case in cases if case.weight)
    return min(earned / total, 1.0 if right else ALMOST) if total else 0.0


def _share(weights: Sequence[float], cases: Sequence[CaseResult]) -> float:
    """Weight earned / weight sent; below 1 where anything that has a weight did not pass, however little it was."""
    # fsum rounds once: the order of the cases does not matter, and a part is never more than the whole.
    total = math.fsum(weights)
    earned = math.fsum(weight * _earned(case) for weight, case in zip(weights, cases, strict=True))
    right = all(_passed(case) for weight, case in zip(weights, cases, strict=True) if weight)
    return min(earned / total, 1.0 if right else ALMOST) if total else 0.0


def _earned(case: CaseResult) -> float:
    """What a case is worth, in [0, 1]."""
    return 1.0 if _passed(case) else case.score or 0.0


def _passed(case: CaseResult) -> bool:
    return case.verdict is Verdict.ACCEPTED
