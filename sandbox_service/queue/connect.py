"""How this package speaks to Redis."""

from __future__ import annotations

import socket
from typing import Any

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import EqualJitterBackoff

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


def connect(url: str) -> Redis:
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
    return Redis.from_pool(pool)
