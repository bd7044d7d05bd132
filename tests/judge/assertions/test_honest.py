"""What a right program may do, and a test text may do with it."""

from __future__ import annotations

import pytest

from tests.judge.assertions.driver import Report, examine
from tests.judge.assertions.honest_objects import OBJECTS
from tests.judge.assertions.honest_texts import ENTERED, TEXTS
from tests.judge.assertions.honest_values import CALLS, CHANGES, RAISES, VALUES

ALL = {**VALUES, **CHANGES, **CALLS, **RAISES, **OBJECTS, **TEXTS}


def accepted(report: Report) -> None:
    assert report.accepted, [line for line in report.cases.values() if not line["passed"]] or report.errors


def test_no_two_of_a_name() -> None:
    assert len(ALL) == sum(map(len, (VALUES, CHANGES, CALLS, RAISES, OBJECTS, TEXTS)))


@pytest.mark.parametrize("name", ALL)
def test_accepted(name: str) -> None:
    accepted(examine(*ALL[name]))


@pytest.mark.parametrize("name", ENTERED)
def test_accepted_by_entry_point(name: str) -> None:
    solution, code, entry_point = ENTERED[name]
    accepted(examine(solution, code, entry_point=entry_point))
