"""What must hold for any output: invariances, near misses, silence about the expected output, floods."""

from __future__ import annotations

import random
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sandbox_service.contract.task import Compare
from sandbox_service.judge import matches

MIB = 1 << 20
MODES = ("exact", "lines", "tokens", "float", "unordered_lines", "contains", "regex")
LINE_END = st.text(" \t\r\x0b\x0c", max_size=3).map(str.encode)
SPACE = st.text(" \t\r\n\x0b\x0c", min_size=1, max_size=3).map(str.encode)
TOKEN = st.binary(min_size=1, max_size=8).filter(lambda data: len(data.split()) == 1 and data == data.strip())
WORDS = st.lists(TOKEN, min_size=1, max_size=8)
LINE = st.binary(max_size=12).filter(lambda data: b"\n" not in data)
FILLED_LINES = st.lists(LINE.filter(bytes.strip), min_size=1, max_size=8)
NUMBER = st.decimals(allow_nan=False, allow_infinity=False)


def right(mode: str, output: bytes, expected: bytes, **tolerance: float) -> bool:
    return matches(Compare.model_validate({"mode": mode, **tolerance}), output, expected) is None


@given(st.binary())
def test_an_output_is_what_it_is(data: bytes) -> None:
    for mode in ("exact", "lines", "tokens", "unordered_lines", "contains"):
        assert right(mode, data, data)


@given(st.binary(), st.binary())
def test_each_mode_takes_what_a_stricter_one_takes(output: bytes, expected: bytes) -> None:
    for strict, lenient in [
        ("exact", "lines"),
        ("lines", "tokens"),
        ("lines", "unordered_lines"),
        ("exact", "contains"),
    ]:
        assert right(lenient, output, expected) or not right(strict, output, expected)


@given(st.binary(max_size=6), st.binary(max_size=6))
def test_comparing_is_symmetric(one: bytes, other: bytes) -> None:
    for mode in ("exact", "lines", "tokens", "unordered_lines"):
        assert right(mode, one, other) == right(mode, other, one)


@given(FILLED_LINES, st.data())
def test_line_ends_and_blank_lines_at_the_end_do_not_count(lines: list[bytes], data: st.DataObject) -> None:
    ends = [data.draw(LINE_END) for _ in lines]
    output = b"\n".join(map(bytes.__add__, lines, ends)) + data.draw(SPACE)
    assert right("lines", output, b"\n".join(lines))


@given(WORDS, st.data())
def test_any_white_space_separates_tokens(words: list[bytes], data: st.DataObject) -> None:
    output = b"".join(data.draw(SPACE) + word for word in words) + data.draw(SPACE)
    assert right("tokens", output, b" ".join(words))


@given(FILLED_LINES, st.randoms(use_true_random=False))
def test_lines_in_any_order(lines: list[bytes], chance: random.Random) -> None:
    assert right("unordered_lines", b"\n".join(chance.sample(lines, len(lines))), b"\n".join(lines))


@given(WORDS, TOKEN)
def test_near_misses_earn_nothing(words: list[bytes], extra: bytes) -> None:
    expected = b"\n".join(words)
    for mode in ("exact", "lines", "tokens", "unordered_lines", "float"):
        for forged in (
            b"\n".join(words[:-1]),  # a prefix
            expected + b"\n" + extra,  # the answer and more
            extra + b"\n" + expected,
            expected + b"\0",
            b"\0" + expected,
            expected + b"\n" + expected,
        ):
            assert not right(mode, forged, expected)


@given(WORDS, st.data())
def test_one_wrong_byte_is_wrong(words: list[bytes], data: st.DataObject) -> None:
    expected = b" ".join(words)
    place = data.draw(st.integers(0, len(expected) - 1))
    other = bytearray(expected)
    other[place] ^= data.draw(st.integers(1, 255))
    assume(bytes(other).split() != words)
    assert not right("tokens", bytes(other), expected)


@given(NUMBER)
def test_a_number_equals_itself_however_written(number: Decimal) -> None:
    assume(abs(number.adjusted()) < 1000)
    for form in (f"{number:e}", f"{number:f}"):
        assert right("float", form.encode(), str(number).encode(), abs_tol=0.0, rel_tol=0.0)


@given(st.integers(), st.integers())
def test_integers_are_exact_without_tolerance(one: int, other: int) -> None:
    assert right("float", f"{one}.0".encode(), str(other).encode(), abs_tol=0.0, rel_tol=0.0) == (one == other)


@given(st.integers(-(10**12), 10**12), st.integers(0, 10**6))
def test_absolute_tolerance_holds_on_both_sides(wanted: int, apart: int) -> None:
    for given_number in (wanted + apart, wanted - apart):
        assert right("float", b"%d" % given_number, b"%d" % wanted, abs_tol=1e3, rel_tol=0.0) == (apart <= 1000)


@given(st.floats(width=64))
def test_nan_equals_nothing_and_infinity_no_number(number: float) -> None:
    text = repr(number).encode()
    assert not right("float", b"nan", text)
    assert right("float", b"inf", text) == (text == b"inf")


@given(st.binary(max_size=20), st.binary(max_size=20), st.sampled_from([mode for mode in MODES if mode != "regex"]))
def test_a_message_tells_nothing_of_the_expected_output(one: bytes, other: bytes, mode: str) -> None:
    compare = Compare.model_validate({"mode": mode})
    for output in (b"", b"\n", b"12 13", b"a\nb"):
        assert len({matches(compare, output, expected) for expected in (one, other)} - {None}) <= 1


FLOODS = {
    "one line": b"x" * (4 * MIB),
    "digits": b"9" * (4 * MIB),
    "fraction": b"0." + b"3" * (4 * MIB - 2),
    "exponents": b"1e" * (2 * MIB),
    "signs": b"+" * (4 * MIB),
    "tokens": b"1 " * (2 * MIB),
    "blank lines": b"\n" * (4 * MIB - 1) + b"x",
    "spaces": b"x" + b" " * (4 * MIB - 2) + b"x",
    "carriage returns": b"\r" * (4 * MIB - 1) + b"x",
    "NULs": bytes(4 * MIB),
    "not a number": b"nan(" + b"(" * (4 * MIB - 4),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", FLOODS)
def test_floods_are_compared_in_linear_time(mode: str, name: str) -> None:
    """No clock: were one of these quadratic, 4 MiB would take hours."""
    flood = FLOODS[name]
    tolerance = {"abs_tol": 0.0, "rel_tol": 0.0} if mode == "float" else {}
    assert not right(mode, flood, b"2", **tolerance)
    if mode in ("regex", "contains"):
        assert right(mode, flood, rb"(?s)\C*" if mode == "regex" else flood[-5000:])
    else:
        assert right(mode, flood, flood, **tolerance)
        assert not right(mode, flood, flood[:-1] + b"7", **tolerance)
        assert not right(mode, flood, flood + b"7", **tolerance)
