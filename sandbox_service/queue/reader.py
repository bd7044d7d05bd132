"""The side of the queue that gives results back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import Any, Self

from sandbox_service.contract.batch import BatchStatus
from sandbox_service.contract.verdict import State
from sandbox_service.queue.announcements import Announcements, Watch
from sandbox_service.queue.connect import Client
from sandbox_service.queue.entry import DeadLetter, Status, Summary
from sandbox_service.queue.keys import PRIORITIES, Keys
from sandbox_service.queue.lua import Script
from sandbox_service.queue.settings import QueueSettings

log = logging.getLogger(__name__)
OnFinished = Callable[[Summary], None]


class Reader:
    """What became of submissions and batches, and waiting for it.

    Args:
        redis: from `connect`.
        settings: the same for all processes.
        origin: the `Entry.origin` of this process.
        on_finished: called with the summary of each submission of this origin that ended, once each,
            so that several processes count none twice.
    """

    def __init__(
        self, redis: Client, settings: QueueSettings, origin: str = "", on_finished: OnFinished | None = None
    ) -> None:
        self._redis, self._keys = redis, Keys.under(settings.prefix)
        self._origin, self.on_finished = origin.encode(), on_finished
        self._announcements = Announcements(redis, self._keys.events, self._heard)
        self._stats = Script(redis, self._keys, "stats")

    async def start(self) -> None:
        """Start hearing what ends."""
        await self._announcements.start()

    async def stop(self) -> None:
        """Stop hearing."""
        await self._announcements.stop()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()

    async def status(self, id: str, tenant: str) -> Status | None:
        """A submission; `None` if it is unknown, expired, or another tenant's."""
        async with self._redis.pipeline(transaction=False) as pipe:
            pipe.hmget(self._keys.submission + id, "tenant", "state", "attempts", "domain", "created")
            pipe.get(self._keys.result + id)
            (owner, state, attempts, domain, created), result = await pipe.execute()
        if owner != tenant.encode():
            return None
        state = State(state.decode())
        if state.ended and result is None:  # it expired between the two
            return None
        return Status(state, int(attempts or 0), domain.decode(), float(created), result if state.ended else None)

    def watch(self, id: str) -> AbstractContextManager[Watch]:
        """Hear of the end of a submission that is about to be queued, with `told`."""
        return self._announcements.watch(id)

    async def told(self, watch: Watch, seconds: float) -> bytes | None:
        """The encoded result that is announced within `seconds`; `None` if none is, or without the result itself."""
        await _wait(watch.event, _now() + seconds)
        return watch.result

    async def wait(self, id: str, tenant: str, seconds: float) -> Status | None:
        """A submission as soon as it has ended, else as it is after `seconds`."""
        end = _now() + seconds
        with self.watch(id) as watch:
            while True:
                watch.event.clear()
                status = await self.status(id, tenant)
                if status is None or status.state.ended or _now() >= end:
                    return status
                await _wait(watch.event, end)

    async def batch(self, id: str, tenant: str) -> BatchStatus | None:
        """A batch's counts; `None` if it is unknown, expired, or another tenant's."""
        fields: Any = await self._redis.hgetall(self._keys.batch + id)
        if fields.get(b"tenant") != tenant.encode():
            return None
        states, verdicts = _counts(fields, "state:"), _counts(fields, "verdict:")
        return BatchStatus(id=id, total=int(fields[b"total"]), states=states, verdicts=verdicts)

    async def batch_lines(self, id: str, tenant: str, after: int, limit: int) -> list[tuple[int, int, bytes]]:
        """Results of a batch in order of completion, the same order at each reading.

        Args:
            id: the batch.
            tenant: whose it must be; of another's there are no lines.
            after: the cursor of the last line seen, 0 at first.
            limit: the most lines.

        Returns:
            For each line its cursor, its index in the batch and the encoded result.
        """
        if limit < 1 or await self._redis.hget(self._keys.batch + id, "tenant") != tenant.encode():
            return []
        lines: Any = await self._redis.lrange(self._keys.done + id, after, after + limit - 1)
        if not lines:
            return []
        places = [line.decode().split(":", 1) for line in lines]
        results: Any = await self._redis.mget([self._keys.result + member for _, member in places])
        numbered = enumerate(zip(places, results, strict=True), after + 1)
        return [(cursor, int(index), result) for cursor, ((index, _), result) in numbered if result is not None]

    async def wait_batch(self, id: str, after: int, seconds: float) -> None:
        """Wait until there are more than `after` lines, at most `seconds`."""
        end = _now() + seconds
        with self.watch(id) as watch:
            while True:
                watch.event.clear()
                if await self._redis.llen(self._keys.done + id) > after or _now() >= end:
                    return
                await _wait(watch.event, end)

    async def stats(self) -> dict[str, Any]:
        """What waits (`queue`), what runs (`running`), and what ended in the last hour (`states`, `verdicts`).

        A submission that was cancelled while it ran counts as running until its worker has heard of it.
        Of those that ended, `dead_letters` were given up.
        """
        waiting, running, oldest, ended = await self._stats()
        counts = dict(zip(ended[::2], ended[1::2], strict=True))
        return {
            "queue": {
                "depth": sum(waiting),
                "oldest_seconds": None if oldest < 0 else oldest / 1000,
                "by_priority": {str(priority): n for priority, n in zip(PRIORITIES, waiting, strict=True)},
            },
            "running": running,
            "states": _counts(counts, "state:"),
            "verdicts": _counts(counts, "verdict:"),
            "dead_letters": counts.get(b"dead_letters", 0),
        }

    async def dead_letters(self, limit: int = 100) -> list[DeadLetter]:
        """Submissions that were given up, the last first; about the last thousand are kept."""
        found: Any = await self._redis.xrevrange(self._keys.dead, count=limit)
        return [_dead_letter(message, fields) for message, fields in found]

    def _heard(self, item: dict[bytes, bytes]) -> None:
        if self.on_finished is None or item[b"origin"] != self._origin:
            return
        try:
            self.on_finished(Summary.decode(item[b"summary"]))
        except Exception:
            # All that wait depend on the one reader: nothing that is told of it may end it.
            log.exception("on_finished failed")


def _dead_letter(message: bytes, fields: dict[bytes, bytes]) -> DeadLetter:
    id, tenant, kind, workers = (fields[name].decode() for name in (b"id", b"tenant", b"kind", b"workers"))
    milliseconds, _, _ = message.partition(b"-")
    return DeadLetter(id, tenant, kind, int(milliseconds) / 1000, workers.split())


def _now() -> float:
    return asyncio.get_running_loop().time()


async def _wait(event: asyncio.Event, end: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout_at(end):
            await event.wait()


def _counts(fields: dict[bytes, Any], family: str) -> dict[str, int]:
    """The counts that are not zero of the fields `family` + name, by name."""
    named = {key.decode(): int(value) for key, value in fields.items() if key.startswith(family.encode())}
    return {key.removeprefix(family): value for key, value in named.items() if value}
