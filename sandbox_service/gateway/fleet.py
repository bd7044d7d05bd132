"""What the live workers offer, asked of Redis at most once a second."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from sandbox_service.queue import WorkerInfo, WorkerRegistry

FRESH_SECONDS = 1.0


class Fleet:
    """The workers that are registered."""

    def __init__(self, registry: WorkerRegistry) -> None:
        self._registry = registry
        self._offered: frozenset[str] | None = None
        self._asked = -FRESH_SECONDS

    async def workers(self) -> list[WorkerInfo]:
        """All workers, asked afresh, by id."""
        return sorted(await self._registry.list(), key=lambda worker: worker.id)

    async def drain(self, id: str) -> WorkerInfo | None:
        """Ask a worker to finish what it runs and to end; the worker, or `None` if there is no such one."""
        known = await self._registry.drain(id)
        return next((worker for worker in await self.workers() if known and worker.id == id), None)

    async def offered(self, wanted: Iterable[str] = ()) -> frozenset[str] | None:
        """Ids of the languages that can run, `tool:NAME` of the tools; `None` while no worker is registered.

        Args:
            wanted: languages; where one is missing from what is remembered, the workers are asked again.
        """
        known = self._offered is None or self._offered.issuperset(wanted)
        if not known or time.monotonic() - self._asked >= FRESH_SECONDS:
            self._asked = time.monotonic()
            workers = await self.workers()
            tools = {f"tool:{tool}" for worker in workers if worker.state != "lost" for tool in worker.tools}
            self._offered = frozenset(tools).union(each["id"] for each in languages(workers)) if workers else None
        return self._offered


def languages(workers: Iterable[WorkerInfo]) -> list[dict[str, Any]]:
    """What all workers offer together, by id."""
    merged: dict[str, dict[str, Any]] = {}
    for worker in workers:
        if worker.state != "lost":
            merged |= {language["id"]: language for language in worker.languages if language["id"] not in merged}
    return [merged[name] for name in sorted(merged)]
