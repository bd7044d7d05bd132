"""Results for identical submissions: bounded in bytes and in time."""

from __future__ import annotations

from dataclasses import replace

from redis.asyncio import Redis

from sandbox_service.queue import QueueSettings, ResultCache
from tests.queue.bench import until


async def test_what_was_kept_is_found_under_its_digest_alone(redis: Redis, settings: QueueSettings) -> None:
    cache = ResultCache(redis, settings)
    await cache.put("a1", b"one")
    await cache.put("a1", b"one")
    assert await cache.get("a1") == b"one"
    assert await cache.get("a") is None
    assert await redis.get(f"{settings.prefix}:cached:held") == b"3"


async def test_the_oldest_make_room(redis: Redis, settings: QueueSettings) -> None:
    cache = ResultCache(redis, replace(settings, cache_bytes=1000))
    for number in range(20):
        await cache.put(f"{number:x}", b"x" * 100)
        await until(lambda: _a_millisecond_later(redis))
    kept = [number for number in range(20) if await cache.get(f"{number:x}")]
    assert kept == list(range(10, 20))
    assert await redis.get(f"{settings.prefix}:cached:held") == b"1000"
    await cache.put("large", b"x" * 1001)
    assert await cache.get("large") is None
    assert [number for number in range(20) if await cache.get(f"{number:x}")] == kept


async def test_nothing_is_kept_for_ever(redis: Redis, settings: QueueSettings) -> None:
    cache = ResultCache(redis, replace(settings, result_ttl_seconds=100))
    await cache.put("a", b"one")
    keys = [key async for key in redis.scan_iter(match=settings.prefix + ":*")]
    assert len(keys) == 3
    assert all([0 < await redis.pttl(key) <= 100_000 for key in keys])


async def test_once_all_have_expired_nothing_is_left(redis: Redis, settings: QueueSettings) -> None:
    cache = ResultCache(redis, replace(settings, result_ttl_seconds=1))
    await cache.put("a", b"one")
    await until(lambda: _gone(redis, settings))
    await cache.put("b", b"two")
    assert await redis.get(f"{settings.prefix}:cached:held") == b"3"


async def test_switched_off_it_keeps_nothing(redis: Redis, settings: QueueSettings) -> None:
    cache = ResultCache(redis, replace(settings, cache_bytes=0))
    await cache.put("a", b"one")
    assert await _gone(redis, settings)


async def _a_millisecond_later(redis: Redis) -> bool:
    """What is kept within one millisecond is of one age."""
    first = await redis.time()
    return int(await until(lambda: _later(redis, first))) > 0


async def _later(redis: Redis, first: tuple[int, int]) -> int:
    now = await redis.time()
    return (now[0] - first[0]) * 1000 + (now[1] - first[1]) // 1000


async def _gone(redis: Redis, settings: QueueSettings) -> bool:
    return [key async for key in redis.scan_iter(match=settings.prefix + ":*")] == []


async def test_the_first_result_of_two_stays(redis: Redis, settings: QueueSettings) -> None:
    cache = ResultCache(redis, replace(settings, cache_bytes=1000))
    await cache.put("a", b"1" * 400)
    await cache.put("a", b"2" * 300)
    await cache.put("b", b"3" * 400)
    assert (await cache.get("a"), await cache.get("b")) == (b"1" * 400, b"3" * 400)
