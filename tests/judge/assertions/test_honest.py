"""What a right program may do, and a test text may do with it."""

from __future__ import annotations

import subprocess

import pytest

from sandbox_service.judge.inside import python
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


ARRAYS = """
import numpy
def f(x): return numpy.array(x) * 2
def g(a):
    a.sort()
    a[0] = 9
def mean(x): return numpy.mean(x)
class M:
    def __init__(self, a): self.a = numpy.array(a)
"""
ARRAYS_TEXT = """
import numpy
assert numpy.array_equal(f([1, 2]), numpy.array([2, 4]))
assert (f([[1, 2], [3, 4]]) == [[2, 4], [6, 8]]).all()
a = numpy.array([3.0, 1.0, 2.0])
g(a)
assert a.tolist() == [9.0, 2.0, 3.0]
assert mean([1, 2]) == 1.5 and type(mean([1])) is numpy.float64
assert f(numpy.float32(2)) == 4
assert f([]).shape == (0,) and f(numpy.zeros((2, 0, 3))).shape == (2, 0, 3)
m = M([1, 2])
m.a[0] = 7
assert m.a.tolist() == [7, 2]
"""


def test_arrays() -> None:
    if subprocess.run([python.PYTHON, "-c", "import numpy"], stderr=subprocess.DEVNULL).returncode:
        pytest.skip(f"{python.PYTHON.decode()} has no numpy")
    accepted(examine(ARRAYS, ARRAYS_TEXT))
