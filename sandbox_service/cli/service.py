"""The whole service on one machine: queue, gateway and workers, started, watched and ended in order."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import httpx

from sandbox_service.cli.child import Child
from sandbox_service.cli.errors import CliError
from sandbox_service.cli.redis import named
from sandbox_service.queue import EmbeddedServer, QueueSettings, ServerNotStarted, WorkerRegistry, connect

READY_SECONDS, POLL_SECONDS = 60.0, 0.05
# A little longer than they give themselves.
GATEWAY_DRAIN_SECONDS, WORKER_DRAIN_SECONDS = 40.0, 70.0
WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """What `up` starts.

    Attributes:
        data_dir: where the queue keeps its data from one start to the next.
        host: the address to listen on.
        port: TCP port; 0 takes a free one.
        workers: worker processes; they share the cores.
        gateway_options: further arguments of the gateway.
        options: further arguments of gateway and workers.
        log: where they log to; `None`: to our stderr.
    """

    data_dir: Path
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    gateway_options: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    log: IO[bytes] | None = None


@contextmanager
def queue(data_dir: Path) -> Iterator[tuple[str, int | None]]:
    """The queue's URL, and the server's process id if it is ours: `SANDBOX_REDIS_URL`, else a server of our own.

    Raises:
        CliError: there is no server to start, or it does not start, or does not answer.
    """
    if url := named():
        yield url, None
        return
    server = EmbeddedServer(data_dir / "queue")
    try:
        server.start()
    except ServerNotStarted as error:
        raise CliError(str(error)) from None
    try:
        yield server.url, server.pid
    finally:
        server.stop()


class Service:
    """Gateway and workers on a queue.

    Args:
        settings: what to start.
        redis_url: the queue.
    """

    def __init__(self, settings: ServiceSettings, redis_url: str) -> None:
        self._settings, self._redis_url = settings, redis_url
        self._hurry = asyncio.Event()
        self.url = ""

    def hurry(self) -> None:
        """End at once instead of finishing what has begun."""
        self._hurry.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Start it, and wait until it takes submissions and has a worker; at the end let it finish, in order.

        Raises:
            CliError: it does not start; the message says which part.
        """
        listener = _listen(self._settings.host, self._settings.port)
        host, port = listener.getsockname()[:2]
        host = WILDCARDS.get(host, host)
        self.url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        gateway, workers = self._gateway(listener.fileno()), self._workers()
        watchers: list[asyncio.Task[None]] = []
        try:
            for child in (*workers, gateway):
                await child.start()
            await self._ready([gateway, *workers])
            watchers += [asyncio.create_task(child.keep_alive()) for child in (gateway, *workers)]
            yield
        finally:
            for watcher in watchers:
                watcher.cancel()
            await asyncio.gather(*watchers, return_exceptions=True)
            listener.close()  # else those who connect now would wait for an answer that nobody gives
            await self._stop(gateway, workers)

    def _gateway(self, listener: int) -> Child:
        host, port = self._settings.host, self._settings.port
        command = ["gateway", "--host", host, "--port", str(port), "--listener", str(listener)]
        options = (*self._settings.gateway_options, *self._settings.options)
        return Child([*command, *options], self._environment(), log=self._settings.log, descriptors=(listener,))

    def _workers(self) -> list[Child]:
        count, cores = self._settings.workers, len(os.sched_getaffinity(0))
        shares = [max(1, cores // count + (number < cores % count)) for number in range(count)]
        commands = [["worker", "--slots", str(share), *self._settings.options] for share in shares]
        return [Child(command, self._environment(), log=self._settings.log) for command in commands]

    def _environment(self) -> dict[str, str]:
        return {**os.environ, "SANDBOX_REDIS_URL": self._redis_url}

    async def _ready(self, children: list[Child]) -> None:
        """Wait until the gateway says that it is ready and a worker has registered."""
        ready = asyncio.create_task(self._poll())
        deaths = [asyncio.create_task(child.ended(), name=child.name) for child in children]
        try:
            done, _ = await asyncio.wait([ready, *deaths], timeout=READY_SECONDS, return_when="FIRST_COMPLETED")
            for death in deaths:
                if death in done:
                    raise CliError(f"the {death.get_name()} did not start (exit code {death.result()})")
            if not done:
                raise CliError(f"the service was not ready after {READY_SECONDS:.0f} s")
            ready.result()
        finally:
            for task in (ready, *deaths):
                task.cancel()
            await asyncio.gather(ready, *deaths, return_exceptions=True)

    async def _poll(self) -> None:
        redis = connect(self._redis_url)
        registry = WorkerRegistry(redis, QueueSettings())
        try:
            began = float((await redis.time())[0])
            async with httpx.AsyncClient(base_url=self.url, trust_env=False) as http:
                # Both are other processes' events: there is nothing to wait for but time.
                while not (await _answers(http) and await _has_worker(registry, began)):  # noqa: ASYNC110
                    await asyncio.sleep(POLL_SECONDS)
        finally:
            await redis.aclose()

    async def _stop(self, gateway: Child, workers: list[Child]) -> None:
        """First nothing more comes in, then the workers finish what they have begun."""

        async def in_order() -> None:
            await gateway.stop(GATEWAY_DRAIN_SECONDS)
            await asyncio.gather(*(worker.stop(WORKER_DRAIN_SECONDS) for worker in workers))

        orderly, hurry = asyncio.create_task(in_order()), asyncio.create_task(self._hurry.wait())
        await asyncio.wait([orderly, hurry], return_when="FIRST_COMPLETED")
        for task in (orderly, hurry):
            task.cancel()
        await asyncio.gather(orderly, hurry, return_exceptions=True)
        await asyncio.gather(*(child.stop(0) for child in (gateway, *workers)))


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; ours, so that the gateway may start again without refusing anyone.

    Raises:
        CliError: the address is none of this machine's, or in use.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise CliError(f"cannot listen on {host}, port {port}: {error.strerror}; see --host and --port") from None


async def _answers(http: httpx.AsyncClient) -> bool:
    try:
        return (await http.get("/readyz")).status_code == 200
    except httpx.TransportError:
        return False


async def _has_worker(registry: WorkerRegistry, began: float) -> bool:
    """Whether a worker gave a sign of life since then: one of an earlier start may still be listed."""
    return any(info.state == "ready" and info.heartbeat >= began for info in await registry.list())
