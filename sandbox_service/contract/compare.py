"""How what a program gave is compared with what it should have given."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from sandbox_service.contract.base import Bytes, Model

Mode = Literal["exact", "lines", "tokens", "float", "unordered_lines", "contains", "regex", "equal", "checker"]
Tolerance = Annotated[float, Field(ge=0, le=1e300)]
WITH_TOLERANCE = ("float", "equal")


class Compare(Model):
    """How an output is compared with the expected one.

    `equal` takes both for JSON documents: objects are compared by key, lists in order; a boolean is no number, 1 equals
    1.0, NaN equals nothing. The other modes compare texts.

    `abs_tol` and `rel_tol` belong to `float` and `equal`: two numbers are equal if they differ by at most `abs_tol`,
    or by at most `rel_tol` of the expected one. Both default to 1e-9 for `float`, to 0 for `equal`.

    `language` and `code` belong to `checker`: a program that reads the three files named by its arguments (input,
    output, expected output) and exits with 0 (right), 1 or 2 (wrong) or 7 (partly right, with points).
    """

    mode: Mode = "tokens"
    abs_tol: Tolerance | None = None
    rel_tol: Tolerance | None = None
    # Checked also where they are absent: a checker needs both.
    language: Annotated[str | None, Field(validate_default=True)] = None
    code: Annotated[Bytes | None, Field(validate_default=True)] = None

    @field_validator("abs_tol", "rel_tol")
    @classmethod
    def _belongs_to_numbers(cls, value: float | None, info: ValidationInfo) -> float | None:
        mode = info.data.get("mode", "float")
        if value is not None and mode not in WITH_TOLERANCE:
            raise PydanticCustomError("tolerance", "belongs to mode float or equal, not {mode}", {"mode": mode})
        return value

    @field_validator("language", "code")
    @classmethod
    def _belongs_to_checker(cls, value: Any, info: ValidationInfo) -> Any:
        mode = info.data.get("mode")
        if value is None and mode == "checker":
            raise PydanticCustomError("missing", "mode checker needs its language and code")
        if value is not None and mode not in ("checker", None):
            raise PydanticCustomError("checker", "belongs to mode checker, not {mode}", {"mode": mode})
        return value


class ValueCompare(Compare):
    """How a value that a function gave is compared with the expected one.

    `equal`, the default, and `float` compare JSON values, numbers inside containers too; two strings by themselves are
    compared by `float` as texts are. The other modes compare texts: a string as it is, any other value as its JSON
    text, compact, in ASCII, with sorted keys. A `checker` gets JSON texts in its files: `{"args": [...], "kwargs":
    {...}}`, the value, the expected value. For all else see `Compare`.
    """

    mode: Mode = "equal"
