"""SIGTERM: waits and streams end at once and cleanly, and the process ends."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from sandbox_service.gateway.settings import GatewaySettings
from tests.gateway.service import HELLO, connected, worker

PROGRAM = """
import sys
from sandbox_service.gateway.server import build
from sandbox_service.gateway.settings import GatewaySettings
from sandbox_service.queue import QueueSettings
url, prefix, port = sys.argv[1:]
build(GatewaySettings(redis_url=url, port=int(port), queue=QueueSettings(prefix=prefix))).run()
"""


@asynccontextmanager
async def process(settings: GatewaySettings) -> AsyncIterator[tuple[asyncio.subprocess.Process, httpx.AsyncClient]]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    arguments = [settings.redis_url, settings.queue.prefix, str(port)]
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", PROGRAM, *arguments)
    try:
        async with connected(f"http://127.0.0.1:{port}") as http:
            await _ready(http)
            yield child, http
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()


async def _ready(http: httpx.AsyncClient) -> None:
    for _ in range(400):
        try:
            if (await http.get("/readyz")).status_code == 200:
                return
        except httpx.TransportError:
            pass
        await asyncio.sleep(0.05)
    pytest.fail("the gateway did not start")


async def test_waits_and_streams_end_cleanly(settings: GatewaySettings) -> None:
    body = {"submissions": [HELLO] * 3}
    async with process(settings) as (child, http):
        batch = (await http.post("/v1/batches", json=body)).headers["location"]
        created = await http.post("/v1/submissions", json=HELLO | {"priority": "low"})
        posting = asyncio.create_task(http.post("/v1/submissions?wait=60", json=HELLO | {"priority": "low"}))
        getting = asyncio.create_task(http.get(created.headers["location"], params={"wait": 60}))
        reading = asyncio.create_task(http.get(f"{batch}/results"))
        await asyncio.sleep(0.5)  # the three are waiting; if they were not yet, their answers were the same
        child.send_signal(signal.SIGTERM)
        posted, got, stream = await asyncio.wait_for(asyncio.gather(posting, getting, reading), 20)
        await asyncio.wait_for(child.wait(), 20)
    assert (posted.status_code, posted.json()["state"]) == (202, "queued")
    assert (got.status_code, got.json()["state"]) == (200, "queued")
    assert (stream.status_code, stream.content) == (200, b"")

    async with process(settings) as (_, http), worker(settings.redis_url, settings.queue):
        again = await http.get(f"{batch}/results")
        result = await http.get(posted.headers["location"], params={"wait": 30})
    assert len([json.loads(line) for line in again.text.splitlines() if line]) == 3
    assert result.json()["state"] == "finished"
