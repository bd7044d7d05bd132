"""Each compare mode against what it must take and what it must not."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox_service.contract.task import Compare
from sandbox_service.judge import TaskError, check_expected, matches

# mode and tolerances, output, expected, right?
CASES: list[tuple[dict[str, Any], bytes, bytes, bool]] = [
    ({"mode": "exact"}, b"42\n", b"42\n", True),
    ({"mode": "exact"}, b"42", b"42\n", False),
    ({"mode": "exact"}, b"42 \n", b"42\n", False),
    ({"mode": "exact"}, b"\xff\xfe", b"\xff\xfe", True),
    ({"mode": "exact"}, b"\xff", b"\xfe", False),
    ({"mode": "exact"}, b"", b"", True),
    ({"mode": "lines"}, b"a b \t\r\nc\r\n\n \n", b"a b\nc", True),
    ({"mode": "lines"}, b"a b\nc", b"a b\nc\n\n", True),
    ({"mode": "lines"}, b" a", b"a", False),
    ({"mode": "lines"}, b"a  b", b"a b", False),
    ({"mode": "lines"}, b"a\n\nb", b"a\nb", False),
    ({"mode": "lines"}, b"\na", b"a", False),
    ({"mode": "lines"}, b"a\rb", b"a\nb", False),
    ({"mode": "lines"}, b"a\nb", b"a", False),
    ({"mode": "lines"}, b"a", b"a\nb", False),
    ({"mode": "lines"}, b"a\0", b"a", False),
    ({"mode": "lines"}, b"\n \r\n", b"", True),
    ({"mode": "tokens"}, b"1\r\n2\t3\x0b4\x0c5", b" 1 2 3 4 5\n", True),
    ({"mode": "tokens"}, b"1\r2", b"1 2", True),
    ({"mode": "tokens"}, b"12", b"1 2", False),
    ({"mode": "tokens"}, b"1 2 3", b"1 2", False),
    ({"mode": "tokens"}, b"1", b"1 2", False),
    ({"mode": "tokens"}, b"", b"1", False),
    ({"mode": "tokens"}, b"1", b"", False),
    ({"mode": "tokens"}, b" \n", b"", True),
    ({"mode": "tokens"}, b"YES", b"yes", False),
    ({"mode": "tokens"}, b"1.0", b"1", False),
    ({"mode": "tokens"}, b"1\0", b"1", False),
    ({"mode": "tokens"}, b"1\x002", b"1 2", False),
    ({"mode": "tokens"}, b"1\xc2\xa02", b"1 2", False),
    ({"mode": "tokens"}, b"\xff\xfe \x80", b"\xff\xfe\n\x80", True),
    ({"mode": "tokens"}, b"\xff", b"\xef\xbf\xbd", False),
    ({"mode": "float"}, b"x = 3.0000000001 m", b"x = 3 m", True),
    ({"mode": "float"}, b"x = 3.00001 m", b"x = 3 m", False),
    ({"mode": "float"}, b"y = 3 m", b"x = 3 m", False),
    ({"mode": "float"}, b"1 2 3", b"1 2", False),
    ({"mode": "float"}, b"1", b"1 2", False),
    ({"mode": "float"}, b"3.", b"3", True),
    ({"mode": "float"}, b".3e1", b"+3.00", True),
    ({"mode": "float"}, b"30E-1", b"3", True),
    ({"mode": "float"}, b"-0.0", b"0", True),
    ({"mode": "float"}, b"-3", b"3", False),
    ({"mode": "float"}, b"1_000", b"1000", False),
    ({"mode": "float"}, b"0x10", b"16", False),
    ({"mode": "float"}, b"0x1p4", b"16", False),
    ({"mode": "float"}, b"\xd9\xa1", b"1", False),
    ({"mode": "float"}, b"1,5", b"1.5", False),
    ({"mode": "float"}, b"1e", b"1", False),
    ({"mode": "float"}, b"1e+", b"1", False),
    ({"mode": "float"}, b"1ee1", b"1", False),
    ({"mode": "float"}, b"1.2.3", b"1.2", False),
    ({"mode": "float"}, b"--1", b"1", False),
    ({"mode": "float"}, b".", b"0", False),
    ({"mode": "float"}, b"1\0", b"1", False),
    ({"mode": "float"}, b"nan", b"nan", False),
    ({"mode": "float"}, b"-NaN", b"-NaN", False),
    ({"mode": "float"}, b"nan(0x8)", b"nan(0x8)", False),
    ({"mode": "float"}, b"nan", b"1", False),
    ({"mode": "float"}, b"1", b"nan", False),
    ({"mode": "float"}, b"nan", b"inf", False),
    ({"mode": "float"}, b"nano", b"nano", True),
    ({"mode": "float"}, b"inf", b"Infinity", True),
    ({"mode": "float"}, b"+inf", b"INF", True),
    ({"mode": "float"}, b"-inf", b"inf", False),
    ({"mode": "float"}, b"inf", b"-infinity", False),
    ({"mode": "float"}, b"inf", b"1e999", False),
    ({"mode": "float"}, b"1e999", b"inf", False),
    ({"mode": "float"}, b"info", b"inf", False),
    ({"mode": "float"}, b"10e398", b"1e399", True),
    ({"mode": "float"}, b"2e399", b"1e399", False),
    ({"mode": "float"}, b"1e9999999", b"1e9999999", True),
    ({"mode": "float"}, b"1e9999999", b"10e9999998", False),
    ({"mode": "float", "abs_tol": 0.0, "rel_tol": 0.0}, b"9007199254740993", b"9007199254740992", False),
    ({"mode": "float", "abs_tol": 0.0, "rel_tol": 0.0}, b"9007199254740993.0", b"9007199254740993", True),
    ({"mode": "float", "abs_tol": 0.0, "rel_tol": 0.0}, b"1e-400", b"0", False),
    ({"mode": "float", "abs_tol": 0.0, "rel_tol": 0.0}, b"1" + b"0" * 100 + b"1", b"1" + b"0" * 101, False),
    ({"mode": "float", "abs_tol": 1e-6}, b"0.000001", b"0", True),
    ({"mode": "float", "abs_tol": 1e-6}, b"1.000001", b"1", True),
    ({"mode": "float", "abs_tol": 1e-6}, b"1.0000010021", b"1", False),
    ({"mode": "float", "rel_tol": 0.1, "abs_tol": 0.0}, b"110", b"100", True),
    ({"mode": "float", "rel_tol": 0.1, "abs_tol": 0.0}, b"-90", b"-100", True),
    ({"mode": "float", "rel_tol": 0.1, "abs_tol": 0.0}, b"110.01", b"100", False),
    ({"mode": "float", "rel_tol": 0.1, "abs_tol": 0.0}, b"0.001", b"0", False),
    ({"mode": "float", "rel_tol": 0.1}, b"0.0000000005", b"0", True),
    ({"mode": "unordered_lines"}, b"b \r\na\n", b"a\nb", True),
    ({"mode": "unordered_lines"}, b"b\n\na\n", b"a\n\nb\n", True),
    ({"mode": "unordered_lines"}, b"a\na\nb", b"a\nb\nb", False),
    ({"mode": "unordered_lines"}, b"a", b"a\na", False),
    ({"mode": "unordered_lines"}, b"a\na", b"a", False),
    ({"mode": "unordered_lines"}, b"a b", b"b a", False),
    ({"mode": "unordered_lines"}, b"", b"\n\n", True),
    ({"mode": "contains"}, b"the answer is 42.", b"is 42", True),
    ({"mode": "contains"}, b"42", b"42\n", False),
    ({"mode": "contains"}, b"4\x002", b"42", False),
    ({"mode": "contains"}, b"", b"42", False),
    ({"mode": "regex"}, b"id-123\n", rb"id-\d+", True),
    ({"mode": "regex"}, b"id-123 \r\n\n", b"id-[0-9]+\n", True),
    ({"mode": "regex"}, b"id-123 and more", rb"id-\d+", False),
    ({"mode": "regex"}, b" id-123", rb"id-\d+", False),
    ({"mode": "regex"}, b"id-123\nid-4", rb"id-\d+", False),
    ({"mode": "regex"}, b"id-123\nid-4", rb"(id-\d+\n?)+", True),
    ({"mode": "regex"}, b"b", b"a|b", True),
    ({"mode": "regex"}, b"ab", b"a|b", False),
    ({"mode": "regex"}, "é".encode(), b".", True),
    ({"mode": "regex"}, b"\xff", b".", False),
    ({"mode": "regex"}, b"\xff", rb"\C", True),
    ({"mode": "regex"}, b"a\0", b"a", False),
    ({"mode": "regex"}, b"\n", b"", True),
]


@pytest.mark.parametrize(("options", "output", "expected", "right"), CASES)
def test_matches(options: dict[str, Any], output: bytes, expected: bytes, right: bool) -> None:
    assert (matches(Compare(**options), output, expected) is None) is right


@pytest.mark.parametrize(
    "pattern", [b"(", b"a{1001}", rb"(a)\1", b"(?=a)", rb"\Z", b"\xff", b"(((a{100}){100}){10}){9}"]
)
def test_an_invalid_pattern_is_the_tasks_fault(pattern: bytes) -> None:
    compare = Compare(mode="regex")
    with pytest.raises(TaskError):
        check_expected(compare, pattern)
    with pytest.raises(TaskError):
        matches(compare, b"a", pattern)


def test_what_is_no_pattern_in_other_modes_is_fine() -> None:
    check_expected(Compare(), b"(")


def test_an_invalid_pattern_is_not_quoted() -> None:
    with pytest.raises(TaskError, match="missing \\)") as caught:
        check_expected(Compare(mode="regex"), b"(the secret answer")
    assert "secret" not in str(caught.value)
