"""What the clients do, written once for both.

Each operation is a generator: it yields a `Request` and is sent what came of it (`Response` or `Lost`), or yields a
number of seconds to pause. The sync and the async client differ in how they drive these and in nothing else.
"""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from sandbox_service.client import _wire
from sandbox_service.client._wire import Lost, Request, Response
from sandbox_service.client.errors import RequestProblem, SandboxError, Unavailable, UnexpectedAnswer

if TYPE_CHECKING:
    from sandbox_service.contract.result import Result

T = TypeVar("T")
Steps = Generator[Request | float, Response | Lost | None, T]

POLL_SECONDS = 60.0  # the longest that the service holds one request open
BUSY = (429, 502, 503, 504)
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.1, 5.0
STREAM_SILENCE_SECONDS = 35.0  # the service sends a blank line every 10


class Patience:
    """How long a service that cannot be reached, or is too busy, is asked again. Seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.restore()

    def restore(self) -> None:
        """Begin anew: there was a sign of life."""
        self._end, self._pause = time.monotonic() + self._seconds, FIRST_PAUSE_SECONDS

    def pause(self, answer: Response | Lost | None) -> float:
        """The seconds to wait before asking again; what `Retry-After` says, where it is given.

        Raises:
            Unavailable: patience is at its end.
        """
        asked = answer.headers.get("retry-after", "") if isinstance(answer, Response) else ""
        pause, self._pause = self._pause, min(self._pause * 2, LONGEST_PAUSE_SECONDS)
        if asked.isdigit():
            pause = float(asked)
        if time.monotonic() + pause > self._end:
            raise Unavailable(_why(answer))
        return pause


def _why(answer: Response | Lost | None) -> str:
    if isinstance(answer, Response) and answer.status in BUSY:
        return f"the service is too busy or not ready (HTTP {answer.status}): {_wire.excerpt(answer.body)}"
    if isinstance(answer, Lost):
        return answer.why
    return "the service ended its answer too early"


def busy(answer: Response | Lost | None) -> bool:
    """Whether to ask again."""
    return not isinstance(answer, Response) or answer.status in BUSY


def exchange(request: Request, patience_seconds: float) -> Steps[Response]:
    """Send a request until it is answered.

    Raises:
        SandboxError: one of those that `errors` lists.
    """
    patience = Patience(patience_seconds)
    while True:
        answer = yield request
        if isinstance(answer, Response) and not busy(answer):
            return _wire.check(answer)
        yield patience.pause(answer)


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
    return (yield from result(_id(body), None, patience))


def submit(submission: Any, patience: float) -> Steps[str]:
    """Submit; the id of the submission."""
    response = yield from exchange(post("/v1/submissions", _wire.encode(submission)), patience)
    return _id(_wire.decode(response.body))


def result(id: str, wait: float | None, patience: float) -> Steps[Result]:
    """The result after at most `wait` seconds (`None`: when it has ended)."""
    end = None if wait is None else time.monotonic() + wait
    while True:
        left = POLL_SECONDS if end is None else min(max(end - time.monotonic(), 0.0), POLL_SECONDS)
        request = Request(
            "GET", f"/v1/submissions/{_segment(id)}", {"wait": round(left, 3)}, silence_seconds=left + 30.0
        )
        response = yield from exchange(request, patience)
        found = _wire.result(_wire.decode(response.body))
        if found.state.ended or (end is not None and time.monotonic() >= end):
            return found


def cancel(id: str, patience: float) -> Steps[None]:
    """End a submission as cancelled, unless it has ended."""
    yield from exchange(Request("DELETE", f"/v1/submissions/{_segment(id)}"), patience)


def languages(patience: float) -> Steps[list[dict[str, Any]]]:
    """What the installation can run."""
    response = yield from exchange(Request("GET", "/v1/languages"), patience)
    found = _wire.decode(response.body).get("languages")
    if not isinstance(found, list):
        raise UnexpectedAnswer("the answer lists no languages")
    return found


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
    lost: SandboxError | None

    def take(index: int, found: Result) -> None:
        if index in missing:  # a line may come twice where a connection was lost
            missing.remove(index)
            ended(first + index, found)

    try:
        response = yield from exchange(post("/v1/batches", b"\n".join(lines), lines=True), patience)
    except RequestProblem as error:
        raise _moved(error, first) from None
    except SandboxError as error:
        lost = error
    else:
        lost = yield from _read(response, missing, take, patience)
    for index in sorted(missing):
        take(index, _wire.failed(str(lost)))


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
        path = f"/v1/batches/{_segment(_id(_wire.decode(created.body)))}/results"
        while missing:
            answer = yield Request("GET", path, dict(cursor), silence_seconds=STREAM_SILENCE_SECONDS, on_line=on_line)
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


def _id(body: Mapping[str, Any]) -> str:
    id = body.get("id")
    if not isinstance(id, str):
        raise UnexpectedAnswer("the answer has no id")
    return id


def _segment(id: str) -> str:
    """An id as part of a path; one with other characters cannot be ours, and must not name another route."""
    return id if re.fullmatch(r"[A-Za-z0-9_-]{1,100}", id) else "unknown"


def _moved(error: RequestProblem, first: int) -> RequestProblem:
    """The problem with the place among all submissions instead of the one in its batch."""
    field = re.sub(
        r"^submissions\.(\d+)", lambda found: f"submissions.{int(found[1]) + first}", error.problem.field or ""
    )
    return type(error)(error.problem.model_copy(update={"field": field or None}))
