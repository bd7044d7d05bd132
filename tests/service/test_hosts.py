"""Gateways and workers on several hosts with one Redis; a gateway and a worker die in the middle of a batch."""

from __future__ import annotations

import hashlib
import json
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandbox_service.queue.embedded import find_server
from tests import known, whole
from tests.service.network import Host, hosts, lacking

COUNT, KILL_AT, SECONDS = 300, 80, 60
KEY, PASSWORD = "open sesame", "swordfish"
Process = subprocess.Popen[bytes]


@contextmanager
def process(host: Host, log: Path, command: list[str], **environment: str) -> Iterator[Process]:
    """A command on a host."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            host.command(*command), stdout=output, stderr=output, env=whole.ENVIRONMENT | environment
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(whole.STOP_SECONDS)


def redis(host: Host, folder: Path) -> list[str]:
    options = {"bind": host.address, "requirepass": PASSWORD, "dir": str(folder), "appendonly": "yes", "save": ""}
    return [str(find_server()), *(word for name, value in options.items() for word in (f"--{name}", value))]


def keys(folder: Path) -> str:
    file = folder / "keys.yaml"
    file.write_text(f"- {{tenant: us, key_sha256: {hashlib.sha256(KEY.encode()).hexdigest()}, scopes: [submit, read]}}")
    return str(file)


def until(done: Callable[[], bool]) -> None:
    """Wait until it is done; whoever does not answer yet is asked again."""
    end = time.monotonic() + SECONDS
    while True:
        try:
            if done():
                return
        except (httpx.TransportError, OSError):
            pass
        assert time.monotonic() < end
        time.sleep(0.1)


def answers(host: Host, port: int) -> bool:
    socket.create_connection((host.address, port), 1).close()
    return True


def is_ready(gateway: httpx.Client, workers: int) -> bool:
    states = [worker["state"] for worker in gateway.get("/v1/workers").raise_for_status().json()["workers"]]
    return states == ["ready"] * workers


def client(host: Host) -> httpx.Client:
    headers = {"Authorization": f"Bearer {KEY}"}
    return httpx.Client(base_url=f"http://{host.address}:8000", headers=headers, timeout=SECONDS, trust_env=False)


class Reading:
    """The lines of a batch, read from one gateway after another."""

    def __init__(self, batch: str) -> None:
        self._batch = batch
        self.lines: list[dict[str, Any]] = []

    def read(self, gateway: httpx.Client, at: int, act: Callable[[], None]) -> None:
        """Go on from the last cursor to the end, or the connection's; do something when there are so many lines."""
        after = self.lines[-1]["cursor"] if self.lines else "0"
        with gateway.stream("GET", f"/v1/batches/{self._batch}/results", params={"after": after}) as response:
            for line in filter(None, response.iter_lines()):
                self.lines.append(json.loads(line))
                if len(self.lines) == at:
                    act()


def score(gateways: list[httpx.Client], lose_one: Callable[[], None]) -> None:
    """Send a batch to the first gateway and read it from the second, which is lost meanwhile, then from the first."""
    for gateway in gateways:
        until(lambda gateway=gateway: is_ready(gateway, workers=len(gateways)))  # type: ignore[misc]
    offered = [language["id"] for language in gateways[0].get("/v1/languages").json()["languages"]]
    programs = known.mixed(COUNT, seed=7, languages=offered)
    body = {"submissions": [program.submission for program in programs]}
    reading = Reading(gateways[0].post("/v1/batches", json=body).json()["id"])
    with pytest.raises(httpx.TransportError):
        reading.read(gateways[1], KILL_AT, lose_one)
    assert KILL_AT <= len(reading.lines) < COUNT
    reading.read(gateways[0], COUNT, lambda: None)
    assert sorted(line["index"] for line in reading.lines) == list(range(COUNT))
    assert [fault for line in reading.lines for fault in programs[line["index"]].faults(line)] == []


@pytest.mark.skipif(bool(lacking()), reason=str(lacking()))
def test_a_gateway_and_a_worker_are_lost(tmp_path: Path) -> None:
    with ExitStack() as stack:
        first, *others, trainer = stack.enter_context(hosts(3))
        thread = stack.enter_context(trainer.thread())
        stack.enter_context(process(first, tmp_path / "redis.log", redis(first, tmp_path)))
        thread.submit(until, lambda: answers(first, 6379)).result()
        url, keys_file = f"redis://:{PASSWORD}@{first.address}:6379", keys(tmp_path)
        started: list[Process] = []
        clients: list[httpx.Client] = []
        for host in others:
            gateway = whole.command("gateway", "--host", host.address, "--keys", keys_file)
            for command in (gateway, whole.command("worker", "--slots", "1")):
                log = tmp_path / f"{len(started)}.log"
                started.append(stack.enter_context(process(host, log, command, SANDBOX_REDIS_URL=url)))
            clients.append(stack.enter_context(client(host)))

        def lose_one() -> None:
            for victim in started[2:]:
                victim.kill()

        thread.submit(score, clients, lose_one).result()
