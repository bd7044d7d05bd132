"""Excerpts around the first difference: the right place, never much, always printable."""

from __future__ import annotations

import doctest
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sandbox_service.contract.task import Compare
from sandbox_service.judge import difference as module
from sandbox_service.judge import matches
from sandbox_service.judge.difference import MAX_EXCERPT, difference

MIB = 1 << 20
LINE_MODES = ("exact", "lines", "tokens", "float", "unordered_lines")

# mode and tolerances, output, expected, excerpts of both
CASES: list[tuple[dict[str, Any], bytes, bytes, str, str]] = [
    ({"mode": "exact"}, b"42", b"42\n", "line 1: 42[end]", "line 1: 42\\n"),
    ({"mode": "exact"}, b"42\r\n", b"42\n", "line 1: 42\\r", "line 1: 42\\n"),
    ({"mode": "exact"}, b"a\n\nb", b"a\nb", "line 2: \\n", "line 2: b"),
    ({"mode": "lines"}, b"a\nb \r\n\n", b"a\nb\nc", "line 2: b[end]", "line 3: c"),
    ({"mode": "lines"}, b"a\nb\nc", b"a\nb", "line 3: c", "line 2: b[end]"),
    ({"mode": "lines"}, b"a \r\n b", b"a\nb", "line 2:  b", "line 2: b"),
    ({"mode": "tokens"}, b"", b"1", "line 1: [end]", "line 1: 1"),
    ({"mode": "tokens"}, b"1 2\n", b"1\n2 3", "line 1: 1 2[end]", "line 2: ...3"),
    ({"mode": "tokens"}, b"\n\n1 2 3\n5", b"1 2 3 4", "line 4: 5", "line 1: ...4"),
    ({"mode": "float"}, b"1.0 2.1 3", b"1\n2.2", "line 1: ...2.1 3", "line 2: 2.2"),
    ({"mode": "float", "abs_tol": 0.2}, b"1.1 2", b"1\n3", "line 1: ...2", "line 2: 3"),
    ({"mode": "unordered_lines"}, b"b\na\nz\n", b"a\n\nc\nb", "line 3: z", "line 3: c"),
    ({"mode": "unordered_lines"}, b"b\nb\na", b"a\nb", "line 2: b", "line 2: b[end]"),
    ({"mode": "contains"}, b"one\ntwo", b"three", "line 1: one", "line 1: three"),
    ({"mode": "regex"}, b"\xff\x00\x1b[31m", rb"\d+", "line 1: \\xff\\x00\\x1b[31m", "line 1: \\d+"),
]


@pytest.mark.parametrize(("options", "output", "expected", "given_part", "wanted_part"), CASES)
def test_known_differences(
    options: dict[str, Any], output: bytes, expected: bytes, given_part: str, wanted_part: str
) -> None:
    assert difference(Compare(**options), output, expected) == (given_part, wanted_part)


@given(st.binary(), st.binary(), st.sampled_from([*LINE_MODES, "contains", "regex"]))
def test_any_bytes_are_shown_short_and_printable(output: bytes, expected: bytes, mode: str) -> None:
    for excerpt in difference(Compare.model_validate({"mode": mode}), output, expected):
        assert len(excerpt) <= MAX_EXCERPT
        assert excerpt.isprintable()
        assert excerpt.startswith("line ")


@given(st.lists(st.sampled_from([b"1", b"2", b"1 2", b"", b" "]), max_size=6), st.data())
def test_what_is_shown_differs(lines: list[bytes], data: st.DataObject) -> None:
    output = b"\n".join(lines)
    expected = b"\n".join(data.draw(st.lists(st.sampled_from([b"1", b"2", b"1 2", b"3", b""]), max_size=6)))
    mode = data.draw(st.sampled_from(["exact", "lines", "tokens"]))
    compare = Compare.model_validate({"mode": mode})
    assume(matches(compare, output, expected) is not None)
    one, other = (excerpt.split(": ", 1)[1] for excerpt in difference(compare, output, expected))
    assert one != other


@pytest.mark.parametrize("mode", LINE_MODES)
@pytest.mark.parametrize(
    "part",
    [b"x", b"1 ", b"\n", b" \n", b"7\n", b"\0", "é".encode()],
    ids=["x", "token", "blank", "space", "line", "nul", "é"],
)
def test_a_difference_behind_megabytes_is_found_in_linear_time(mode: str, part: bytes) -> None:
    """No clock: were it quadratic, this would take hours."""
    same = part * (MIB // len(part))
    one, other = difference(Compare.model_validate({"mode": mode}), same + b"left", same + b"right")
    if mode != "unordered_lines" or b"\n" in part:  # there a line is shown from its beginning
        assert "left" in one
        assert "right" in other


def test_the_examples_of_the_documentation_hold() -> None:
    outcome = doctest.testmod(module)
    assert outcome.attempted > 0
    assert outcome.failed == 0
