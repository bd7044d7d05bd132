"""Test cases: what a program is given and what it should give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from sandbox_service.contract.base import Bytes, Model
from sandbox_service.contract.value import NamedValues, Value, Values

MAX_CASES = 10_000
MAX_ARGUMENT_BYTES = 131_071  # Linux's limit for one argument, less its NUL
MAX_ARGUMENTS, MAX_ARGUMENTS_BYTES = 1_000, 1 << 20


def check_arguments(values: list[bytes]) -> list[bytes]:
    """Check the arguments of a command.

    Raises:
        PydanticCustomError: saying what is wrong with them.
    """
    if sum(map(len, values)) > MAX_ARGUMENTS_BYTES:
        raise PydanticCustomError("argument", "arguments are at most {most} bytes", {"most": MAX_ARGUMENTS_BYTES})
    return [_argument(value) for value in values]


def _argument(value: bytes) -> bytes:
    if b"\0" in value:
        raise PydanticCustomError("argument", "an argument cannot hold a NUL byte")
    if len(value) > MAX_ARGUMENT_BYTES:
        raise PydanticCustomError("argument", "an argument is at most {most} bytes", {"most": MAX_ARGUMENT_BYTES})
    return value


class AnyCase(Model):
    """What all cases have."""

    id: Annotated[str, Field(min_length=1, max_length=256)] | None = None
    weight: Annotated[float, Field(ge=0, le=1e9)] = 1.0
    group: Annotated[str, Field(max_length=256)] | None = None


class Case(AnyCase):
    """One test case of a `stdio` task. `expected` never enters a sandbox."""

    stdin: Bytes = b""
    args: Annotated[list[Bytes], Field(max_length=MAX_ARGUMENTS)] = []
    expected: Bytes

    @field_validator("args")
    @classmethod
    def _check_args(cls, value: list[bytes]) -> list[bytes]:
        return check_arguments(value)


class FunctionCase(AnyCase):
    """One call of a `function` task, with arguments of its own. `expected` never enters a sandbox."""

    args: Values = []
    kwargs: NamedValues = {}
    expected: Value


def case_ids(cases: Sequence[AnyCase]) -> list[str]:
    """The ids of cases in order; one without is known by its position."""
    return [str(number) if case.id is None else case.id for number, case in enumerate(cases)]


def check_ids(cases: Sequence[AnyCase]) -> None:
    """Check that no id stands twice.

    Raises:
        PydanticCustomError: naming the first that does.
    """
    seen: set[str] = set()
    for name in case_ids(cases):
        if name in seen:
            raise PydanticCustomError("case_id", "case id {id} stands twice", {"id": repr(name)})
        seen.add(name)
