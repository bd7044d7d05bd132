"""Whatever comes instead of answers, the examiner reports every case and comes to its end."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox_service.judge.inside.python import plain, standard, values  # the tags
from tests.judge.assertions.driver import Report, examine_answers

assert plain
assert standard
TEXT = """
import asyncio
def own(x):
    assert x
    return [x]
data = [1, [2]]
r = f(data, own)
assert r == [1, [2]]
assert data
for x in f(data):
    assert x != 3, x
assert f(own)(3) != {1: f(2)}
try:
    assert not f(C(1)).value.name()
    assert C.x[0] + C(2) > 1
except (TypeError, AttributeError):
    pass
str(f(1)), repr(f(2)), list(f(3)), {f(4): f(5)}
"""
FUNCTION = {"h": [0, "function", "f", None, False]}
CLASS = {"h": [1, "class", "C", None, [], ["__eq__", "__add__", "__lt__", "__getitem__", "__iter__", "__len__"], None]}
KNOWN = {"t": [{"t": ["f", "value", FUNCTION]}]}
TAGS = [*values.READERS, *values.MAKERS, "h", "g", "x", "library", "?"]
KINDS = ["class", "object", "function", "callable", "module", "iterator", "aiterator", "awaitable", "opaque"]

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["0x1f", "00", "e9", "int", "object", "ValueError", "SystemExit", "__eq__", "a", *KINDS])
)


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Descriptions of objects, right ones among them."""
    number = st.integers(-1, 6)
    kinds = st.sampled_from(KINDS)
    some = st.tuples(number, kinds, inner, inner, inner, inner, inner) | st.tuples(number, kinds, inner, inner, inner)
    classes = st.tuples(
        number,
        st.just("class"),
        st.text(max_size=3),
        st.none(),
        st.lists(inner, max_size=2),
        st.lists(st.sampled_from(["__eq__", "__bool__", "__add__", "__x__"]), max_size=3),
        st.none(),
    )
    plain = st.tuples(number) | st.tuples(number, st.just("object"), st.none(), st.booleans(), st.booleans())
    plain = plain | st.tuples(number, st.sampled_from(["iterator", "awaitable"]))
    functions = st.tuples(
        number, st.sampled_from(["function", "callable"]), st.text(max_size=3), st.none(), st.booleans()
    )
    owned = st.tuples(
        number, st.just("object"), classes.map(lambda made: {"h": list(made)}), st.booleans(), st.booleans()
    )
    return (some | classes | plain | functions | owned).map(lambda made: {"h": list(made)})


payloads = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(TAGS), inner, min_size=1, max_size=1)
        | st.dictionaries(st.sampled_from(TAGS), st.lists(inner, max_size=4), min_size=1, max_size=2)
        | objects(inner)
    ),
    max_leaves=12,
)
names = st.sampled_from(
    ["ValueError", "StopIteration", "AssertionError", "KeyError", "OSError", "ExceptionGroup", "int"]
)
exceptions = (
    st.sampled_from([["limit"], ["left", "SystemExit"], ["left"]])
    | st.tuples(
        names, payloads, st.text(max_size=5), st.none() | payloads, st.just(["builtins", "ValueError"]), payloads
    )
    | st.tuples(names, st.just({"t": ["a"]}), st.text(max_size=5), st.none(), st.just(["json", "x"]), st.none())
    | payloads
)


def answers(number: int) -> st.SearchStrategy[Any]:
    """Answers to the question of that number, most of them in order but for what they say."""
    changes = st.just([]) | st.lists(st.tuples(st.integers(-1, 3), payloads), max_size=2) | payloads
    beside = (
        st.none() | st.just(["x", []]) | st.tuples(st.just(""), st.lists(st.tuples(st.just("n"), payloads))) | payloads
    )
    values = st.tuples(st.just("="), st.just(number), payloads, changes, beside)
    failures = st.tuples(st.just("!"), st.just(number), exceptions, changes, st.none())
    asked = st.tuples(
        st.just("?"),
        st.integers(0, 5),
        st.sampled_from(["call", "get", "eval", "special", "set", "read_line"]),
        st.booleans(),
        st.lists(payloads | st.just({"g": [0]}), max_size=3),
        st.just([]) | payloads,
        st.just([]) | payloads,
    )
    return st.one_of(
        values, values, values, failures, asked, st.tuples(st.just("="), st.integers(), payloads), payloads
    )


def frame(message: Any) -> bytes:
    """A message as it goes over the line."""
    body = json.dumps(message).encode()
    return len(body).to_bytes(4, "big") + body


first = (
    st.just(["=", 1, {"t": [{"t": ["C", "value", CLASS]}]}, [], None])
    | st.just(["=", 1, {"t": []}, [], None])
    | answers(1)
)
second = st.just(["=", 2, KNOWN, [], None]) | answers(2)


def in_order(report: Report) -> None:
    """`read` has seen to the rest."""
    assert report.exit_code == 0, report.errors


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.tuples(first, second, *map(answers, range(3, 12))))
def test_answers(messages: Any) -> None:
    in_order(examine_answers(TEXT, b"".join(map(frame, messages))))


@settings(deadline=None, max_examples=30, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=200) | st.text(max_size=50).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_bytes(data: bytes) -> None:
    in_order(examine_answers(TEXT, data))
    started = frame(["=", 1, {"t": [{"t": ["C", "value", CLASS]}]}, [], None]) + frame(["=", 2, KNOWN, [], None])
    in_order(examine_answers(TEXT, started + data))


def value(payload: str) -> bytes:
    """An answer to the first call, with that JSON for a value."""
    body = b'["=",2,%s,[],null]' % payload.encode()
    return frame(["=", 1, KNOWN, [], None]) + len(body).to_bytes(4, "big") + body


@pytest.mark.parametrize(
    ("payload", "fault"),
    [
        ("[" * 100_000, "limit"),
        ("[" * 100_000 + "]" * 100_000, "limit"),
        ('{"t":[' * 5_000 + "]}" * 5_000, "limit"),
        ("[" * 400 + "]" * 400, "limit"),
        ("9" * 100_000, "error"),
        ('{"i":"zz"}', "error"),
        ("[" + ",".join(["[]"] * 5_000_000) + "]", "limit"),
        ('{"d":[[],1]}', "error"),
        ('{"d":[1]}', "error"),
        ('{"s":[{"d":[]}]}', "error"),
        ('{"&":0}', "error"),
        ('{"r":[1,2,0]}', "error"),
        ('{"m":["x"]}', "error"),
        ('{"F":[1,0]}', "error"),
        ('{"day":[1,1,99]}', "error"),
        ('{"n":["P",["class"],[1]]}', "error"),
        ('{"n":["P",["a","a"],[1,2]]}', "error"),
        ('{"n":["P",["a"],[1,2]]}', "error"),
        ('{"q":[-1,[]]}', "error"),
        ('{"a":["u",[1]]}', "error"),
        ('{"u":"ff"}', "error"),
        ('{"h":[5]}', "error"),
        ('{"h":[5,"object",{"h":[6,"class","C",null,[],[],null]},true,false]}', "error"),
        ('{"g":[0]}', "error"),
        ('{"b":"é"}', "error"),
        ("[] []", "error"),
        ("{}", "error"),
        ('{"a":1,"b":2}', "error"),
    ],
)
def test_values_that_are_none(payload: str, fault: str) -> None:
    report = examine_answers("assert f(1) == 1\nassert f(2) == 2", value(payload))
    assert report.exit_code == 0
    assert report.faults == [fault, fault]


def test_brackets_where_the_text_wants_deep_recursion() -> None:
    text = "import sys\nsys.setrecursionlimit(10**7)\nassert f(1) == 1"
    report = examine_answers(text, value("[" * 5_000_000 + "]" * 5_000_000))
    assert (report.exit_code, report.faults) == (0, ["limit"])
    report = examine_answers(text, value("[" * 1_000_000 + "]" * 1_000_000))
    assert (report.exit_code, report.faults) == (0, ["limit"])


def test_a_message_without_end() -> None:
    assert examine_answers("assert f(1)", b"\x02\x00\x00\x00" + b"x" * 100).faults == ["error"]
    assert examine_answers("assert f(1)", b"\xff\xff\xff\xff").faults == ["error"]


def test_the_first_answer_counts() -> None:
    twice = value("7") + frame(["=", 2, 8, [], None]) + frame(["=", 3, 9, [], None])
    report = examine_answers("assert f(1) == 7\nassert f(2) == 9", twice)
    assert report.passed == [True, False]
    assert report.messages[1] == "the program disturbed the test protocol"
