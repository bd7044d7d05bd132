"""One reader of announcements a process, for any number that wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from sandbox_service.queue.connect import Client
from sandbox_service.queue.follow import News, follow, newest

GATHER_SECONDS, LONGEST_GATHER_SECONDS = 50e-6, 5e-3
"""For each submission that is waited for, and at most: the more there are, the less it is felt."""
BATCH, BATCH_GATHER_SECONDS = b"bat_", 20e-3


@dataclass(eq=False, slots=True)
class Watch:
    """Someone's wait for a submission or a batch.

    Attributes:
        event: set when something is announced of it, or may have been.
        result: the encoded result, where the announcement brought it.
    """

    event: asyncio.Event = field(default_factory=asyncio.Event)
    result: bytes | None = None


class Announcements:
    """Follows the announcements of what has ended and wakes those that wait for it.

    Args:
        redis: from `connect`.
        stream: the key of the announcements.
        on_item: called with the fields of each.
    """

    def __init__(self, redis: Client, stream: str, on_item: Callable[[dict[bytes, bytes]], None]) -> None:
        self._redis, self._stream, self._on_item = redis, stream, on_item
        self._waiting: dict[bytes, set[Watch]] = {}
        self._submissions = 0
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start reading; what is announced from here on is heard."""
        last = await newest(self._redis, self._stream)
        self._task = asyncio.create_task(self._read(last))

    async def stop(self) -> None:
        """Stop reading; who still waits goes on to the end of its time."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    @contextmanager
    def watch(self, id: str) -> Iterator[Watch]:
        """Hear what is announced of a submission or a batch.

        Watch first, then look, then wait: what ends after the look sets the event.
        """
        watch, name = Watch(), id.encode()
        self._waiting.setdefault(name, set()).add(watch)
        self._submissions += not name.startswith(BATCH)
        try:
            yield watch
        finally:
            self._submissions -= not name.startswith(BATCH)
            waiting = self._waiting[name]
            waiting.discard(watch)
            if not waiting:
                del self._waiting[name]

    async def _read(self, last: str) -> None:
        async for news in follow(self._redis, self._stream, last):
            self._spread(news)
            await asyncio.sleep(self._pause())

    def _pause(self) -> float:
        """So long news are gathered: each reading costs. Where batches alone are waited for nobody is in a hurry."""
        if self._waiting and self._submissions == 0:
            return BATCH_GATHER_SECONDS
        return min(GATHER_SECONDS * self._submissions, LONGEST_GATHER_SECONDS)

    def _spread(self, news: News) -> None:
        for item in news.items:
            self._on_item(item)
            self._wake(item[b"id"], item.get(b"result"))
            self._wake(item[b"batch"])
        if news.gap:
            for name in self._waiting:
                self._wake(name)

    def _wake(self, name: bytes, result: bytes | None = None) -> None:
        for watch in self._waiting.get(name, ()):
            watch.result = result
            watch.event.set()
