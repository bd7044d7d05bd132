"""A worker that ended after long work is followed by a fresh one."""

from __future__ import annotations

import asyncio
from pathlib import Path

from sandbox_service.cli.child import Child
from sandbox_service.contract.parse import dumps
from sandbox_service.queue import EmbeddedServer, Producer, QueueSettings, Reader, connect
from tests import whole
from tests.queue.bench import PATIENCE_SECONDS, TENANT, entry


async def test_a_recycled_worker_is_followed_by_a_fresh_one(tmp_path: Path) -> None:
    with EmbeddedServer() as server, (tmp_path / "log").open("wb") as log:
        environment = whole.ENVIRONMENT | {"SANDBOX_REDIS_URL": server.url}
        child = Child(["worker", "--slots", "1", "--recycle-after", "3"], environment, log=log)
        await child.start()
        first, watcher = child.pid, asyncio.create_task(child.keep_alive())
        async with connect(server.url) as redis, Reader(redis, QueueSettings()) as reader:
            producer = Producer(redis, QueueSettings())
            ids = [
                await producer.submit(entry(payload=dumps({"language": "bash", "code": f"echo {number}"})))
                for number in range(5)
            ]
            statuses = [await reader.wait(id, TENANT, 2 * PATIENCE_SECONDS) for id in ids]
        watcher.cancel()
        await asyncio.gather(watcher, return_exceptions=True)
        assert [status and (status.state.value, status.attempts) for status in statuses] == [("finished", 1)] * 5
        assert child.pid not in (first, None)
        await child.stop(PATIENCE_SECONDS)
