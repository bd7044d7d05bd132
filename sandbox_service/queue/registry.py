"""Which workers there are: each gives a sign of life, and is lost without one."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from sandbox_service.contract.parse import dumps
from sandbox_service.queue.connect import Client
from sandbox_service.queue.keys import Keys
from sandbox_service.queue.lua import Script
from sandbox_service.queue.settings import QueueSettings

LOST_AFTER_SECONDS = 10
FORGOTTEN_AFTER_SECONDS = 70


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """A worker as it describes itself.

    Attributes:
        id: unique among all workers.
        host: where it runs.
        state: a worker says `ready` or `draining`; the registry says `lost` of one that is silent.
        slots: how many submissions it runs at once.
        busy: how many it runs now.
        executors: names of its backends.
        languages: as `GET /v1/languages` gives them.
        tools: names of programs of others that it judges with.
        heartbeat: unix seconds of its last sign of life, by Redis's clock; filled in by the registry.
    """

    id: str
    host: str
    state: Literal["ready", "draining", "lost"]
    slots: int
    busy: int
    executors: list[str]
    languages: list[dict[str, Any]] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)
    heartbeat: float = 0.0


class WorkerRegistry:
    """The workers that there are and those that were lost lately."""

    def __init__(self, redis: Client, settings: QueueSettings) -> None:
        self._redis, self._keys = redis, Keys.under(settings.prefix)
        self._announce, self._drain = Script(redis, self._keys, "announce"), Script(redis, self._keys, "drain")

    async def announce(self, info: WorkerInfo) -> bool:
        """A worker's sign of life, to be given every few seconds; whether it is asked to drain."""
        return bool(await self._announce(info.id, dumps(asdict(info)), FORGOTTEN_AFTER_SECONDS))

    async def drain(self, id: str) -> bool:
        """Ask a worker to finish what it runs and to take nothing more; False if there is no such worker.

        It is listed as `draining` from here on, and hears of it with its next sign of life.
        """
        return bool(await self._drain(id, FORGOTTEN_AFTER_SECONDS))

    async def remove(self, id: str) -> None:
        """A worker that ended in order."""
        async with self._redis.pipeline() as pipe:
            pipe.hdel(self._keys.workers, id)
            pipe.zrem(self._keys.seen, id)
            pipe.srem(self._keys.draining, id)
            await pipe.execute()

    async def list(self) -> list[WorkerInfo]:
        """All workers by id; one silent for 10 s is `lost`, after 70 s it is no longer listed."""
        async with self._redis.pipeline() as pipe:
            pipe.hgetall(self._keys.workers)
            pipe.zrange(self._keys.seen, 0, -1, withscores=True)
            pipe.smembers(self._keys.draining)
            pipe.time()
            infos, seen, draining, (seconds, _) = await pipe.execute()
        known = [
            _aged(WorkerInfo(**json.loads(infos[id])), id in draining, heartbeat, seconds - heartbeat)
            for id, heartbeat in seen
            if seconds - heartbeat < FORGOTTEN_AFTER_SECONDS
        ]
        return sorted(known, key=lambda info: info.id)


def _aged(info: WorkerInfo, draining: bool, heartbeat: float, age: float) -> WorkerInfo:
    state = "lost" if age >= LOST_AFTER_SECONDS else "draining" if draining else info.state
    return replace(info, heartbeat=heartbeat, state=state)
