"""Waits that end early when the gateway goes, so that a drain takes no longer than it must."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")
# A wait ends by itself at its own time; this only has to be later than any of them.
_FOREVER = 1e9


class Waits:
    """All waits of a process. `closing` is set for good by `close`."""

    def __init__(self) -> None:
        self.closing = False
        self._timers: set[asyncio.Timeout] = set()

    async def run(self, waiting: Awaitable[T]) -> T | None:
        """What was waited for; `None` if the gateway goes first."""
        timer = asyncio.timeout(0 if self.closing else _FOREVER)
        try:
            async with timer:
                self._timers.add(timer)
                return await waiting
        except TimeoutError:
            if timer.expired():
                return None
            raise
        finally:
            self._timers.discard(timer)

    def close(self) -> None:
        """End every wait, and from now on each one at once."""
        if self.closing:
            return
        self.closing = True
        now = asyncio.get_running_loop().time()
        for timer in self._timers:
            timer.reschedule(now)
