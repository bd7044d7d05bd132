"""Requests to bytes, and answers to results or errors: the part of the SDK that knows the contract and no sockets.

The contract's models are imported where they are used: they cost more than the rest of the SDK's import together.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sandbox_service.client.errors import NotFound, RequestProblem, UnexpectedAnswer

if TYPE_CHECKING:
    from sandbox_service.contract.problem import Problem
    from sandbox_service.contract.result import Result


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request. `on_line` is given the lines of a good answer as they come, instead of a body at its end."""

    method: str
    path: str
    params: Mapping[str, str | float] = field(default_factory=dict)
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    silence_seconds: float = 30.0
    """How long the service may send nothing before the connection counts as lost."""
    on_line: Callable[[bytes], None] | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """What the service answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Lost:
    """No answer, or none that was whole: the connection failed."""

    why: str


class Lines:
    """Cuts a stream of bytes into lines; what follows the last newline is no line."""

    def __init__(self) -> None:
        self._open: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that this chunk completes."""
        first, *rest = chunk.split(b"\n")
        self._open.append(first)
        if not rest:
            return []
        line = b"".join(self._open)
        self._open = [rest.pop()]
        return [line, *rest]


def encode(value: Any) -> bytes:
    """A value of the contract as JSON: bytes and models become their wire form, lone surrogates survive."""
    return json.dumps(value, separators=(",", ":"), default=_plain).encode("ascii")


def _plain(value: Any) -> Any:
    from pydantic import BaseModel

    from sandbox_service.contract.base import from_bytes

    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_unset=True)
    if isinstance(value, (bytes, bytearray)):
        return from_bytes(bytes(value))
    if isinstance(value, Mapping):  # those of configuration libraries are no dicts, and their lists no lists
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, (str, memoryview)):
        return list(value)
    raise TypeError(f"{type(value).__name__} is no JSON value: give text, bytes, numbers, lists, dicts or a Submission")


def decode(body: bytes) -> dict[str, Any]:
    """The JSON object of an answer.

    Raises:
        UnexpectedAnswer: it is none.
    """
    try:
        value = json.loads(body)
    except ValueError as error:
        raise UnexpectedAnswer(f"the answer is not JSON ({error}): {excerpt(body)}") from None
    if not isinstance(value, dict):
        raise UnexpectedAnswer(f"the answer is no JSON object: {excerpt(body)}")
    return value


def result(body: dict[str, Any]) -> Result:
    """The result in an answer; fields that this version does not know are left out.

    Raises:
        UnexpectedAnswer: it is no result.
    """
    from pydantic import ValidationError

    from sandbox_service.contract.result import Result

    try:
        return Result.model_validate(body, extra="ignore")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise UnexpectedAnswer(f"the answer is no result: {where}: {first['msg']}") from None


def failed(message: str) -> Result:
    """The result of a submission of which nothing is known but that we failed it: no reward, and worth a retry."""
    from sandbox_service.contract.result import InfraError, Result
    from sandbox_service.contract.verdict import State

    error = InfraError(kind="no_result", message=message, retryable=True)
    return Result(id="", state=State.FAILED, infra_error=error)


def check(response: Response) -> Response:
    """Let a good answer pass.

    Raises:
        RequestProblem: 4xx or 501.
        UnexpectedAnswer: any other status that is no success.
    """
    if 200 <= response.status < 300:
        return response
    if 400 <= response.status < 500 or response.status == 501:
        raise (NotFound if response.status == 404 else RequestProblem)(_problem(response))
    raise UnexpectedAnswer(f"HTTP {response.status}: {excerpt(response.body)}")


def _problem(response: Response) -> Problem:
    from pydantic import ValidationError

    from sandbox_service.contract.problem import Problem

    try:
        return Problem.model_validate(json.loads(response.body), extra="ignore")
    except (ValidationError, ValueError):  # not our gateway's: a proxy's, say
        detail = excerpt(response.body) or "no explanation"
        return Problem(title="refused", status=response.status, detail=detail, code=f"http_{response.status}")


def excerpt(body: bytes) -> str:
    """The beginning of an answer, for messages."""
    return body[:200].decode("utf-8", "replace")
