"""Calling functions that want to harm or to deceive: none is accepted, none gets away with more than a wrong value."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sandbox_service.judge.function import request
from sandbox_service.judge.values import Opaque, decode
from tests.judge.calls import call, found, task
from tests.judge.hostile_calls import programs

HOSTILE = programs()


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile(name: str) -> None:
    verdict, code = HOSTILE[name]
    assert found(code, task(expected=42)).verdict is verdict


def test_large_values_are_given() -> None:
    for expression in ("range(10**6)", "('ab' for _ in range(10**6))", "['x' * 1_300_000] * 6", "1 << 30_000_000"):
        called = call(f"def f(): return iter({expression}) if 'r' in {expression!r} else {expression}", task())
        value = decode(called.data)
        assert value == (list(eval(expression)) if "r" in expression else eval(expression))


def test_nothing_that_is_expected_is_sent() -> None:
    one = task(args=["known"], kwargs={"a": "known too"}, expected={"the secret": ["answer"]}, id="name")
    told = json.loads(request(one, one.cases[0]))
    assert told == {"entry_point": "f", "args": ["known"], "kwargs": {"a": "known too"}, "result_from": "return"}


SEARCH = """
import gc, sys, os
def f(known):
    seen, waiting = set(), [sys.modules, *gc.get_objects()]
    frame = sys._getframe()
    while frame:
        waiting += [frame.f_locals, frame.f_globals, frame.f_code.co_consts]
        frame = frame.f_back
    places = ["/proc/self/cmdline", "/proc/self/environ", sys.argv[0]]
    text = "".join(open(place, errors="replace").read() for place in places)
    while waiting:
        one = waiting.pop()
        if id(one) not in seen and not isinstance(one, type):
            seen.add(id(one))
            text += one if isinstance(one, str) else ""
            waiting += gc.get_referents(one) if len(seen) < 200_000 else []
    return ["secret answer".replace(" ", "_") in text, known in text]
"""


def test_nothing_that_is_expected_can_be_found() -> None:
    one = task(args=["known_argument"], expected="secret_answer")
    assert decode(call(SEARCH, one).data) == [False, True]


def test_a_hostile_value_is_opaque() -> None:
    value: Any = decode(call(HOSTILE["class that lies"][1], task()).data)
    assert isinstance(value, Opaque)
    assert value.type == "A"
