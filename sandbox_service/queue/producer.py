"""The side of the queue that takes submissions in."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from sandbox_service.contract.verdict import State
from sandbox_service.queue.connect import Client
from sandbox_service.queue.entry import Entry, IdempotencyConflict, QueueFull
from sandbox_service.queue.finish import Finish
from sandbox_service.queue.keys import Keys, queue_number
from sandbox_service.queue.line import Word
from sandbox_service.queue.lua import Script
from sandbox_service.queue.settings import QueueSettings

SOONEST_RETRY_SECONDS, USUAL_RETRY_SECONDS, LATEST_RETRY_SECONDS = 1, 5, 60
CANCELLED_AT_ONCE = 50
ResultOf = Callable[[str, bytes | None], bytes]
Idempotency = tuple[str, str]
"""An idempotency key and the digest of the body that came with it."""


class Producer:
    """Queues submissions and cancels them."""

    def __init__(self, redis: Client, settings: QueueSettings) -> None:
        self._redis, self._settings = redis, settings
        self._keys = Keys.under(settings.prefix)
        self._enqueue, self._finish = Script(redis, self._keys, "enqueue"), Finish(redis, self._keys, settings)

    async def submit(self, entry: Entry, *, idempotency: Idempotency | None = None) -> str:
        """Queue one submission; gives its id.

        With an idempotency key that was used before it gives the id of its twin and queues nothing,
        unless the twin ended as a retryable failure: then this is a new attempt under the twin's id.

        Raises:
            QueueFull: there is no room now.
            IdempotencyConflict: the key was used for another body.
        """
        return await self._queue("", entry.tenant, [entry], idempotency)

    async def submit_batch(
        self, batch: str, tenant: str, entries: Sequence[Entry], *, idempotency: Idempotency | None = None
    ) -> str:
        """Queue a batch, all of it or nothing; gives the batch's id, its twin's where the key was used before.

        Raises:
            QueueFull: there is no room for all of it now.
            IdempotencyConflict: the key was used for another body.
            ValueError: there is nothing in it.
        """
        if not entries:
            raise ValueError("a batch needs at least one submission")
        return await self._queue(batch, tenant, entries, idempotency)

    async def payload(self, id: str) -> bytes | None:
        """The body of a submission that has not ended; `None` of any other."""
        payload: Any = await self._redis.get(self._keys.payload + id)
        return None if payload is None else bytes(payload)

    async def cancel(self, id: str, result: bytes) -> bool:
        """End a submission with the encoded result of a cancelled one; False if it has ended already.

        A worker that runs it hears of it.
        """
        return bool(await self._finish.cancelled(id, result))

    async def cancel_batch(self, batch: str, result_of: ResultOf) -> int:
        """Cancel what has not started of a batch. Gives how many.

        `result_of` gives the result of an id and its body, which is `None` if it has just ended.
        """
        members: Any = await self._redis.lrange(self._keys.members + batch, 0, -1)
        count = 0
        for start in range(0, len(members), CANCELLED_AT_ONCE):
            ids = [member.decode() for member in members[start : start + CANCELLED_AT_ONCE]]
            count += await self._cancel_queued(ids, result_of)
        return count

    async def _cancel_queued(self, ids: list[str], result_of: ResultOf) -> int:
        async with self._redis.pipeline(transaction=False) as pipe:
            for id in ids:
                pipe.hmget(self._keys.submission + id, "state", "aside")
                pipe.get(self._keys.payload + id)
            found = await pipe.execute()
            for id, (state, aside), payload in zip(ids, found[::2], found[1::2], strict=True):
                if state == State.QUEUED.encode() or aside == b"1":
                    await self._finish.cancelled(id, result_of(id, payload), only_from=State.QUEUED, client=pipe)
            return sum(await pipe.execute())

    async def _queue(self, batch: str, tenant: str, entries: Sequence[Entry], idempotency: Idempotency | None) -> str:
        key, digest = idempotency or ("", "")
        name = self._keys.idempotency_name(tenant, key) if idempotency else ""
        settings = self._settings
        args: list[Word] = [batch, tenant, name, digest]
        args += [settings.max_queued, settings.max_bytes]
        for entry in entries:
            args += [entry.id, queue_number(entry.priority), entry.index]
            args += [entry.domain, entry.created, entry.origin]
            args += [entry.weight, entry.domain_weight, entry.payload]
        answer, *rest = await self._enqueue(*args)
        if answer == b"conflict":
            raise IdempotencyConflict("the idempotency key was used for another body")
        if answer == b"full":
            raise QueueFull(_retry_after(*rest))
        id: str = rest[0].decode()
        return id


def _retry_after(must_end: int, ended_a_minute: int) -> int:
    """Seconds in which, at the present rate, enough will have ended."""
    if not ended_a_minute:
        return USUAL_RETRY_SECONDS
    return min(max(math.ceil(60 * must_end / ended_a_minute), SOONEST_RETRY_SECONDS), LATEST_RETRY_SECONDS)
