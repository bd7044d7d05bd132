"""Answers: text of a model that is judged by itself, where no program is asked for."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from sandbox_service.contract.base import Bytes, Model
from sandbox_service.contract.compare import Tolerance
from sandbox_service.contract.value import Value

MAX_RESPONSE_BYTES = 1 << 20
_CHOICE = re.compile(r"[A-Za-z0-9]{1,8}\Z")


class AnswerTask(Model):
    """Judge a text. `language`, `code` and `files` of the submission are left out.

    `extract`: what of the response is the answer; null takes all of it. `boxed`: the inside of the last `\\boxed{...}`.
    `fenced`: the last fenced block. `tagged`: what stands in the last `<tag>...</tag>`. Nothing found is
    `wrong_answer` with the message `no_answer`.

    `mode`: `exact`: the same text, white space at its ends left aside. `numeric`: the last number of the answer, by
    value, within `abs_tol` or `rel_tol` (both 1e-9 where not given); thousands may be separated by commas, `$` and `%`
    are left aside, `3/4` is a number. `math`: mathematically the same (LaTeX or plain), found out by math-verify in a
    sandbox. `choice`: the same letter or number of a multiple choice. `json_schema`: JSON that `expected`, a schema,
    allows (drafts 4 to 2020-12; no references to other documents). `regex`: `expected` is an RE2 pattern that matches
    all of it.
    """

    type: Literal["answer"]
    response: Bytes
    expected: Value
    mode: Literal["exact", "numeric", "math", "choice", "json_schema", "regex"] = "exact"
    extract: Literal["boxed", "fenced", "tagged"] | None = None
    tag: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")] = "answer"
    abs_tol: Tolerance | None = None
    rel_tol: Tolerance | None = None

    @field_validator("response")
    @classmethod
    def _not_too_long(cls, value: bytes) -> bytes:
        if len(value) > MAX_RESPONSE_BYTES:
            raise PydanticCustomError("response", "is at most {most} bytes", {"most": MAX_RESPONSE_BYTES})
        return value

    @model_validator(mode="after")
    def _check(self) -> AnswerTask:
        if self.mode == "json_schema":
            if not isinstance(self.expected, (dict, bool)):
                raise PydanticCustomError("expected", "expected must be a schema: an object, true or false")
        elif isinstance(self.expected, bool) or not isinstance(self.expected, (str, int, float)):
            raise PydanticCustomError("expected", "expected must be text or a number")
        if self.mode == "choice" and not _CHOICE.match(str(self.expected)):
            raise PydanticCustomError("expected", "expected must be a letter or a number")
        if self.mode != "numeric" and (self.abs_tol is not None or self.rel_tol is not None):
            raise PydanticCustomError("tolerance", "belongs to mode numeric, not {mode}", {"mode": self.mode})
        return self


def expected_text(task: AnswerTask) -> str:
    """What is expected, as text."""
    value: Any = task.expected
    return value if isinstance(value, str) else repr(value)
