"""How this package speaks to Redis."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from redis.asyncio import BlockingConnectionPool, ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import EqualJitterBackoff

from sandbox_service.queue.line import Line

BLOCK_SECONDS = 2.0
"""The longest that a command of ours blocks."""
MAX_CONNECTIONS = 256
RETRIES, FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 3, 0.1, 1.0

# Watching each command with a timer of its own makes it dearer by half. The kernel sees as well that the other side
# is gone, in about ten seconds; a server that is only slow is waited for.
_DEAD_PEER: dict[str, Any] = {
    "socket_keepalive": True,
    "socket_keepalive_options": {
        socket.TCP_KEEPIDLE: 5,
        socket.TCP_KEEPINTVL: 2,
        socket.TCP_KEEPCNT: 3,
        socket.TCP_USER_TIMEOUT: 10_000,  # milliseconds
    },
}


class Client(Redis):
    """The client of redis-py, and beside it the lines for what has to be cheap.

    Attributes:
        line: for all commands that do not block.
    """

    def __init__(self, *, connection_pool: ConnectionPool) -> None:
        super().__init__(connection_pool=connection_pool)
        self.line = Line(connection_pool)
        self._idle: list[Line] = []

    @asynccontextmanager
    async def own_line(self) -> AsyncIterator[Line]:
        """A line that nobody else uses, for a command that blocks."""
        line = self._idle.pop() if self._idle else Line(self.connection_pool)
        try:
            yield line
        except BaseException:
            await line.aclose()
            raise
        self._idle.append(line)

    async def aclose(self, close_connection_pool: bool | None = None) -> None:
        """Close all connections."""
        for line in (self.line, *self._idle):
            await line.aclose()
        await super().aclose(close_connection_pool)


def connect(url: str) -> Client:
    """A client for `redis://`, `rediss://` or `unix://`; it connects when first used, close it with `aclose`.

    A command that finds all connections busy waits for one. Where the server does not answer, a command
    is sent again for one to six seconds, so every script of the queue may be repeated without harm.
    """
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=MAX_CONNECTIONS,
        timeout=None,
        socket_timeout=None,
        retry=Retry(EqualJitterBackoff(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS), RETRIES),
        legacy_responses=False,
        **({} if url.startswith("unix:") else _DEAD_PEER),
    )
    client = Client(connection_pool=pool)
    client.auto_close_connection_pool = True
    return client
