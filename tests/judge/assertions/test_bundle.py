"""The programs as they are sent."""

from __future__ import annotations

import pytest

from sandbox_service.judge.inside import python
from tests.judge.assertions.driver import compiled, examine

ARGUMENT = 120 << 10  # bytes, for they come as one


def test_they_are_short_enough() -> None:
    for text in (*compiled(), *map(python.program, python.sources().values())):
        assert len(text.encode()) < ARGUMENT


def test_they_run_from_their_sources_too() -> None:
    report = examine("def f(x): return x", "assert f(1) == 1\nassert f(1) == 2", interpreter=python.PYTHON)
    assert report.passed == [True, False]


def test_no_two_modules_define_the_same_name() -> None:
    with pytest.raises(ValueError, match="once more"):
        python.bundle(("values", "values"))


def test_what_only_readers_need_is_left_out() -> None:
    source = python.bundle(("values",))
    assert "Encoder" in source
    assert "->" not in source
    assert '"""' not in source
