"""One reader of announcements a process, for any number that wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from sandbox_service.queue.connect import Client
from sandbox_service.queue.follow import News, follow, newest


class Announcements:
    """Follows the announcements of what has ended and wakes those that wait for it.

    Args:
        redis: from `connect`.
        stream: the key of the announcements.
        on_item: called with the fields of each.
    """

    def __init__(self, redis: Client, stream: str, on_item: Callable[[dict[bytes, bytes]], None]) -> None:
        self._redis, self._stream, self._on_item = redis, stream, on_item
        self._waiting: dict[bytes, set[asyncio.Event]] = {}
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
    def watch(self, id: str) -> Iterator[asyncio.Event]:
        """An event that is set when something is announced of a submission or a batch.

        Watch first, then look, then wait: what ends after the look sets the event.
        """
        event, name = asyncio.Event(), id.encode()
        self._waiting.setdefault(name, set()).add(event)
        try:
            yield event
        finally:
            waiting = self._waiting[name]
            waiting.discard(event)
            if not waiting:
                del self._waiting[name]

    async def _read(self, last: str) -> None:
        async for news in follow(self._redis, self._stream, last):
            self._spread(news)

    def _spread(self, news: News) -> None:
        for item in news.items:
            self._on_item(item)
            self._wake(item[b"id"])
            self._wake(item[b"batch"])
        if news.gap:
            for name in self._waiting:
                self._wake(name)

    def _wake(self, name: bytes) -> None:
        for event in self._waiting.get(name, ()):
            event.set()
