"""Each compare mode against a second, slow and simple, way to say the same."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from sandbox_service.contract.task import Compare
from sandbox_service.judge import TaskError, check_expected, matches
from sandbox_service.judge.numbers import Tolerance

# White space, what Unicode or another program takes for it, and letters to stand between.
SPACES = [b" ", b"\t", b"\r", b"\n", b"\r\n", b"\x0b", b"\x0c"]
NO_SPACES = [b"\0", b"\x1c", b"\x85", b"\xa0", *(c.encode() for c in "\u00a0\u2003\u2028\u200b\ufeffe\u0301\u00e9")]
TEXT = st.lists(st.sampled_from([*SPACES, *SPACES, *NO_SPACES, b"a", b"b", b"1"]), max_size=12).map(b"".join)
# Mostly digits, so that two of them are often equal.
DIGITS = (
    st.text("0019", min_size=1, max_size=4)
    | st.integers(0, 10**20).map(str)
    | st.text("0189", min_size=70, max_size=90)
)
EXPONENTS = st.just("") | st.tuples(
    st.sampled_from("eE"), st.sampled_from(["", "+", "-"]), st.text("0012", min_size=1, max_size=6)
).map("".join)
NUMBERS = st.tuples(
    st.sampled_from(["", "+", "-"]),
    DIGITS | st.tuples(DIGITS, st.just("."), st.just("") | DIGITS).map("".join) | DIGITS.map(".".__add__),
    EXPONENTS.filter(lambda text: abs(int(text[1:] or 0)) <= 400),
).map("".join)
ODD = st.sampled_from(
    [
        "nan",
        "-NaN",
        "nan(1)",
        "inf",
        "+Inf",
        "-inf",
        "Infinity",
        "-INFINITY",
        "1e",
        ".",
        "-",
        "0x1",
        "1_0",
        "1,0",
        "info",
    ]
)
TOKENS = NUMBERS | ODD
TOLERANCES = st.none() | st.sampled_from([0.0, 5e-324, 1e-9, 1e-6, 0.1, 0.5, 1.0, 1e300]) | st.floats(0, 1e300)


def right(mode: str, output: bytes, expected: bytes, **tolerance: float | None) -> bool:
    return matches(Compare.model_validate({"mode": mode, **tolerance}), output, expected) is None


@given(TEXT, TEXT)
def test_lines(output: bytes, expected: bytes) -> None:
    def model(data: bytes) -> bytes:
        return re.sub(rb"[ \t\r\x0b\x0c]+(\n|\Z)", rb"\1", data).rstrip(b"\n")

    assert right("lines", output, expected) == (model(output) == model(expected))


@given(TEXT, TEXT)
def test_tokens(output: bytes, expected: bytes) -> None:
    def model(data: bytes) -> list[bytes]:
        return [token for token in re.split(rb"[ \t\n\r\x0b\x0c]", data) if token]

    assert right("tokens", output, expected) == (model(output) == model(expected))


@given(TEXT, TEXT)
def test_unordered_lines(output: bytes, expected: bytes) -> None:
    def model(data: bytes) -> list[bytes]:
        return sorted(line for text in data.split(b"\n") if (line := text.rstrip(b" \t\r\x0b\x0c")))

    assert right("unordered_lines", output, expected) == (model(output) == model(expected))


@given(TEXT, TEXT)
def test_contains(output: bytes, expected: bytes) -> None:
    places = range(len(output) - len(expected) + 1)
    assert right("contains", output, expected) == any(output[at : at + len(expected)] == expected for at in places)


@given(TEXT, st.sampled_from(["lines", "tokens", "float", "unordered_lines"]))
def test_how_lines_end_does_not_matter(text: bytes, mode: str) -> None:
    unix = text.replace(b"\r\n", b"\n")
    assert right(mode, unix.replace(b"\n", b"\r\n"), unix)
    assert right(mode, unix, unix.replace(b"\n", b"\r\n"))


@given(TEXT, TEXT)
def test_float_is_like_tokens_where_there_are_no_other_numbers(output: bytes, expected: bytes) -> None:
    forms = (re.sub(rb"1+", b"1", output), re.sub(rb"1+", b"1", expected))
    assert right("float", *forms) == right("tokens", *forms)


@given(
    st.lists(st.tuples(TOKENS, TOKENS) | TOKENS.map(lambda token: (token, token)), min_size=1, max_size=4),
    TOLERANCES,
    TOLERANCES,
)
def test_float(pairs: list[tuple[str, str]], abs_tol: float | None, rel_tol: float | None) -> None:
    output, expected = (" ".join(side).encode() for side in zip(*pairs, strict=True))
    wanted = all(_equal(one, other, _exact(abs_tol), _exact(rel_tol)) for one, other in pairs)
    assert right("float", output, expected, abs_tol=abs_tol, rel_tol=rel_tol) == wanted


@given(
    NUMBERS,
    st.sampled_from([0.1, 1.0, 1e-6, 2.0**-20]),
    st.sampled_from([-1, 0, 1]),
    st.integers(20, 600),
    st.booleans(),
)
def test_float_to_the_last_digit_of_the_tolerance(
    wanted: str, tolerance: float, step: int, digits: int, relative: bool
) -> None:
    """The number that is just as far away as is allowed, and its neighbours, however many digits that takes."""
    value = _number(wanted)
    assert isinstance(value, Fraction)
    allowed = _exact(tolerance) * abs(value) if relative else _exact(tolerance)
    given_value = value + allowed + step * Fraction(1, 10**digits)
    tolerances = {"rel_tol": tolerance, "abs_tol": 0.0} if relative else {"abs_tol": tolerance, "rel_tol": 0.0}
    assert right("float", _decimal(given_value), wanted.encode(), **tolerances) == (abs(given_value - value) <= allowed)


VALUES = (
    st.integers(-1000, 1000)
    | st.integers()
    | st.integers(-(10**60), 10**60)
    | st.floats()
    | st.sampled_from([0.1, 1.0, 2.0**53, 2**53 + 1, 10**40, 10**40 + 1, 1e40])
)


@given(VALUES, VALUES, TOLERANCES, TOLERANCES)
def test_values(one: float, other: float, abs_tol: float | None, rel_tol: float | None) -> None:
    """A float is what is written; without tolerance it is what it is."""
    close = Tolerance(abs_tol, rel_tol).close(one, other)
    if any(isinstance(value, float) and not math.isfinite(value) for value in (one, other)):
        assert close == (one == other)
    else:
        apart, wanted = abs(Fraction(repr(one)) - Fraction(repr(other))), abs(Fraction(repr(other)))
        assert close == (apart <= max(_exact(abs_tol), _exact(rel_tol) * wanted) or one == other)


@given(st.integers(1, 10**9) | st.integers(10**60, 10**80), st.sampled_from([-1, 0, 1]), st.booleans())
def test_values_to_the_last_digit_of_the_tolerance(wanted: int, step: int, negative: bool) -> None:
    """Also of integers that a float, or a few dozen digits, cannot tell apart."""
    sign = -1 if negative else 1
    tolerance = Tolerance(0.0, 0.1)
    for kind in (int, Decimal):
        assert tolerance.close(kind(sign * (11 * wanted + step)), kind(sign * 10 * wanted)) == (step <= 0)


def _equal(one: str, other: str, abs_tol: Fraction, rel_tol: Fraction) -> bool:
    given_number, wanted = _number(one), _number(other)
    if isinstance(given_number, Fraction) and isinstance(wanted, Fraction):
        return abs(given_number - wanted) <= max(abs_tol, rel_tol * abs(wanted))
    return given_number == wanted and given_number != "nan"


def _number(token: str) -> Fraction | str:
    """The value of a token; the same word for all infinities of a sign and all that are not numbers."""
    text = token.lower()
    if text.startswith(("nan", "-nan")):
        return "nan"
    if text.lstrip("+-") in ("inf", "infinity"):
        return "-infinity" if text.startswith("-") else "infinity"
    try:
        return Fraction(text) if set(text) <= set("0123456789+-.e") else token
    except ValueError:
        return token


def _exact(tolerance: float | None) -> Fraction:
    return Fraction(repr(1e-9 if tolerance is None else tolerance))


def _decimal(value: Fraction) -> bytes:
    """All digits of a number that has an end; exponents are at most 400, tolerances have at most 20 digits."""
    places = 1100
    digits = value * 10**places
    assert digits.denominator == 1
    return b"%de-%d" % (digits.numerator, places)


ATOMS = st.sampled_from(["a", "b", "1", "é", r"\.", ".", "[ab]", "[^a]", r"\d", r"\w", "[é1]", " "])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map("".join)
        | st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})")
        | st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{0,2}"])).map(
            lambda parts: f"({parts[0]}){parts[1]}"
        )
    ),
    max_leaves=6,
)


@given(PATTERNS, st.text("ab1é. \n", max_size=6))
def test_regex(pattern: str, text: str) -> None:
    model = re.fullmatch(pattern.rstrip("\r\n"), text.rstrip(), re.ASCII) is not None
    assert right("regex", text.encode(), pattern.encode()) == model
    assert right("regex", text.encode() + b" \r\n", pattern.encode() + b"\r\n") == model


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=8).map(str.rstrip))
def test_a_literal_pattern_matches_itself_alone(text: str) -> None:
    pattern = "".join(rf"\x{{{ord(character):x}}}" for character in text).encode()
    output = text.encode().rstrip()
    assert right("regex", output, pattern) == (output == text.encode())
    assert not right("regex", output + b"x", pattern)


@given(st.binary(max_size=20))
def test_any_bytes_are_a_pattern_or_the_tasks_fault(pattern: bytes) -> None:
    compare = Compare(mode="regex")
    try:
        check_expected(compare, pattern)
    except TaskError:
        return
    assert matches(compare, b"some text", pattern) in (None, "the output does not match the pattern")
