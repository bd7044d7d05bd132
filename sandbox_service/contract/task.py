"""Tasks: what is asked of a program and how its output is compared."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from sandbox_service.contract.base import Bytes, Model, not_offered

MAX_CASES = 10_000
MAX_ARGUMENT_BYTES = 131_071  # Linux's limit for one argument, less its NUL
MAX_ARGUMENTS, MAX_ARGUMENTS_BYTES = 1_000, 1 << 20
LATER_TASKS = ("function", "assertions", "repo", "interactive", "answer")
LATER_MODES = ("equal", "checker")


def _arguments(values: list[bytes]) -> list[bytes]:
    if sum(map(len, values)) > MAX_ARGUMENTS_BYTES:
        raise PydanticCustomError("argument", "arguments are at most {most} bytes", {"most": MAX_ARGUMENTS_BYTES})
    return [_argument(value) for value in values]


def _argument(value: bytes) -> bytes:
    if b"\0" in value:
        raise PydanticCustomError("argument", "an argument cannot hold a NUL byte")
    if len(value) > MAX_ARGUMENT_BYTES:
        raise PydanticCustomError("argument", "an argument is at most {most} bytes", {"most": MAX_ARGUMENT_BYTES})
    return value


class Case(Model):
    """One test case of a `stdio` task. `expected` never enters a sandbox."""

    id: Annotated[str, Field(min_length=1, max_length=256)] | None = None
    stdin: Bytes = b""
    args: Annotated[list[Bytes], Field(max_length=MAX_ARGUMENTS)] = []
    expected: Bytes
    weight: Annotated[float, Field(ge=0, le=1e9)] = 1.0
    group: Annotated[str, Field(max_length=256)] | None = None

    @field_validator("args")
    @classmethod
    def _check_args(cls, value: list[bytes]) -> list[bytes]:
        return _arguments(value)


Mode = Literal["exact", "lines", "tokens", "float", "unordered_lines", "contains", "regex"]


def _offered_mode(value: Any) -> Any:
    if value in LATER_MODES:
        raise not_offered(f"compare mode {value}")
    return value


class Compare(Model):
    """How an output is compared with the expected one.

    `abs_tol` and `rel_tol` belong to `float`: two numbers are equal if they differ by at most
    `abs_tol`, or by at most `rel_tol` of the expected one. Both default to 1e-9.
    """

    mode: Annotated[Mode, BeforeValidator(_offered_mode)] = "tokens"
    abs_tol: Annotated[float, Field(ge=0, le=1e300)] | None = None
    rel_tol: Annotated[float, Field(ge=0, le=1e300)] | None = None

    @model_validator(mode="after")
    def _tolerances_belong_to_float(self) -> Compare:
        if self.mode != "float" and (self.abs_tol is not None or self.rel_tol is not None):
            raise PydanticCustomError(
                "tolerance", "abs_tol and rel_tol belong to mode float, not {mode}", {"mode": self.mode}
            )
        return self


class RunTask(Model):
    """Just run the program once; exit code 0 is `accepted`."""

    type: Literal["run"] = "run"
    stdin: Bytes = b""
    args: Annotated[list[Bytes], Field(max_length=MAX_ARGUMENTS)] = []

    @field_validator("args")
    @classmethod
    def _check_args(cls, value: list[bytes]) -> list[bytes]:
        return _arguments(value)


class StdioTask(Model):
    """Run the program once a case and compare what it prints."""

    type: Literal["stdio"]
    cases: Annotated[list[Case], Field(min_length=1, max_length=MAX_CASES)]
    compare: Compare = Compare()

    @model_validator(mode="after")
    def _ids_are_unique(self) -> StdioTask:
        seen: set[str] = set()
        for name in self.case_ids():
            if name in seen:
                raise PydanticCustomError("case_id", "case id {id} stands twice", {"id": repr(name)})
            seen.add(name)
        return self

    def case_ids(self) -> list[str]:
        """The ids of the cases in order; a case without one is known by its position."""
        return [str(number) if case.id is None else case.id for number, case in enumerate(self.cases)]


def _offered_task(value: Any) -> Any:
    if isinstance(value, dict) and value.get("type") in LATER_TASKS:
        raise not_offered(f"task type {value['type']}")
    return value


Task = Annotated[Annotated[RunTask | StdioTask, Field(discriminator="type")], BeforeValidator(_offered_task)]
