"""A real gateway on a free port, and a worker that ends what it takes without running anything."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import httpx

from sandbox_service.contract import parse
from sandbox_service.contract.result import CaseResult, Component, Isolation, PolicyRef, Result, Timing
from sandbox_service.contract.verdict import State, Verdict
from sandbox_service.gateway.server import build
from sandbox_service.gateway.settings import GatewaySettings
from sandbox_service.queue import Consumer, Entry, QueueSettings, Summary, WorkerInfo, WorkerRegistry, connect

START_SECONDS, STOP_SECONDS = 60.0, 60.0
STAGES = {"queued": 0.001, "start": 0.002, "run": 0.01, "judge": 0.0, "total": 0.013}
JSON = {"content-type": "application/json"}
JSON_LINES = {"content-type": "application/jsonl"}
HELLO = {"language": "python", "code": "print('hello')"}


@contextmanager
def gateway(settings: GatewaySettings) -> Iterator[str]:
    """A running gateway; gives its URL."""
    with socket.create_server((settings.host, 0)) as listener:
        server = build(settings)
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        try:
            end = time.monotonic() + START_SECONDS
            while not server.started:
                assert thread.is_alive(), "the gateway did not start"
                assert time.monotonic() < end
                time.sleep(0.01)
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(STOP_SECONDS)
            assert not thread.is_alive(), "the gateway did not stop"


def connected(url: str) -> httpx.AsyncClient:
    """A client of a gateway."""
    return httpx.AsyncClient(base_url=url, timeout=60, trust_env=False)


def accepted(entry: Entry) -> Result:
    """A result like that of a right program."""
    body = json.loads(entry.payload)
    return Result(
        id=entry.id,
        state=State.FINISHED,
        verdict=Verdict.ACCEPTED,
        reward=1.0,
        passed=1,
        total=1,
        components=[Component(name="tests", value=1.0, weight=1.0)],
        cases=[CaseResult(id="0", verdict=Verdict.ACCEPTED, stdout="hello\n", exit_code=0)],
        isolation=Isolation(executor="none"),
        timing=Timing(total_seconds=STAGES["total"]),
        attempts=1,
        policy=PolicyRef(name="default", digest="0"),
        domain=entry.domain,
        metadata=body.get("metadata", {}),
    )


@asynccontextmanager
async def worker(
    url: str, settings: QueueSettings, *, taken: list[Entry] | None = None, slots: int = 1
) -> AsyncIterator[None]:
    """Ends everything in the queue as accepted while it is open; what it took stands in `taken`, in order."""
    name = f"test-{time.monotonic_ns()}"
    async with connect(url) as redis, Consumer(redis, settings, name) as consumer:
        seen = [] if taken is None else taken
        tasks = [asyncio.create_task(_work(consumer, seen)) for _ in range(slots)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            _, pending = await asyncio.wait(tasks, timeout=STOP_SECONDS)
            assert not pending, "the worker did not stop"


async def _work(consumer: Consumer, taken: list[Entry]) -> None:
    while True:
        if lease := await consumer.take(1.0):
            taken.append(lease.entry)
            result = accepted(lease.entry)
            language = json.loads(lease.entry.payload)["language"]
            summary = Summary(state=result.state, verdict=result.verdict, stages=STAGES, language=language)
            await consumer.finish(lease, parse.dumps(result.model_dump(mode="json")), summary)


def language(name: str) -> dict[str, Any]:
    """A language as a worker offers it."""
    return {
        "id": name,
        "name": name.title(),
        "version": "1.0",
        "extensions": [f".{name}"],
        "compile": None,
        "run": [f"/usr/bin/{name}", "{entrypoint}"],
        "tasks": ["run", "stdio"],
        "default_limits": {"cpu_seconds": 10.0},
        "compile_flags": [],
    }


async def announce(
    url: str, settings: QueueSettings, *languages: str, id: str = "w1", tools: Sequence[str] = ("math", "ruff")
) -> None:
    """Register a worker that offers languages, and judges with tools."""
    info = WorkerInfo(
        id=id,
        host="here",
        state="ready",
        slots=2,
        busy=1,
        executors=["namespace"],
        languages=[language(name) for name in languages],
        tools=list(tools),
    )
    async with connect(url) as redis:
        await WorkerRegistry(redis, settings).announce(info)
