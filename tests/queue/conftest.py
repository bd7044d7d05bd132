"""A real server for all tests of the queue; each test has its own keys."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from redis.asyncio import Redis

from sandbox_service.queue import EmbeddedServer, QueueSettings, connect
from tests.queue.bench import Bench, prefix


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    with EmbeddedServer() as server:
        yield server.url


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    client = connect(redis_url)
    yield client
    await client.aclose()


@pytest.fixture
def settings() -> QueueSettings:
    return QueueSettings(prefix=prefix())


@pytest.fixture
async def bench(redis: Redis, settings: QueueSettings) -> AsyncIterator[Bench]:
    async with Bench(redis, settings) as bench:
        yield bench
