"""Asks again while the service cannot be reached, for as long as the client has patience, or is full."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import TypeVar

from sandbox_service.client import _wire
from sandbox_service.client._wire import Lost, Request, Response
from sandbox_service.client.errors import Unavailable

T = TypeVar("T")
Steps = Generator[Request | float, Response | Lost | None, T]
"""An operation: yields a request and is sent what came of it, or yields a number of seconds to pause."""

FULL = 429
BUSY = (408, FULL, 502, 503, 504)
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.1, 5.0
LONGEST_TOLD_SECONDS = 60.0  # the longest that a service of ours asks for when it is full


class Patience:
    """How long a service that cannot be reached is asked again. Seconds.

    One that is full is alive: waiting until it has room uses no patience up.
    """

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
        now = time.monotonic()
        longest = self._end - now
        if isinstance(answer, Response) and answer.status == FULL:
            self._end, longest = now + self._seconds, max(self._seconds, LONGEST_TOLD_SECONDS)
        if pause > longest:
            raise Unavailable(_why(answer))
        return pause


def _why(answer: Response | Lost | None) -> str:
    if isinstance(answer, Response) and answer.status in BUSY:
        return f"the service is full or not ready (HTTP {answer.status}): {_wire.excerpt(answer.body)}"
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
