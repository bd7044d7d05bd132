"""Which workers are listed, and as what."""

from __future__ import annotations

from dataclasses import replace

from redis.asyncio import Redis

from sandbox_service.queue import QueueSettings, WorkerInfo, WorkerRegistry
from sandbox_service.queue.registry import FORGOTTEN_AFTER_SECONDS, LOST_AFTER_SECONDS

INFO = WorkerInfo("w1", "host", "ready", 2, 1, ["namespace"], [{"id": "python", "name": "Python"}])


async def test_workers_are_listed_as_they_describe_themselves(redis: Redis, settings: QueueSettings) -> None:
    registry = WorkerRegistry(redis, settings)
    assert await registry.list() == []
    await registry.announce(replace(INFO, id="w2", state="draining"))
    await registry.announce(replace(INFO, busy=0))
    await registry.announce(INFO)
    found = await registry.list()
    assert [replace(info, heartbeat=0.0) for info in found] == [INFO, replace(INFO, id="w2", state="draining")]
    seconds, _ = await redis.time()
    assert all(abs(info.heartbeat - seconds) < LOST_AFTER_SECONDS for info in found)
    await registry.remove("w1")
    assert [info.id for info in await registry.list()] == ["w2"]


async def test_a_silent_worker_is_lost_and_then_forgotten(redis: Redis, settings: QueueSettings) -> None:
    registry, seen = WorkerRegistry(redis, settings), f"{settings.prefix}:workers:seen"
    for name in ("fresh", "silent", "gone"):
        await registry.announce(replace(INFO, id=name))
    # As if the clock had gone on since their last sign of life.
    await redis.zincrby(seen, -LOST_AFTER_SECONDS - 1, "silent")
    await redis.zincrby(seen, -FORGOTTEN_AFTER_SECONDS - 1, "gone")
    assert {info.id: info.state for info in await registry.list()} == {"fresh": "ready", "silent": "lost"}
    await registry.announce(replace(INFO, id="fresh"))
    assert sorted(await redis.hkeys(f"{settings.prefix}:workers")) == [b"fresh", b"silent"]
    await registry.announce(replace(INFO, id="silent"))
    assert {info.id: info.state for info in await registry.list()} == {"fresh": "ready", "silent": "ready"}


async def test_nothing_of_the_registry_stays_for_ever(redis: Redis, settings: QueueSettings) -> None:
    await WorkerRegistry(redis, settings).announce(INFO)
    keys = await redis.keys(f"{settings.prefix}:*")
    assert len(keys) == 2
    assert all([0 < await redis.ttl(key) <= FORGOTTEN_AFTER_SECONDS for key in keys])


async def test_a_worker_that_shall_drain_hears_of_it(redis: Redis, settings: QueueSettings) -> None:
    registry = WorkerRegistry(redis, settings)
    assert not await registry.drain("w1")
    assert not await registry.announce(INFO)
    assert not await registry.announce(replace(INFO, id="w2"))
    for _ in range(2):
        assert await registry.drain("w1")
    # It is listed so before it has heard of it, and still when it has.
    assert {info.id: info.state for info in await registry.list()} == {"w1": "draining", "w2": "ready"}
    assert await registry.announce(INFO)
    assert not await registry.announce(replace(INFO, id="w2"))
    assert await registry.announce(replace(INFO, state="draining"))
    assert {info.id: info.state for info in await registry.list()} == {"w1": "draining", "w2": "ready"}
    await registry.remove("w1")
    assert not await registry.drain("w1")
    assert not await registry.announce(INFO)  # of the same name, but a new one


async def test_a_worker_that_is_lost_while_it_drains(redis: Redis, settings: QueueSettings) -> None:
    registry, seen = WorkerRegistry(redis, settings), f"{settings.prefix}:workers:seen"
    await registry.announce(INFO)
    await registry.drain("w1")
    await redis.zincrby(seen, -LOST_AFTER_SECONDS - 1, "w1")
    assert [info.state for info in await registry.list()] == ["lost"]
    keys = await redis.keys(f"{settings.prefix}:*")
    assert len(keys) == 3
    assert all([0 < await redis.ttl(key) <= FORGOTTEN_AFTER_SECONDS for key in keys])
    await redis.zincrby(seen, -FORGOTTEN_AFTER_SECONDS, "w1")
    await registry.announce(replace(INFO, id="w2"))
    assert not await redis.exists(f"{settings.prefix}:workers:draining")
