"""What the tests of the queue work with: all sides of one queue, and a look at what is left of it."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any, Self

from redis.asyncio import Redis

from sandbox_service.contract.parse import dumps
from sandbox_service.contract.verdict import Priority, State, Verdict
from sandbox_service.queue import Consumer, Entry, Lease, Producer, QueueSettings, Reader, Summary

TENANT = "t"
PATIENCE_SECONDS = 30.0
ACCEPTED = Summary(State.FINISHED, Verdict.ACCEPTED, {"run": 0.5}, "python")
FAILED = Summary(State.FAILED, None, {}, "python")
CANCELLED = b'{"state":"cancelled"}'
# What a queue keeps however much goes through it.
STANDING = ("doorbell", "held", "events", "cancels", "dead")
_numbers = itertools.count(1)


def prefix() -> str:
    """A prefix that no other test has."""
    return f"{{test-{next(_numbers)}-{time.time_ns()}}}"


def entry(**changes: Any) -> Entry:
    """An entry of a submission of its own."""
    number = next(_numbers)
    made = Entry(f"sub_{number}", TENANT, "code", Priority.NORMAL, b'{"n":%d}' % number, 1234.5, "gateway")
    return replace(made, **changes)


def entries(count: int, batch: str, **changes: Any) -> list[Entry]:
    """The entries of a batch."""
    return [entry(batch=batch, index=index, **changes) for index in range(count)]


def failure(*, retryable: bool) -> bytes:
    """The result of a submission that failed by our fault."""
    return dumps({"infra_error": {"kind": "lost", "message": "", "retryable": retryable}})


async def until(true: Callable[[], Awaitable[Any]]) -> Any:
    """What it gives once that is true."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not (found := await true()):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    return found


class Bench:
    """A gateway's and two workers' sides of a queue."""

    def __init__(self, redis: Redis, settings: QueueSettings) -> None:
        self.redis, self.settings = redis, settings
        self.producer = Producer(redis, settings)
        self.reader = Reader(redis, settings, origin="gateway")
        self.one, self.two = Consumer(redis, settings, "one"), Consumer(redis, settings, "two")
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        for part in (self.reader, self.one, self.two):
            await self._stack.enter_async_context(part)
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._stack.aclose()

    def key(self, name: str) -> str:
        return f"{self.settings.prefix}:{name}"

    async def took(self, consumer: Consumer | None = None) -> Lease:
        """A lease that has to be there."""
        lease = await (consumer or self.one).take(0)
        assert lease is not None
        return lease

    async def finish_all(self) -> int:
        """Work until nothing waits; how many were ended."""
        count = 0
        while lease := await self.one.take(0):
            assert await self.one.finish(lease, b'{"id":"%s"}' % lease.entry.id.encode(), ACCEPTED)
            count += 1
        return count

    async def leased(self) -> int:
        """How many leases there are, held by whomever."""
        return await self.redis.zcard(self.key("leases"))

    async def assert_nothing_left(self) -> None:
        """Everything has ended: nobody holds anything, and every key expires but for a fixed number."""
        assert await self.one.take(0) is None  # a worker that finds nothing forgets whose turn it was
        assert await self.leased() == 0
        assert int(await self.redis.get(self.key("held")) or 0) == 0
        standing = {self.key(name).encode() for name in STANDING}
        pattern = self.settings.prefix + ":*"
        rest = [key async for key in self.redis.scan_iter(match=pattern, count=1000) if key not in standing]
        assert [key for key in rest if await self.redis.ttl(key) < 0] == []
