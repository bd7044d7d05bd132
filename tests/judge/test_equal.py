"""JSON values: what equals what, against a second, recursive and slow, way to say the same."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_service.contract.compare import Compare
from sandbox_service.judge import TaskError, check_expected, matches
from sandbox_service.judge.equal import equal
from sandbox_service.judge.numbers import Tolerance
from sandbox_service.judge.values import Opaque

EQUAL = Compare(mode="equal")
INTEGERS = st.integers() | st.integers(2**53 - 4, 2**53 + 4) | st.sampled_from([10**400, -(10**400), 2**1024, 0, 1])
FLOATS = st.floats() | st.sampled_from([0.0, -0.0, 2.0**53, 1e308, 5e-324, math.inf, math.nan])
LEAVES = st.none() | st.booleans() | INTEGERS | FLOATS | st.text(st.characters(), max_size=3)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=4)
)
# Few different ones, so that two of them are often equal or nearly so.
SMALL = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 0.0, 1.0, "", "1", 1.5, math.nan, math.inf]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
    max_leaves=4,
)


def model(given: Any, wanted: Any) -> bool:
    if isinstance(given, bool) or isinstance(wanted, bool):
        return given is wanted
    if isinstance(given, (int, float)) and isinstance(wanted, (int, float)):
        if any(isinstance(number, float) and not math.isfinite(number) for number in (given, wanted)):
            return str(given) == str(wanted) != "nan"
        return Fraction(given) == Fraction(wanted)
    if isinstance(given, list) and isinstance(wanted, list):
        return len(given) == len(wanted) and all(map(model, given, wanted))
    if isinstance(given, dict) and isinstance(wanted, dict):
        return sorted(given) == sorted(wanted) and all(model(given[key], wanted[key]) for key in given)
    return type(given) is type(wanted) and bool(given == wanted)


def right(given: Any, wanted: Any, **options: Any) -> bool:
    return equal(given, wanted, Compare.model_validate({"mode": "equal", **options})) is None


@given(SMALL, SMALL)
def test_small_values_against_the_model(one: Any, other: Any) -> None:
    assert right(one, other) == right(other, one) == model(one, other)


@given(VALUES, VALUES)
def test_values_against_the_model(one: Any, other: Any) -> None:
    assert right(one, other) == model(one, other)
    assert right(one, json.loads(json.dumps(one))) == model(one, one)


@given(INTEGERS, FLOATS)
def test_integers_and_floats_are_compared_without_rounding(one: int, other: float) -> None:
    assert right(one, other) == right(other, one) == (math.isfinite(other) and Fraction(one) == Fraction(other))


@pytest.mark.parametrize(
    ("given", "wanted", "options", "is_right"),
    [
        (True, 1, {}, False),
        (0, False, {}, False),
        (1.0, True, {"abs_tol": 9}, False),
        ([1.0, -0.0], [1, 0], {}, True),
        (2**53 + 1, 2.0**53, {}, False),
        (math.nan, math.nan, {}, False),
        (math.nan, math.nan, {"mode": "float"}, False),
        (math.inf, math.inf, {"mode": "float"}, True),
        (math.inf, -math.inf, {"mode": "float", "abs_tol": 1e300}, False),
        (math.inf, 1e308, {"mode": "float", "rel_tol": 1e300}, False),
        (math.inf, 10**400, {"mode": "float", "rel_tol": 1e300}, False),
        ("1", 1, {}, False),
        (None, 0, {}, False),
        (None, [], {}, False),
        ({}, [], {}, False),
        ([1, 2], [2, 1], {}, False),
        ([1, 2], [1, 2, 3], {}, False),
        ([1, 2, 3], [1, 2], {}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {}, True),
        ({"a": 1}, {"a": 1, "b": 2}, {}, False),
        ({"a": 1, "b": 2}, {"a": 1}, {}, False),
        ({"a": 1}, {"A": 1}, {}, False),
        ("\ud800", "\ud800", {}, True),
        ("e\u0301", "\u00e9", {}, False),
        ("a\r\n", "a\n", {}, False),
        (0.1 + 0.2, 0.3, {}, False),
        (0.1 + 0.2, 0.3, {"abs_tol": 1e-9}, True),
        ([{"a": [0.1 + 0.2, "x"]}], [{"a": [0.3, "x"]}], {"mode": "float"}, True),
        ([{"a": [0.1 + 0.2, "x"]}], [{"a": [0.3, "y"]}], {"mode": "float"}, False),
        (["0.30000000001"], ["0.3"], {"mode": "float"}, False),
        (1.000001, 1, {"mode": "float", "abs_tol": 1e-6, "rel_tol": 0}, True),
        (1.0000010021, 1, {"mode": "float", "abs_tol": 1e-6, "rel_tol": 0}, False),
        (110, 100, {"rel_tol": 0.1}, True),
        (111, 100, {"rel_tol": 0.1}, False),
        (100, 111, {"rel_tol": 0.1}, True),
        (10**400 + 1, 10**400, {"mode": "float", "abs_tol": 0, "rel_tol": 0}, False),
        (10**400 + 1, 10**400, {"mode": "float"}, True),
        (1 << (1 << 20), 10**400, {"mode": "float", "rel_tol": 1e300}, False),
        (1 << (1 << 20), 1 << (1 << 20), {"mode": "float"}, True),
        (Opaque("set"), Opaque("set"), {}, False),
        ([Opaque("set")], [None], {}, False),
        ([], Opaque("list"), {}, False),
        (Decimal(10**5000), Decimal(10**5000), {}, True),
        (Decimal(10**5000), Decimal(10**5000 + 1), {}, False),
        (Decimal(10**5000), Decimal(10**5000 + 1), {"mode": "float"}, True),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_equals_what(given: Any, wanted: Any, options: dict[str, Any], is_right: bool) -> None:
    assert right(given, wanted, **options) == is_right


NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False)
TOLERANCES = st.none() | st.sampled_from([0.0, 1e-9, 0.1, 1.0, 1e300]) | st.floats(0, 1e300)


@given(NUMBERS, NUMBERS | st.floats(-2, 2), TOLERANCES, TOLERANCES)
def test_values_and_tokens_have_one_rule(
    one: float, apart: float, absolute: float | None, relative: float | None
) -> None:
    tolerance = Tolerance(absolute, relative)
    for other in (apart, one + apart if isinstance(one, int) and isinstance(apart, int) else one):
        assert tolerance.close(one, other) == tolerance.equal(repr(one).encode(), repr(other).encode())


@given(VALUES, st.lists(st.integers(0, 9), max_size=3))
def test_one_wrong_leaf_is_wrong(value: Any, path: list[int]) -> None:
    wrong = [value, *path, [value]]
    assert not right([value, *path, [value, None]], wrong)
    assert not right([{"a": value}, *path, [value]], wrong)


@given(SMALL, SMALL, SMALL, st.sampled_from(["equal", "float"]))
def test_a_message_tells_nothing_of_the_expected_value(value: Any, one: Any, other: Any, mode: str) -> None:
    compare = Compare.model_validate({"mode": mode})
    assert len({equal(value, expected, compare) for expected in (one, other)} - {None}) <= 1


def test_depth_is_no_matter() -> None:
    one: Any = 1
    other: Any = 1
    for _ in range(20_000):
        one, other = {"a": [one]}, {"a": [other]}
    assert right(one, other)
    assert not right(one, [other])


# Outputs as JSON documents


@pytest.mark.parametrize(
    ("output", "expected", "is_right"),
    [
        (b"[1, 2]\n", b"[1,2]", True),
        (b' {"a": 1, "b": [true]}\r\n', b'{"b":[true],"a":1.0}', True),
        (b'"\\u00e9"', '"é"'.encode(), True),
        (b'"\\ud800"', b'"\xed\xa0\x80"', True),
        (b"1 2", b"1", False),
        (b"[1, 2", b"[1,2]", False),
        (b"[1, 2]]", b"[1,2]", False),
        (b"{'a': 1}", b'{"a": 1}', False),
        (b"True", b"true", False),
        (b"1", b"true", False),
        (b"NaN", b"NaN", False),
        (b"1e3", b"1000", True),
        (b"01", b"1", False),
        (b'"\xff"', b'"\xff"', False),
        (b"\xef\xbb\xbf1", b"1", False),
        (b"", b"0", False),
        (b"[" * 100_000, b"[]", False),
        (b"[" * 301 + b"]" * 301, b"[]", False),
        (b"[" * 300 + b"]" * 300, b"[" * 300 + b"]" * 300, True),
        (b"9" * 5_000, b"9" * 5_000, True),
        (b"9" * 4_999 + b"8", b"9" * 5_000, False),
        (b"9" * 5_000, b"1e999", False),
    ],
)
def test_outputs(output: bytes, expected: bytes, is_right: bool) -> None:
    if b"\xff" in expected:
        with pytest.raises(TaskError):
            matches(EQUAL, output, expected)
    else:
        assert (matches(EQUAL, output, expected) is None) == is_right


@given(VALUES, st.sampled_from([None, 2]), st.booleans())
def test_an_output_is_the_value_that_it_says(value: Any, indent: int | None, ascii: bool) -> None:
    output = json.dumps(value, indent=indent, ensure_ascii=ascii).encode("utf-8", "surrogatepass")
    assert (matches(EQUAL, output, json.dumps(value).encode()) is None) == model(value, value)


@pytest.mark.parametrize("expected", [b"", b"nothing", b"{'a': 1}", b"[" * 301 + b"]" * 301, b"[" * 10_000, b"\xff"])
def test_a_broken_expected_output_is_the_tasks_fault(expected: bytes) -> None:
    with pytest.raises(TaskError):
        check_expected(EQUAL, expected)
    with pytest.raises(TaskError):
        matches(EQUAL, b"1", expected)


def test_nothing_of_a_broken_expected_output_is_quoted() -> None:
    with pytest.raises(TaskError, match="the expected output is no JSON") as caught:
        check_expected(EQUAL, b'{"secret"')
    assert "secret" not in str(caught.value)
