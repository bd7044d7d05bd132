"""What identical submissions came to: kept beside the queue, so that all workers share it."""

from __future__ import annotations

from typing import Any

from sandbox_service.queue.connect import Client
from sandbox_service.queue.keys import Keys
from sandbox_service.queue.lua import Script
from sandbox_service.queue.settings import QueueSettings

MOST_RESULT_BYTES = 256 << 10
"""A larger one is not kept: few of them would crowd out all others."""


class ResultCache:
    """Encoded results by the digest of all that they were made of. Bounded in bytes and in time.

    Args:
        redis: from `connect`.
        settings: the same for all processes.
    """

    def __init__(self, redis: Client, settings: QueueSettings) -> None:
        self._redis, self._settings, self._keys = redis, settings, Keys.under(settings.prefix)
        self._remember = Script(redis, self._keys, "remember")

    async def get(self, digest: str) -> bytes | None:
        """What was kept under a digest."""
        found: Any = await self._redis.line("GET", self._keys.cache + digest)
        return None if found is None else bytes(found)

    async def put(self, digest: str, result: bytes) -> None:
        """Keep a result, if it is not too large; the oldest make room for it."""
        settings = self._settings
        if len(result) <= min(MOST_RESULT_BYTES, settings.cache_bytes):
            await self._remember(digest, result, settings.result_ttl_seconds * 1000, settings.cache_bytes)
