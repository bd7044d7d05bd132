"""Batches: sent as one request, their results read as they come."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sandbox_service.client import _wire
from sandbox_service.client._core import identifier, post, segment
from sandbox_service.client._retry import Patience, Steps, busy, exchange
from sandbox_service.client._wire import Request, Response
from sandbox_service.client.errors import NotFound, RequestProblem, SandboxError, UnexpectedAnswer

if TYPE_CHECKING:
    from sandbox_service.contract.result import Result

MOST_TIMES_SENT = 3
SILENCE_SECONDS = 35.0  # the service sends a blank line every 10


def batch(first: int, lines: list[bytes], ended: Callable[[int, Result], None], patience: float) -> Steps[None]:
    """Send one batch and hand over each result as it comes, those that we failed included.

    Args:
        first: the place of the batch's first submission among all.
        lines: the encoded submissions.
        ended: called once for each, with its place among all.
        patience: seconds.

    Raises:
        RequestProblem: a submission is wrong; nothing of this batch was queued.
    """
    missing = set(range(len(lines)))
    lost: SandboxError | None = None

    def take(index: int, found: Result) -> None:
        if index in missing:  # a line may come twice where a connection was lost
            missing.remove(index)
            ended(first + index, found)

    request = post("/v1/batches", b"\n".join(lines), lines=True)
    for _ in range(MOST_TIMES_SENT):
        try:
            response = yield from exchange(request, patience)
        except RequestProblem as error:
            raise _moved(error, first) from None
        except SandboxError as error:
            lost = error
        else:
            lost = yield from _read(response, missing, take, patience)
        if not _forgotten(lost):
            break
    for index in sorted(missing):
        take(index, _wire.failed(str(lost)))


def _forgotten(lost: SandboxError | None) -> bool:
    """Whether the service knows nothing of a batch that it had taken in: its queue came back without its last data."""
    return isinstance(lost, NotFound) and lost.problem.code == "not_found"


def _read(
    created: Response, missing: set[int], take: Callable[[int, Result], None], seconds: float
) -> Steps[SandboxError | None]:
    """Read a batch's results until none is missing; else the reason why they cannot be had."""
    cursor: dict[str, str] = {}
    patience = Patience(seconds)
    faults: list[UnexpectedAnswer] = []  # a bad line would come again: it ends the reading, after the good ones

    def on_line(line: bytes) -> None:
        patience.restore()
        if not line.strip():
            return
        try:
            body = _wire.decode(line)
            index, cursor["after"] = _place(body)
            take(index, _wire.result(body))
        except UnexpectedAnswer as error:
            faults.append(error)

    try:
        path = f"/v1/batches/{segment(identifier(_wire.decode(created.body)))}/results"
        while missing:
            answer = yield Request("GET", path, dict(cursor), silence_seconds=SILENCE_SECONDS, on_line=on_line)
            if isinstance(answer, Response) and not busy(answer):
                _wire.check(answer)
            if faults:
                raise faults[0]
            if missing:
                yield patience.pause(answer)
    except SandboxError as error:
        return error
    return None


def _place(body: Mapping[str, Any]) -> tuple[int, str]:
    index, cursor = body.get("index"), body.get("cursor")
    if not isinstance(index, int) or not isinstance(cursor, str):
        raise UnexpectedAnswer("a line of a batch's results has no index or no cursor")
    return index, cursor


def _moved(error: RequestProblem, first: int) -> RequestProblem:
    """The problem with the place among all submissions instead of the one in its batch."""
    field = re.sub(
        r"^submissions\.(\d+)", lambda found: f"submissions.{int(found[1]) + first}", error.problem.field or ""
    )
    return type(error)(error.problem.model_copy(update={"field": field or None}))
