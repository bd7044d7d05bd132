"""Workers on a queue, some of which fail by our fault."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any, Self

from sandbox_service import languages, policy
from sandbox_service.contract.data import data_dir
from sandbox_service.contract.parse import dumps
from sandbox_service.contract.run import Preload
from sandbox_service.contract.submission import Priority
from sandbox_service.executor import Executor, ExecutorError, Sandbox
from sandbox_service.queue import (
    Consumer,
    Entry,
    Producer,
    QueueSettings,
    Reader,
    ResultCache,
    WorkerInfo,
    WorkerRegistry,
    connect,
)
from sandbox_service.worker.loop import Loop
from sandbox_service.worker.pipeline import Pipeline
from sandbox_service.worker.settings import WorkerSettings
from sandbox_service.worker.twins import Twins
from tests.queue.bench import PATIENCE_SECONDS, TENANT, entry


class Broken:
    """An executor that makes no sandboxes."""

    def __init__(self, *, retryable: bool) -> None:
        self._retryable = retryable

    async def open(self, *, strict: bool = False, preload: Preload | None = None) -> Sandbox:
        raise ExecutorError("sandbox_start", "broken by the test", retryable=self._retryable)


class Staff:
    """A queue, and workers as they are hired."""

    def __init__(self, redis_url: str, executor: Executor, settings: QueueSettings) -> None:
        self.executor, self.settings = executor, settings
        self._url, self.redis, self._stack = redis_url, connect(redis_url), AsyncExitStack()
        self.registry = WorkerRegistry(self.redis, settings)
        self.reader, self.producer = Reader(self.redis, settings), Producer(self.redis, settings)

    async def __aenter__(self) -> Self:
        self._stack.push_async_callback(self.redis.aclose)
        await self._stack.enter_async_context(self.reader)
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._stack.aclose()

    @asynccontextmanager
    async def worker(
        self, id: str, executor: Executor | None = None, recycle_after: int = 1000, slots: int = 1, **changes: Any
    ) -> AsyncIterator[asyncio.Task[None]]:
        """A worker; the task of its loop. It is told to stop at the end."""
        queue = replace(self.settings, **changes)
        settings = WorkerSettings(self._url, queue, slots=slots, id=id, recycle_after=recycle_after)
        pipeline = Pipeline(
            executor or self.executor, policy.load(settings.policies_dir), languages.load(data_dir("runner_images"))
        )
        info = WorkerInfo(id, "here", "ready", slots, 0, ["namespace"])
        stopping = asyncio.Event()
        async with connect(self._url) as redis, Consumer(redis, queue, id) as consumer:
            twins = Twins(ResultCache(redis, queue), policy.load(settings.policies_dir), b"here")
            loop = Loop(settings, consumer, WorkerRegistry(redis, queue), pipeline, twins, info)
            task = asyncio.create_task(loop.run(stopping))
            try:
                yield task
            finally:
                stopping.set()
                await asyncio.wait_for(task, PATIENCE_SECONDS)

    async def submit(self, code: str, tenant: str = TENANT, **body: Any) -> str:
        """Queue a program of bash."""
        return await self.producer.submit(_entry(code, tenant, **body))

    async def submit_batch(self, codes: list[str]) -> tuple[str, list[str]]:
        """Queue programs of bash together; the ids of the batch and of each."""
        members = [replace(_entry(code, TENANT), batch="bat_1", index=index) for index, code in enumerate(codes)]
        return await self.producer.submit_batch("bat_1", TENANT, members), [member.id for member in members]

    async def result(self, id: str, tenant: str = TENANT) -> dict[str, Any]:
        """What became of it."""
        status = await self.reader.wait(id, tenant, PATIENCE_SECONDS)
        assert status is not None
        assert status.result is not None, status
        result: dict[str, Any] = json.loads(status.result)
        return result

    async def state(self, id: str) -> str:
        """Its state now."""
        status = await self.reader.status(id, TENANT)
        assert status is not None
        return status.state

    async def workers(self) -> dict[str, str]:
        """The states of the workers that are registered."""
        return {info.id: info.state for info in await self.registry.list()}


def _entry(code: str, tenant: str, **body: Any) -> Entry:
    return entry(
        tenant=tenant,
        payload=dumps({"language": "bash", "code": code} | body),
        domain=body.get("domain", "code"),
        priority=Priority(body.get("priority", "normal")),
        created=time.time(),
    )
