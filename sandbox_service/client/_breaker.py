"""The circuit breaker: while the service cannot be reached one request looks for it, instead of all of them."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from typing import Literal

from sandbox_service.client._retry import Steps, T
from sandbox_service.client._wire import Lost, Request, Response

FAILURES = 5
"""So many requests in a row that did not reach the service open the circuit."""
PROBE_SECONDS = 1.0
# Answered at once, unlike most requests; and not while the gateway has no queue, which is no use to anyone.
PROBE = Request("GET", "/readyz", silence_seconds=5.0)
UNREACHED = (502, 503, 504)
UNDER_WAY = float("inf")

State = Literal["closed", "open", "half-open"]


class Breaker:
    """One for all operations of a client in a process, in whatever thread or event loop they run.

    - closed: requests are sent.
    - open: none is; whoever wants to send one is told the last failure instead, and waits as long as it has patience.
    - half-open: every `PROBE_SECONDS` one of those that wait asks whether the service is ready. Any answer of a
      service, also a refusal, closes the circuit.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._failures = 0
        self._last: Response | Lost = Lost("")
        self._next_probe = 0.0

    @property
    def state(self) -> State:
        """How it stands."""
        if self._failures < FAILURES:
            return "closed"
        return "half-open" if self._next_probe == UNDER_WAY else "open"

    def guard(self, steps: Steps[T]) -> Steps[T]:
        """The same operation, its requests sent only where the circuit lets them pass."""
        answer: Response | Lost | None = None
        with closing(steps):
            while True:
                try:
                    step = steps.send(answer)
                except StopIteration as end:
                    value: T = end.value
                    return value
                if isinstance(step, Request):
                    answer = yield from self._send(step)
                else:
                    answer = yield step

    def _send(self, request: Request) -> Steps[Response | Lost]:
        if self._may_probe():
            try:
                self._heard((yield PROBE))
            finally:  # also where it was broken off: somebody else may try then
                self._next_probe = time.monotonic() + PROBE_SECONDS
        if self.state != "closed":
            return self._last
        answer = yield request
        return self._heard(answer)

    def _may_probe(self) -> bool:
        with self._lock:
            if self.state == "closed" or time.monotonic() < self._next_probe:
                return False
            self._next_probe = UNDER_WAY
            return True

    def _heard(self, answer: Response | Lost | None) -> Response | Lost:
        answer = answer or Lost("no answer")
        with self._lock:
            if isinstance(answer, Response) and answer.status not in UNREACHED:
                self._failures = 0
            else:
                self._failures += 1
                self._last = answer
        return answer
