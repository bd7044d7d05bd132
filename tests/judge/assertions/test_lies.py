"""No wrong program is accepted, and each is told of in full."""

from __future__ import annotations

import pytest

from sandbox_service.judge.inside import python
from tests.judge.assertions.driver import examine
from tests.judge.assertions.lies import IMPOSTORS, LIES


@pytest.mark.parametrize("name", LIES)
def test_not_accepted(name: str) -> None:
    report = examine(*LIES[name])
    assert report.exit_code == 0, report.errors
    assert not report.accepted


@pytest.mark.parametrize("name", IMPOSTORS)
def test_impostors(name: str) -> None:
    host = [python.PYTHON, b"-c", IMPOSTORS[name].encode()]
    report = examine("", "assert f(1) == 3\nassert f(lambda: 0) == 4", host=host)
    assert report.exit_code == 0, report.errors
    assert report.passed == [False, False]
