"""What the clients do, written once for both.

Each operation is a generator: it yields a `Request` and is sent what came of it (`Response` or `Lost`), or yields a
number of seconds to pause. The sync and the async client differ in how they drive these and in nothing else.
"""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sandbox_service.client import _wire
from sandbox_service.client._retry import FIRST_PAUSE_SECONDS, Steps, exchange
from sandbox_service.client._wire import Request
from sandbox_service.client.errors import UnexpectedAnswer

if TYPE_CHECKING:
    from sandbox_service.contract.result import Result

POLL_SECONDS = 60.0  # the longest that the service holds one request open


def post(path: str, content: bytes, *, lines: bool = False, wait: float = 0.0) -> Request:
    """A request that is safe to send again: the service knows it by its key and takes it in once."""
    kind = "application/jsonl" if lines else "application/json"
    return Request(
        "POST",
        path,
        params={"wait": wait} if wait else {},
        content=content,
        headers={"Content-Type": kind, "Idempotency-Key": uuid.uuid4().hex},
        silence_seconds=wait + 60.0,
    )


def run(submission: Any, patience: float) -> Steps[Result]:
    """Submit, and wait until it has ended."""
    response = yield from exchange(post("/v1/submissions", _wire.encode(submission), wait=POLL_SECONDS), patience)
    body = _wire.decode(response.body)
    if response.status == 200:
        return _wire.result(body)
    return (yield from result(identifier(body), None, patience))


def submit(submission: Any, patience: float) -> Steps[str]:
    """Submit; the id of the submission."""
    response = yield from exchange(post("/v1/submissions", _wire.encode(submission)), patience)
    return identifier(_wire.decode(response.body))


def result(id: str, wait: float | None, patience: float) -> Steps[Result]:
    """The result after at most `wait` seconds (`None`: when it has ended)."""
    end = None if wait is None else time.monotonic() + wait
    while True:
        left = POLL_SECONDS if end is None else min(max(end - time.monotonic(), 0.0), POLL_SECONDS)
        request = Request(
            "GET", f"/v1/submissions/{segment(id)}", {"wait": round(left, 3)}, silence_seconds=left + 30.0
        )
        response = yield from exchange(request, patience)
        found = _wire.result(_wire.decode(response.body))
        if found.state.ended or (end is not None and time.monotonic() >= end):
            return found
        yield FIRST_PAUSE_SECONDS  # a service that is about to end answers at once


def cancel(id: str, patience: float) -> Steps[None]:
    """End a submission as cancelled, unless it has ended."""
    yield from exchange(Request("DELETE", f"/v1/submissions/{segment(id)}"), patience)


def languages(patience: float) -> Steps[list[dict[str, Any]]]:
    """What the installation can run."""
    response = yield from exchange(Request("GET", "/v1/languages"), patience)
    found = _wire.decode(response.body).get("languages")
    if not isinstance(found, list):
        raise UnexpectedAnswer("the answer lists no languages")
    return found


def identifier(body: Mapping[str, Any]) -> str:
    """The id in an answer.

    Raises:
        UnexpectedAnswer: there is none.
    """
    id = body.get("id")
    if not isinstance(id, str):
        raise UnexpectedAnswer("the answer has no id")
    return id


def segment(id: str) -> str:
    """An id as part of a path; one with other characters cannot be ours, and must not name another route."""
    return id if re.fullmatch(r"[A-Za-z0-9_-]{1,100}", id) else "unknown"
