"""A gateway for each test, with a queue of its own in one shared server."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from sandbox_service.gateway.settings import GatewaySettings
from sandbox_service.queue import EmbeddedServer, QueueSettings
from tests.gateway.service import connected, gateway

_numbers = itertools.count()


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    with EmbeddedServer() as server:
        yield server.url


@pytest.fixture
def settings(redis_url: str) -> GatewaySettings:
    queue = QueueSettings(prefix=f"{{gateway-{next(_numbers)}}}")
    return GatewaySettings(redis_url=redis_url, queue=queue, blank_line_seconds=0.2)


@pytest.fixture
def url(settings: GatewaySettings) -> Iterator[str]:
    with gateway(settings) as url:
        yield url


@pytest.fixture
async def http(url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with connected(url) as client:
        yield client


@pytest.fixture(scope="module")
def refusing_url(redis_url: str) -> Iterator[str]:
    """One gateway for all tests of a module; for those that queue nothing."""
    queue = QueueSettings(prefix=f"{{gateway-{next(_numbers)}}}")
    with gateway(GatewaySettings(redis_url=redis_url, queue=queue, body_bytes=100_000)) as url:
        yield url


@pytest.fixture
async def refusing(refusing_url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with connected(refusing_url) as client:
        yield client
        stats = (await client.get("/v1/stats")).json()
        assert stats["queue"]["depth"] == 0, "something was queued"
