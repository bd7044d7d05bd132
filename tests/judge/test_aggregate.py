"""The verdict of a submission."""

from __future__ import annotations

import pytest

from sandbox_service.contract.result import CaseResult
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge import aggregate

ACCEPTED, SKIPPED, WRONG, TIME, COMPILE = (
    Verdict.ACCEPTED,
    Verdict.SKIPPED,
    Verdict.WRONG_ANSWER,
    Verdict.TIME_LIMIT_EXCEEDED,
    Verdict.COMPILE_ERROR,
)


def cases(verdicts: list[Verdict]) -> list[CaseResult]:
    return [CaseResult(id=str(number), verdict=verdict) for number, verdict in enumerate(verdicts)]


@pytest.mark.parametrize(
    ("verdicts", "whole"),
    [
        ([ACCEPTED], ACCEPTED),
        ([ACCEPTED, ACCEPTED], ACCEPTED),
        ([ACCEPTED, TIME, WRONG], TIME),
        ([WRONG, ACCEPTED, TIME], WRONG),
        ([ACCEPTED, WRONG, SKIPPED, SKIPPED], WRONG),
        ([SKIPPED, SKIPPED], COMPILE),
    ],
)
def test_aggregate(verdicts: list[Verdict], whole: Verdict) -> None:
    assert aggregate(cases(verdicts)) is whole


@pytest.mark.parametrize("verdicts", [[], [ACCEPTED, SKIPPED]])
def test_our_own_mistakes_are_never_accepted(verdicts: list[Verdict]) -> None:
    with pytest.raises(ValueError, match="cases"):
        aggregate(cases(verdicts))
