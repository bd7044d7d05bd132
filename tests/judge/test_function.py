"""Judging what a function gave, by mode."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sandbox_service.contract.task import FunctionCase, FunctionTask, ValueCompare
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge import TaskError
from sandbox_service.judge.function import MAX_ANSWER_BYTES, call_source, check, check_cases, checker_files
from sandbox_service.judge.values import ValueFault


def verdict(line: str, expected: Any, **compare: Any) -> Verdict:
    return check(ValueCompare(**compare), FunctionCase(expected=expected), line.encode() + b"\n").verdict


def right(line: str, expected: Any, **compare: Any) -> bool:
    return verdict(line, expected, **compare) is Verdict.ACCEPTED


def test_the_program_can_be_an_argument() -> None:
    assert len(call_source().encode()) < 120 << 10
    assert "\0" not in call_source()


@pytest.mark.parametrize(
    ("line", "expected", "compare", "is_right"),
    [
        ("[1, 2]", [1, 2], {}, True),
        ("[1, 2.5]", [1, 2], {}, False),
        ("true", 1, {}, False),
        ('{"a":1}', {"a": 1}, {}, True),
        ("3", "3", {}, False),
        ("3.0000000001", 3, {"mode": "float"}, True),
        ("[3.0000000001]", [3], {"mode": "float"}, True),
        ('"x = 3.0000000001"', "x = 3", {"mode": "float"}, True),
        ('["3.0000000001"]', ["3"], {"mode": "float"}, False),
        ('"3.0"', 3, {"mode": "float"}, False),
        ("NaN", 3, {"mode": "float", "abs_tol": 1e300}, False),
        ('"a  b\\n"', "a b", {"mode": "tokens"}, True),
        ('"a  b\\n"', "a b", {"mode": "exact"}, False),
        ('"a\\n\\n"', "a", {"mode": "lines"}, True),
        ('"b\\na"', "a\nb", {"mode": "unordered_lines"}, True),
        ('"the answer: 42."', "42", {"mode": "contains"}, True),
        ('"\\ud800"', "\ud800", {"mode": "exact"}, True),
        ('{"b":1,"a":"\\u00e9"}', {"a": "é", "b": 1}, {"mode": "exact"}, True),
        ('[1, {"a":null}]', '"a":null', {"mode": "contains"}, True),
        ("[1, 2]", r"\[\d,\d\]", {"mode": "regex"}, True),
        ("12", r"\d+", {"mode": "regex"}, True),
        ("12", "12", {"mode": "tokens"}, True),  # as it would be printed
        ("null", "", {"mode": "exact"}, False),
        ("NaN", "NaN", {"mode": "exact"}, False),
        ('!{"o":"set"}', '{"o":"set"}', {"mode": "exact"}, False),
        ('!{"o":"set"}', "set", {"mode": "contains"}, False),
        ('!{"i":"' + "f" * 10_000 + '"}', r".*", {"mode": "regex"}, False),
    ],
)
def test_modes(line: str, expected: Any, compare: dict[str, Any], is_right: bool) -> None:
    assert right(line, expected, **compare) == is_right


def test_a_finding_shows_both_values_apart_from_the_message() -> None:
    finding = check(ValueCompare(), FunctionCase(expected=["right"]), b'["wrong"]\n')
    assert (finding.verdict, finding.actual, finding.expected) == (Verdict.WRONG_ANSWER, '["wrong"]', '["right"]')
    assert finding.message is not None
    assert "right" not in finding.message


@pytest.mark.parametrize(
    ("data", "verdict"),
    [
        (b"", Verdict.WRONG_ANSWER),
        (b"1", Verdict.WRONG_ANSWER),
        (b"!{}\n", Verdict.WRONG_ANSWER),
        (b'!{"l":"depth"}\n', Verdict.OUTPUT_LIMIT_EXCEEDED),
        (b"1" * (MAX_ANSWER_BYTES + 1), Verdict.OUTPUT_LIMIT_EXCEEDED),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_what_is_no_value(data: bytes, verdict: Verdict) -> None:
    for mode in ("equal", "float", "tokens", "regex"):
        finding = check(ValueCompare.model_validate({"mode": mode}), FunctionCase(expected="1"), data)
        assert finding.verdict is verdict
        assert finding.message


def test_a_checker_reads_json() -> None:
    case = FunctionCase(args=["\ud800", 1.5], kwargs={"b": [None]}, expected={"b": 1, "a": "é"})
    files = checker_files(case, b'{"z":1e3,"a":[true]}\n')
    assert [json.loads(file.decode("ascii")) for file in files] == [
        {"args": ["\ud800", 1.5], "kwargs": {"b": [None]}},
        {"z": 1000.0, "a": [True]},
        {"a": "é", "b": 1},
    ]


@pytest.mark.parametrize("data", [b"NaN\n", b'![{"o":"set"}]\n', b"", b"[" * 1000 + b"\n"])
def test_a_checker_never_reads_what_is_no_json(data: bytes) -> None:
    with pytest.raises(ValueFault):
        checker_files(FunctionCase(expected=1), data)


def test_a_broken_pattern_is_the_tasks_fault() -> None:
    task = FunctionTask(
        type="function",
        entry_point="f",
        cases=[FunctionCase(expected=".*"), FunctionCase(expected="(")],
        compare=ValueCompare(mode="regex"),
    )
    with pytest.raises(TaskError):
        check_cases(task)
    check_cases(task.model_copy(update={"compare": ValueCompare()}))
