"""Answers: what is found in a response, and what is right."""

from __future__ import annotations

import time
from typing import Any

import pytest

from sandbox_service.contract.answer import AnswerTask
from sandbox_service.judge import TaskError
from sandbox_service.judge.answer import NO_ANSWER, answer_of, check_task, judge
from sandbox_service.judge.mathematics import _PROGRAM


def task(response: str, expected: Any, mode: str = "exact", **more: Any) -> AnswerTask:
    return AnswerTask.model_validate(
        {"type": "answer", "response": response, "expected": expected, "mode": mode} | more
    )


def right(asked: AnswerTask) -> bool:
    finding = judge(asked, answer_of(asked))
    assert finding is not None
    return finding.verdict == "accepted"


@pytest.mark.parametrize(
    ("extract", "response", "answer"),
    [
        (None, " all of it ", " all of it "),
        ("boxed", r"\boxed{1} and then \boxed{\frac{1}{2}}", r"\frac{1}{2}"),
        ("boxed", r"\boxed{\{1, 2\}}", r"\{1, 2\}"),
        ("boxed", r"\fbox{7}", "7"),
        ("boxed", r"\boxed{never closed", None),
        ("boxed", "7", None),
        ("tagged", "<answer>1</answer> no: <answer>2</answer>", "2"),
        ("tagged", "<answer>1", None),
        ("tagged", "</answer><answer>", None),
        ("fenced", "```json\n{}\n```\n", "{}\n"),
        ("fenced", "{}", None),
    ],
)
def test_what_is_found(extract: str | None, response: str, answer: str | None) -> None:
    assert answer_of(task(response, "x", extract=extract)) == answer


@pytest.mark.parametrize(
    ("mode", "response", "expected", "more", "wanted"),
    [
        ("exact", " Paris\n", "Paris", {}, True),
        ("exact", "paris", "Paris", {}, False),
        ("exact", "It is Paris", "Paris", {}, False),
        ("numeric", "It is $1,234.50.", 1234.5, {}, True),
        ("numeric", "12 apples, so 42", 42, {}, True),
        ("numeric", "42 or 43", 42, {}, False),
        ("numeric", "3/4", 0.75, {}, True),
        ("numeric", "0.75", "3/4", {}, True),
        ("numeric", "1/0", 1, {}, False),
        ("numeric", "-3", 3, {}, False),
        ("numeric", "6.02e23", 6.02e23, {}, True),
        ("numeric", "3.14", 3.14159, {}, False),
        ("numeric", "3.14", 3.14159, {"abs_tol": 0.01}, True),
        ("numeric", "none", 3, {}, False),
        ("numeric", "9" * 500, 3, {}, False),
        ("choice", "B", "B", {}, True),
        ("choice", "**(b)**.", "B", {}, True),
        ("choice", "B) Paris", "B", {}, True),
        ("choice", "I think the answer is C.", "C", {}, True),
        ("choice", "A or B or C", "C", {}, False),
        ("choice", "Not C", "C", {}, False),
        ("regex", "abc\n", "a.c", {}, True),
        ("regex", "xabc", "a.c", {}, False),
        ("json_schema", '{"a": [1, 2]}', {"properties": {"a": {"items": {"type": "integer"}}}}, {}, True),
        ("json_schema", '{"a": ["x"]}', {"properties": {"a": {"items": {"type": "integer"}}}}, {}, False),
        ("json_schema", '[1, "x"]', {"prefixItems": [{"type": "integer"}, {"type": "integer"}]}, {}, False),
        ("json_schema", "{", {}, {}, False),
        ("json_schema", "NaN", {}, {}, False),
        ("json_schema", "[" * 100_000, {}, {}, False),
    ],
)
def test_what_is_right(mode: str, response: str, expected: Any, more: dict[str, Any], wanted: bool) -> None:
    asked = task(response, expected, mode, **more)
    check_task(asked)
    assert right(asked) == wanted


def test_nothing_found_is_said() -> None:
    finding = judge(task("7", "7", extract="boxed"), None)
    assert finding
    assert (finding.verdict, finding.message) == ("wrong_answer", NO_ANSWER)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("regex", "("),
        ("numeric", "many"),
        ("json_schema", {"type": "nonsense"}),
        ("json_schema", {"$ref": "http://127.0.0.1:9/schema.json"}),
        ("json_schema", {"$ref": "file:///etc/hostname"}),
    ],
)
def test_a_broken_task_is_found_before_anything_is_judged(mode: str, expected: Any) -> None:
    with pytest.raises(TaskError):
        check_task(task("1", expected, mode))


@pytest.mark.parametrize(
    ("mode", "expected", "response"),
    [
        ("numeric", 1, "1," * 400_000),
        ("numeric", 1, "1" * 1_000_000),
        ("numeric", 1, "1e" * 400_000),
        ("choice", "A", "answer is " * 80_000),
        ("exact", "A", "\\boxed{" * 100_000),
        ("regex", "(a*)*b", "a" * 1_000_000),
        ("json_schema", {"pattern": "^(a+)+$"}, '"' + "a" * 500_000 + '!"'),
    ],
)
def test_no_response_takes_long(mode: str, expected: Any, response: str) -> None:
    began = time.process_time()
    asked = task(response, expected, mode, **({"extract": "boxed"} if mode == "exact" else {}))
    assert not right(asked) or mode == "numeric"
    assert time.process_time() - began < 20  # quadratic would be hours


@pytest.mark.parametrize(
    "text", ["__import__('os')", "x.__class__", "a.b()", '"x"', "exec(1)", "lambda: 1", "f'{x}'", "(1).real", "x ; y"]
)
def test_what_is_a_program_is_no_formula(text: str) -> None:
    assert _PROGRAM.search(text)


@pytest.mark.parametrize("text", [r"\frac{1}{2}", "x_1 + x_2", "1.5", r"\sqrt{2}.", "3.0 x", r"(1, 2] \cup [3, 4.5)"])
def test_formulas_are(text: str) -> None:
    assert not _PROGRAM.search(text)
