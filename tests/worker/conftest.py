"""A server for all tests of the worker; each test has its own queue and sandboxes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from sandbox_service.executor import NamespaceExecutor
from sandbox_service.queue import EmbeddedServer, QueueSettings
from tests.queue.bench import prefix
from tests.worker.staff import Staff


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    with EmbeddedServer() as server:
        yield server.url


@pytest.fixture
async def staff(redis_url: str) -> AsyncIterator[Staff]:
    executor = NamespaceExecutor()
    await executor.start()
    async with Staff(redis_url, executor, QueueSettings(prefix=prefix(), heartbeat_seconds=0.3)) as staff:
        yield staff
    await executor.stop()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def executor() -> AsyncIterator[NamespaceExecutor]:
    """One for all tests of a file that need no more."""
    executor = NamespaceExecutor()
    await executor.start()
    yield executor
    await executor.stop()
