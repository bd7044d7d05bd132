"""How a submission ends, whoever ends it: `scripts/finish.lua`."""

from __future__ import annotations

import json
from typing import Any

from redis.asyncio import Redis

from sandbox_service.contract.verdict import State
from sandbox_service.queue.entry import Lease, Summary
from sandbox_service.queue.keys import Keys, queue_number
from sandbox_service.queue.lua import Script
from sandbox_service.queue.settings import QueueSettings


class Finish:
    """Stores and announces a result, unless there is one already."""

    def __init__(self, redis: Redis, keys: Keys, settings: QueueSettings) -> None:
        self._script, self._ttl = Script(redis, keys, "finish"), settings.result_ttl_seconds

    async def lease(self, lease: Lease, result: bytes, summary: Summary) -> Any:
        """End what a worker holds; the lease is gone whether or not this result is the first."""
        queue = queue_number(lease.entry.priority)
        return await self._run(queue, lease.message_id, lease.entry.id, result, summary)

    async def cancelled(
        self, id: str, result: bytes, only_from: State | None = None, client: Redis | None = None
    ) -> Any:
        """End a submission wherever it is, or only where it is in the state `only_from`."""
        summary = Summary(State.CANCELLED, None, {}, "")
        return await self._run(0, "", id, result, summary, only_from or "", client)

    async def _run(
        self,
        queue: int,
        message: str,
        id: str,
        result: bytes,
        summary: Summary,
        only_from: str = "",
        client: Redis | None = None,
    ) -> Any:
        retryable = summary.state is State.FAILED and _retryable(result)
        return await self._script(
            queue,
            message,
            id,
            result,
            summary.state,
            summary.verdict or "",
            int(retryable),
            summary.encode(),
            self._ttl,
            only_from,
            client=client,
        )


def _retryable(result: bytes) -> bool:
    """Whether a failed result says that another attempt may succeed."""
    error = json.loads(result).get("infra_error") or {}
    return error.get("retryable") is True
