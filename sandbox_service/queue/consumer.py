"""The side of the queue that works: leases of entries, confirmed by heartbeats."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any, Self

from redis.asyncio import Redis
from redis.exceptions import ResponseError
from redis.typing import EncodableT

from sandbox_service.queue.connect import BLOCK_SECONDS
from sandbox_service.queue.entry import Entry, Lease, Summary
from sandbox_service.queue.finish import Finish
from sandbox_service.queue.follow import follow, newest
from sandbox_service.queue.keys import PRIORITIES, Keys, queue_number
from sandbox_service.queue.lua import Script
from sandbox_service.queue.settings import QueueSettings

FORGET_AFTER = 10
"""A consumer silent for so many times `reclaim_after_seconds` is removed from the group, if it holds nothing."""
SHORTEST_BLOCK_SECONDS = 0.01  # 0 would mean for ever
AGAIN = b"again"


class Consumer:
    """A worker's connection to the queue.

    Args:
        redis: from `connect`.
        settings: the same for all processes.
        name: unique among all workers that ever were; a restarted one needs a new name.
    """

    def __init__(self, redis: Redis, settings: QueueSettings, name: str) -> None:
        self._redis, self._settings, self._name = redis, settings, name
        self._keys = Keys.under(settings.prefix)
        self._finish = Finish(redis, self._keys, settings)
        self._join, self._take, self._heartbeat, self._reclaim, self._release = (
            Script(redis, self._keys, script) for script in ("join", "take", "heartbeat", "reclaim", "release")
        )
        self._cancels_heard = "0-0"

    async def start(self) -> None:
        """Join the group; cancellations are heard from here on."""
        self._cancels_heard = await newest(self._redis, self._keys.cancels)
        await self._join_group(leaving="")

    async def stop(self) -> None:
        """Leave the group. Leases that were not finished are anyone's at once; their delivery counts."""
        for queue in range(1, len(PRIORITIES) + 1):
            await self._release(self._name, 1, queue, "-", "+")
        await self._join_group(leaving=self._name)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()

    async def take(self, timeout: float) -> Lease | None:
        """The next entry, of the highest priority that has one; `None` if nothing came within `timeout` seconds.

        A take that is cancelled may have been given an entry already: it goes back with `stop`, or is reclaimed.
        """
        clock = asyncio.get_running_loop().time
        end = clock() + timeout
        while True:
            reply = await self._in_group(self._take, self._name)
            if reply == AGAIN:
                continue
            if reply is not None:
                return _lease(reply)
            left = end - clock()
            if left <= 0:
                return None
            # Not longer than BLOCK_SECONDS: a worker that died may have heard the bell meant for this one.
            await self._redis.blpop(self._keys.doorbell, timeout=max(min(left, BLOCK_SECONDS), SHORTEST_BLOCK_SECONDS))

    async def heartbeat(self, leases: Iterable[Lease]) -> None:
        """Confirm leases; one that another worker has reclaimed meanwhile stays that worker's."""
        held = [part for lease in leases for part in (queue_number(lease.entry.priority), lease.message_id)]
        if held:
            await self._in_group(self._heartbeat, self._name, *held)

    async def reclaim(self, limit: int = 4) -> list[Lease]:
        """Take over leases of dead workers, at most `limit`.

        Those delivered more than `max_deliveries` times come too (`attempts` says so), to be ended as failed.
        Confirm the own leases right before: after a stall they look like a dead worker's, and come too.
        """
        idle = _milliseconds(self._settings.reclaim_after_seconds)
        return [_lease(reply) for reply in await self._in_group(self._reclaim, self._name, idle, limit)]

    async def finish(self, lease: Lease, result: bytes, summary: Summary) -> bool:
        """End a submission with its encoded result; whether this was the first one, which alone counts."""
        return bool(await self._finish.lease(lease, result, summary))

    async def release(self, lease: Lease) -> None:
        """Hand back what was not started: anyone may reclaim it at once, and its delivery does not count.

        It keeps its place before all that wait. A worker that releases must no longer reclaim.
        """
        queue = queue_number(lease.entry.priority)
        await self._release(self._name, 0, queue, lease.message_id, lease.message_id)

    async def cancelled(self) -> AsyncIterator[str]:
        """Ids that were cancelled while they ran, here or elsewhere, since `start`; for ever."""
        async for news in follow(self._redis, self._keys.cancels, self._cancels_heard):
            for item in news.items:
                yield item[b"id"].decode()

    async def _join_group(self, leaving: str) -> None:
        forget = _milliseconds(self._settings.reclaim_after_seconds) * FORGET_AFTER
        await self._join(forget, leaving)

    async def _in_group(self, script: Script, *args: EncodableT) -> Any:
        """Run a script that needs the group; a server that lost its data gets a new one."""
        try:
            return await script(*args)
        except ResponseError as error:
            if not str(error).startswith("NOGROUP"):
                raise
        await self._join_group(leaving="")
        return await script(*args)


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def _lease(reply: list[Any]) -> Lease:
    """The lease that `lease` of common.lua gives."""
    number, message, deliveries, total, id, payload, batch, index, tenant, domain, created, origin = reply
    entry = Entry(
        id=id.decode(),
        tenant=tenant.decode(),
        domain=domain.decode(),
        priority=PRIORITIES[number - 1],
        payload=payload,
        created=float(created),
        origin=origin.decode(),
        batch=batch.decode() or None,
        index=int(index),
    )
    return Lease(entry, message.decode(), deliveries, total)
