"""The side of the queue that works: leases of entries, confirmed by heartbeats."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterable
from typing import Any, Self

from sandbox_service.queue.connect import BLOCK_SECONDS, Client
from sandbox_service.queue.entry import Entry, Lease, Summary
from sandbox_service.queue.finish import Finish
from sandbox_service.queue.follow import follow, newest
from sandbox_service.queue.keys import PRIORITIES, Keys
from sandbox_service.queue.lua import Script
from sandbox_service.queue.settings import QueueSettings

SHORTEST_BLOCK_SECONDS = 0.01  # 0 would mean for ever
JITTER = (0.75, 1.25)
AGAIN = b"again"
_chance = random.SystemRandom()


class Consumer:
    """A worker's connection to the queue.

    Args:
        redis: from `connect`.
        settings: the same for all processes.
        name: unique among all workers that ever were; a restarted one needs a new name.
    """

    def __init__(self, redis: Client, settings: QueueSettings, name: str) -> None:
        self._redis, self._settings, self._name = redis, settings, name
        self._keys = Keys.under(settings.prefix)
        self._finish = Finish(redis, self._keys, settings)
        self._take, self._heartbeat, self._reclaim, self._release, self._aside = (
            Script(redis, self._keys, script) for script in ("take", "heartbeat", "reclaim", "release", "aside")
        )
        self._left_to_others = _milliseconds(settings.left_to_others_seconds)
        self._cancels_heard = "0-0"
        self._due = 0.0  # seconds after which something that came back may be due, when nothing was found last

    async def start(self) -> None:
        """Cancellations are heard from here on."""
        self._cancels_heard = await newest(self._redis, self._keys.cancels)

    async def stop(self) -> None:
        """Leave. Leases that were not finished are handed back; their delivery counts."""
        await self._hand_back(None, counts=True)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()

    async def take(self, timeout: float, *, looked: bool = False) -> Lease | None:
        """The next entry; `None` if nothing came within `timeout` seconds.

        With `looked`, a take has found nothing right before: what came since has rung the bell.

        First what was handed back, then by priority, then whose turn it is.
        A take that is cancelled may have been given an entry already: it goes back with `stop`, or is reclaimed.
        """
        clock = asyncio.get_running_loop().time
        end = clock() + timeout
        while True:
            if not looked:
                reply = await self._take(self._name, self._left_to_others)
                if isinstance(reply, list):
                    return _lease(reply)
                if reply == AGAIN:
                    continue
                self._due = reply / 1000 if reply >= 0 else BLOCK_SECONDS
            looked = False
            left = end - clock()
            if left <= 0:
                return None
            # Not longer than BLOCK_SECONDS: a worker that died may have heard the bell meant for this one.
            pause = max(min(left, self._due, BLOCK_SECONDS), SHORTEST_BLOCK_SECONDS)
            async with self._redis.own_line() as line:
                await line("BLPOP", self._keys.doorbell, pause)

    async def heartbeat(self, leases: Iterable[Lease]) -> None:
        """Confirm leases; one that another worker has reclaimed meanwhile stays that worker's."""
        if held := [part for lease in leases for part in (lease.entry.id, lease.number)]:
            await self._heartbeat(self._name, *held)

    async def reclaim(self, limit: int = 4) -> list[Lease]:
        """Take over leases of dead workers, at most `limit`.

        Those delivered more than `max_deliveries` times come too (`attempts` says so), to be ended as failed.
        Confirm the own leases right before: after a stall they look like a dead worker's, and come too.
        """
        idle = _milliseconds(self._settings.reclaim_after_seconds)
        return [_lease(reply) for reply in await self._reclaim(self._name, idle, limit)]

    async def finish(self, lease: Lease, result: bytes, summary: Summary) -> bool:
        """End a submission with its encoded result; whether this was the first one, which alone counts."""
        ran_here = lease.attempts <= self._settings.max_deliveries
        return bool(await self._finish.lease(lease, self._name if ran_here else "", result, summary))

    async def retry(self, lease: Lease) -> None:
        """Hand back what failed here by our fault: it is run again after a pause, first of all by another worker."""
        pause = self._settings.retry_seconds * 2 ** (lease.attempts - 1) * _chance.uniform(*JITTER)
        await self._hand_back(lease, counts=True, pause=pause)

    async def release(self, lease: Lease) -> None:
        """Hand back what was not started: its delivery does not count, and it is served before all that wait."""
        await self._hand_back(lease, counts=False)

    async def set_aside(self, lease: Lease) -> None:
        """Tell that this one waits for an identical one to end: whoever cancels what has not started means it too."""
        await self._aside(lease.entry.id, lease.number)

    async def put_back(self, lease: Lease) -> None:
        """Hand back what was not started, to wait for its turn: its delivery does not count."""
        await self._release(self._name, lease.entry.id, lease.number, 0, "")

    async def cancelled(self) -> AsyncIterator[str]:
        """Ids that were cancelled while they ran, here or elsewhere, since `start`; for ever."""
        async for news in follow(self._redis, self._keys.cancels, self._cancels_heard):
            for item in news.items:
                yield item[b"id"].decode()

    async def _hand_back(self, lease: Lease | None, *, counts: bool, pause: float = 0.0) -> None:
        """Hand back a lease, or all that this worker holds, to be due after a pause."""
        which = (lease.entry.id, lease.number) if lease else ("", "")
        await self._release(self._name, *which, int(counts), _milliseconds(pause))


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def _lease(reply: list[Any]) -> Lease:
    """The lease that `lease` of common.lua gives."""
    number, deliveries, total, id, payload, queue, batch, index, tenant, domain, created, origin, *weights = reply
    entry = Entry(
        id=id.decode(),
        tenant=tenant.decode(),
        domain=domain.decode(),
        priority=PRIORITIES[int(queue) - 1],
        payload=payload,
        created=float(created),
        origin=origin.decode(),
        batch=batch.decode() or None,
        index=int(index),
        weight=float(weights[0]),
        domain_weight=float(weights[1]),
    )
    return Lease(entry, int(number), deliveries, total)
