"""Sends the submissions through the SDK as trainers would, no faster than the kills come."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Sequence

from sandbox_service import Client, Result
from sandbox_service.client import SandboxError
from tests.known import Known

LANES, SINGLES_EACH = 4, 8
MOST_AT_ONCE = 50


class Load:
    """Sends all; most of them as batches, some one by one.

    Args:
        client: shared by all lanes.
        programs: what to send.
        may_send: waits until the submission with this number may be sent.
    """

    def __init__(self, client: Client, programs: Sequence[Known], may_send: Callable[[int], None]) -> None:
        self._client, self._programs, self._may_send = client, programs, may_send
        self.results: dict[int, Result] = {}
        self.problems: list[str] = []
        self._waiting: queue.SimpleQueue[range] = queue.SimpleQueue()
        self.at_once = at_once(len(programs))
        for first in range(0, len(programs), self.at_once):
            self._waiting.put(range(first, min(first + self.at_once, len(programs))))

    def run(self) -> None:
        lanes = [threading.Thread(target=self._lane) for _ in range(LANES)]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()

    def _lane(self) -> None:
        while True:
            try:
                numbers = self._waiting.get_nowait()
            except queue.Empty:
                return
            self._may_send(numbers.start)
            try:
                self.results.update(zip(numbers, self._send(numbers), strict=True))
            except SandboxError as error:
                self.problems.append(f"submissions {numbers.start} to {numbers.stop}: {error!r}")
                print(self.problems[-1], file=sys.stderr, flush=True)

    def _send(self, numbers: range) -> list[Result]:
        submissions = [self._programs[number].submission for number in numbers]
        if numbers.start // self.at_once % SINGLES_EACH:
            return self._client.score(submissions)
        ids = [self._client.submit(submission) for submission in submissions]
        return [self._client.result(id) for id in ids]


def at_once(submissions: int) -> int:
    """How many are sent together."""
    return max(1, min(MOST_AT_ONCE, submissions // 15))
