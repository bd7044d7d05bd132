"""The compatibility endpoints when something is wrong on our side, and who may use them."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandbox_service.contract import parse
from sandbox_service.contract.result import InfraError, Result
from sandbox_service.contract.verdict import State
from sandbox_service.gateway.settings import GatewaySettings
from sandbox_service.queue import Consumer, EmbeddedServer, Entry, QueueSettings, Summary, connect
from tests.gateway.service import STAGES, announce, connected, gateway, worker
from tests.queue.bench import until

RUN = {"language": "python", "code": "print('hello')"}
FUSION, PISTON = "/compat/sandboxfusion/run_code", "/compat/piston/api/v2/execute"
OPENRLHF, NEMO = "/compat/openrlhf/get_reward", "/compat/nemo-gym/verify"
MESSAGE = {"type": "message", "content": [{"type": "output_text", "text": "```\n1\n```"}]}
BODIES: dict[str, dict[str, Any]] = {
    FUSION: RUN,
    PISTON: {"language": "python", "version": "*", "files": [{"content": "1"}]},
    OPENRLHF: {"query": ["a"] * 3, "prompts": [""] * 3, "labels": ["assert True"] * 3},
    NEMO: {"response": {"output": [MESSAGE]}, "verifier_metadata": {"unit_tests": "assert True"}},
}


@asynccontextmanager
async def failing(url: str, settings: QueueSettings, error: InfraError) -> AsyncIterator[None]:
    """A worker that fails everything."""

    async def work(consumer: Consumer) -> None:
        while True:
            if lease := await consumer.take(1.0):
                result = Result(id=lease.entry.id, state=State.FAILED, infra_error=error)
                encoded = parse.dumps(result.model_dump(mode="json"))
                await consumer.finish(lease, encoded, Summary(result.state, None, STAGES, "python"))

    async with connect(url) as redis, Consumer(redis, settings, "failing") as consumer:
        task = asyncio.create_task(work(consumer))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])


@pytest.mark.parametrize(("path", "status"), [(FUSION, 504), (PISTON, 500), (OPENRLHF, 503), (NEMO, 503)])
async def test_our_failure_is_never_an_answer(
    http: httpx.AsyncClient, settings: GatewaySettings, path: str, status: int
) -> None:
    await announce(settings.redis_url, settings.queue, "python")
    error = InfraError(kind="disk_full", message="the disk is full", retryable=True)
    async with failing(settings.redis_url, settings.queue, error):
        answer = await http.post(path, json=BODIES[path])
    assert (answer.status_code, "the disk is full" in answer.text) == (status, True)
    assert "reward" not in answer.json()
    if path == FUSION:
        assert (answer.json()["status"], answer.json()["run_result"]) == ("SandboxError", None)


async def test_a_failure_that_comes_again(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    error = InfraError(kind="task_error", message="it is the task", retryable=False)
    async with failing(settings.redis_url, settings.queue, error):
        answer = await http.post(FUSION, json=RUN)
    assert (answer.status_code, answer.json()["status"], answer.json()["message"]) == (
        200,
        "SandboxError",
        "it is the task",
    )


async def test_who_comes_again_finds_what_was_left(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    hurried = RUN | {"compile_timeout": 0.1, "run_timeout": 0.1}
    answer = await http.post(FUSION, json=hurried, timeout=60)
    assert (answer.status_code, answer.json()["status"]) == (504, "SandboxError")
    assert (await http.get("/v1/stats")).json()["queue"]["depth"] == 1
    taken: list[Entry] = []
    again = asyncio.create_task(http.post(FUSION, json=hurried))
    async with worker(settings.redis_url, settings.queue, taken=taken):
        answer = await again
    assert (answer.status_code, answer.json()["run_result"]["stdout"], len(taken)) == (200, "hello\n", 1)


@pytest.mark.parametrize("path", BODIES)
async def test_who_goes_leaves_nothing_queued(http: httpx.AsyncClient, settings: GatewaySettings, path: str) -> None:
    await announce(settings.redis_url, settings.queue, "python")

    async def depth() -> int:
        return int((await http.get("/v1/stats")).json()["queue"]["depth"])

    async def reached(wanted: int) -> bool:
        return await depth() == wanted

    async with connected(str(http.base_url)) as other:
        asking = asyncio.create_task(other.post(path, json=BODIES[path]))
        await until(lambda: reached(3 if path == OPENRLHF else 1))
        asking.cancel()
        await asyncio.wait([asking])
    await until(lambda: reached(0))
    counted = [line for line in (await http.get("/metrics")).text.splitlines() if path in line]
    assert any('"499"' in line for line in counted), "it is no error"
    assert not any('"500"' in line for line in counted)


async def test_a_full_queue_is_waited_for(settings: GatewaySettings) -> None:
    settings = dataclasses.replace(settings, queue=dataclasses.replace(settings.queue, max_queued=1))
    with gateway(settings) as url:
        async with connected(url) as http:
            assert (await http.post("/v1/submissions", json=RUN)).status_code == 202
            answer = await http.post(FUSION, json=RUN | {"compile_timeout": 0.1, "run_timeout": 0.1})
            assert (answer.status_code, answer.json()["message"]) == (504, "the queue is full")
            asking = asyncio.create_task(http.post(FUSION, json=RUN))
            async with worker(settings.redis_url, settings.queue):
                assert (await asking).json()["status"] == "Success"


async def test_redis_is_away(settings: GatewaySettings) -> None:
    with EmbeddedServer() as server, gateway(dataclasses.replace(settings, redis_url=server.url)) as url:
        async with connected(url) as http:
            server.stop()
            for path, status in {FUSION: 504, PISTON: 503, OPENRLHF: 503, NEMO: 503}.items():
                assert (await http.post(path, json=BODIES[path])).status_code == status, path


KEYS = {"only": ["submit"], "more": ["submit", "read"], "reads": ["read"]}


async def test_keys(settings: GatewaySettings, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "keys.yaml"
    lines = [f"- {{tenant: {key}, key_sha256: {_digest(key)}, scopes: [{', '.join(KEYS[key])}]}}" for key in KEYS]
    file.write_text("\n".join(lines))
    settings = dataclasses.replace(settings, keys_file=file)
    with caplog.at_level(logging.DEBUG), gateway(settings) as url:
        async with connected(url) as http, worker(settings.redis_url, settings.queue):
            for key, status in {"only": 200, "more": 403, "reads": 403, "secret-unknown": 401}.items():
                answer = await http.post(f"/compat/k/{key}/sandboxfusion/run_code", json=RUN)
                assert (answer.status_code, key) == (status, key)
            header = {"Authorization": "Bearer more"}
            assert (await http.post(FUSION, json=RUN, headers=header)).status_code == 200
            assert (await http.post(FUSION, json=RUN)).status_code == 401
            answer = await http.post("/compat/k/secret-unknown/judge0/x", json=RUN)
            assert (answer.status_code, answer.json()["instance"]) == (501, "/compat/k/***/judge0/x")
            assert "secret-unknown" not in (await http.get("/metrics", headers=header)).text
    ours = [record.getMessage() for record in caplog.records if record.name.startswith(("sandbox_service", "uvicorn"))]
    assert ours
    assert "secret-unknown" not in "\n".join(ours)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
