"""How a submission ends, whoever ends it: `scripts/finish.lua`."""

from __future__ import annotations

import json
from typing import Any

from redis.asyncio.client import Pipeline

from sandbox_service.contract.verdict import State
from sandbox_service.queue.connect import Client
from sandbox_service.queue.entry import Lease, Summary
from sandbox_service.queue.keys import Keys
from sandbox_service.queue.lua import Script
from sandbox_service.queue.settings import QueueSettings


class Finish:
    """Stores and announces a result, unless there is one already."""

    def __init__(self, redis: Client, keys: Keys, settings: QueueSettings) -> None:
        self._script, self._ttl = Script(redis, keys, "finish"), settings.result_ttl_seconds

    async def lease(self, lease: Lease, worker: str, result: bytes, summary: Summary) -> Any:
        """End what a worker holds; the lease is gone whether or not this result is the first.

        `worker` is the one that ran it, empty if none did.
        """
        return await self._run(lease.entry.id, lease.number, worker, result, summary)

    async def cancelled(
        self, id: str, result: bytes, only_from: State | None = None, client: Pipeline | None = None
    ) -> Any:
        """End a submission wherever it is, or only where it is in the state `only_from`."""
        summary = Summary(State.CANCELLED, None, {}, "")
        return await self._run(id, "", "", result, summary, only_from or "", client)

    async def _run(
        self,
        id: str,
        number: int | str,
        worker: str,
        result: bytes,
        summary: Summary,
        only_from: str = "",
        client: Pipeline | None = None,
    ) -> Any:
        failure = _retryable(result) if summary.state is State.FAILED else ""
        return await self._script(
            id,
            number,
            worker,
            result,
            summary.state,
            summary.verdict or "",
            failure,
            summary.encode(),
            self._ttl,
            only_from,
            client=client,
        )


def _retryable(result: bytes) -> str:
    """The kind of a failure of which the result says that another attempt may succeed; else empty."""
    error = json.loads(result).get("infra_error") or {}
    return str(error["kind"]) if error.get("retryable") is True else ""
