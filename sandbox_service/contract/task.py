"""Tasks: what is asked of a program and how its output is compared."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, WithJsonSchema, field_validator
from pydantic_core import PydanticCustomError

from sandbox_service.contract.answer import AnswerTask
from sandbox_service.contract.base import Bytes, Model, not_offered
from sandbox_service.contract.case import (
    MAX_ARGUMENT_BYTES,
    MAX_ARGUMENTS,
    MAX_CASES,
    Case,
    FunctionCase,
    case_ids,
    check_arguments,
    check_ids,
)
from sandbox_service.contract.compare import Compare, Mode, ValueCompare
from sandbox_service.contract.value import too_deep

__all__ = [
    "MAX_ARGUMENT_BYTES",
    "MAX_CASES",
    "AnswerTask",
    "AssertionsTask",
    "Case",
    "Compare",
    "FunctionCase",
    "FunctionTask",
    "Mode",
    "RunTask",
    "StdioTask",
    "Task",
    "TaskType",
    "ValueCompare",
]

TaskType = Literal["run", "stdio", "function", "assertions", "answer"]
LATER_TASKS = ("repo", "interactive")
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
EntryPoint = Annotated[str, Field(pattern=rf"^{_NAME}(\.{_NAME}){{0,7}}$", max_length=256)]
"""A function's name, or a dotted path to it: `f`, `Class.method`. ASCII."""
RESULT_FROM = rf"^(return|args\[(0|[1-9][0-9]{{0,2}})\]|kwargs\[{_NAME}\])$"


class RunTask(Model):
    """Just run the program once; exit code 0 is `accepted`."""

    type: Literal["run"] = "run"
    stdin: Bytes = b""
    args: Annotated[list[Bytes], Field(max_length=MAX_ARGUMENTS)] = []

    @field_validator("args")
    @classmethod
    def _check_args(cls, value: list[bytes]) -> list[bytes]:
        return check_arguments(value)


class StdioTask(Model):
    """Run the program once a case and compare what it prints."""

    type: Literal["stdio"]
    cases: Annotated[list[Case], Field(min_length=1, max_length=MAX_CASES)]
    compare: Compare = Compare()

    @field_validator("cases")
    @classmethod
    def _check_cases(cls, value: list[Case]) -> list[Case]:
        check_ids(value)
        return value

    def case_ids(self) -> list[str]:
        """The ids of the cases in order; a case without one is known by its position."""
        return case_ids(self.cases)


def _check_signature(value: Any) -> Any:
    if not isinstance(value, (dict, str)) or too_deep(value):
        raise PydanticCustomError("signature", "must be text or an object, not too deeply nested")
    return value


Signature = Annotated[
    Any,
    AfterValidator(_check_signature),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": True}]}),
]


class FunctionTask(Model):
    """Call a function of the program once a case, each time in a fresh process, and compare what it gives.

    An entry point `Class.method` is called on an instance made without arguments, if it needs one. Asynchronous
    functions are run; a returned iterator is read to its end, at most 1,000,000 items. The value crosses as JSON: a
    tuple is a list, a key of a dictionary that is a number, a boolean or None becomes a string as in JSON; what is no
    JSON, such as a set, equals nothing. A value over 8 MiB, or more than 300 levels deep, is `output_limit_exceeded`.

    Parameters annotated with `ListNode` or `TreeNode`, or lists of those, get lists turned into linked lists and (level
    by level, null for no child) trees; such nodes come back as lists, and None where a node is annotated as an empty
    one. Those classes, and the usual names of typing, collections, heapq, math and the like, need no import.

    `result_from` says what the value is: what the function returned, or what became of an argument of this position
    or name. `signature` is for typed languages, none of which can do this task yet; it is kept as it is.
    """

    type: Literal["function"]
    entry_point: EntryPoint
    cases: Annotated[list[FunctionCase], Field(min_length=1, max_length=MAX_CASES)]
    compare: ValueCompare = ValueCompare()
    result_from: Annotated[str, Field(pattern=RESULT_FROM, max_length=256)] = "return"
    signature: Signature | None = None

    @field_validator("cases")
    @classmethod
    def _check_cases(cls, value: list[FunctionCase]) -> list[FunctionCase]:
        check_ids(value)
        return value

    @field_validator("result_from")
    @classmethod
    def _check_result_from(cls, value: str, info: ValidationInfo) -> str:
        kind, _, name = value.rstrip("]").partition("[")
        for number, case in enumerate(info.data.get("cases", ())):
            there = int(name) < len(case.args) if kind == "args" else kind == "return" or name in case.kwargs
            if not there:
                raise PydanticCustomError(
                    "result_from", "case {number} has no argument {name}", {"number": number, "name": value}
                )
        return value

    def case_ids(self) -> list[str]:
        """The ids of the cases in order; a case without one is known by its position."""
        return case_ids(self.cases)


def _not_empty(value: bytes) -> bytes:
    if not value:
        raise PydanticCustomError("empty", "must not be empty")
    return value


class AssertionsTask(Model):
    """Run a test text beside the program: every assertion, test method or doctest example of it is a case.

    `setup` is text that goes before; `entry_point` names the function that the text calls `candidate`, and that
    `check(candidate)` is called with if the text itself does not.
    """

    type: Literal["assertions"]
    code: Annotated[Bytes, AfterValidator(_not_empty)]
    setup: Bytes = b""
    entry_point: EntryPoint | None = None


def _offered_task(value: Any) -> Any:
    if isinstance(value, dict) and value.get("type") in LATER_TASKS:
        raise not_offered(f"task type {value['type']}")
    return value


Task = Annotated[
    Annotated[RunTask | StdioTask | FunctionTask | AssertionsTask | AnswerTask, Field(discriminator="type")],
    BeforeValidator(_offered_task),
]
