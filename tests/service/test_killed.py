"""A part of the service is killed in the middle of a batch of 200: each submission ends once, with its own verdict."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandbox_service import Client
from tests import known, whole
from tests.service import host

KINDS = {
    known.echo: 110,
    known.wrong: 20,
    known.failing: 20,
    known.python: 15,
    known.sleeper: 10,
    known.endless: 5,
    known.sleeping_too_long: 5,
    known.greedy: 5,
    known.talkative: 5,
    known.not_compiling: 3,
    known.compiled: 2,
}
COUNT = sum(KINDS.values())


@pytest.fixture
def programs() -> list[known.Known]:
    """Some of every kind of ending, mixed."""
    kinds = [kind for kind, count in KINDS.items() for _ in range(count)]
    return [kinds[number * 7 % COUNT](f"program {number}") for number in range(COUNT)]


def check(programs: list[known.Known], results: list[dict[str, Any]]) -> None:
    assert len(results) == COUNT
    assert len({result["id"] for result in results}) == COUNT
    faults = {}
    for number, (program, result) in enumerate(zip(programs, results, strict=True)):
        assert result["state"] == "finished", result
        if found := program.faults(result):
            faults[number] = found
    assert not faults


def test_a_worker_is_killed(tmp_path: Path, programs: list[known.Known]) -> None:
    with whole.up(tmp_path) as up, httpx.Client(base_url=up.url, timeout=60, trust_env=False) as http:
        with Client(up.url) as client:
            before = host.busy_then_idle(up, client)
        (worker,) = up.children()["worker"]
        body = {"submissions": [program.submission for program in programs]}
        batch = http.post("/v1/batches", json=body).json()["id"]
        wait_for(lambda: count(http, batch, "finished") >= COUNT // 4)
        # Not between two submissions: one is at work that takes its time.
        wait_for(lambda: any("sleep 0.4" in host.shape(pid) for pid in host.below(worker)))
        sandboxes = list(host.below(worker))
        os.kill(worker, signal.SIGKILL)
        whole.wait_until_gone([worker, *sandboxes])

        with http.stream("GET", f"/v1/batches/{batch}/results") as stream:
            lines = [json.loads(line) for line in stream.iter_lines() if line.strip()]
        assert Counter(line["index"] for line in lines) == Counter(range(COUNT))
        check(programs, sorted(lines, key=lambda line: line["index"]))
        assert {line["attempts"] for line in lines} == {1, 2}
        assert count(http, batch, "finished") == COUNT

        (other,) = up.children()["worker"]
        assert other != worker
        wait_for(lambda: not list(Path("/sys/fs/cgroup").glob(f"**/sandbox-service-{worker}")))
        host.wait_until_no_more(up, before)


def test_the_gateway_is_killed(tmp_path: Path, programs: list[known.Known]) -> None:
    """The client connects again and goes on; no result is lost, and none comes twice."""
    with whole.up(tmp_path) as up, Client(up.url) as client:
        reached, seen = threading.Event(), list[int]()

        def progress(done: int, _: int | None) -> None:
            seen.append(done)
            if done >= COUNT // 4:
                reached.set()

        def kill() -> None:
            reached.wait(60)
            os.kill(up.children()["gateway"][0], signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        results = client.score([program.submission for program in programs], progress=progress)
        killer.join()
        assert reached.is_set()
        check(programs, [result.model_dump(mode="json") for result in results])
        assert {result.attempts for result in results} == {1}
        assert seen == sorted(seen)
        assert seen[-1] == COUNT


def count(http: httpx.Client, batch: str, state: str) -> int:
    """How many of a batch are in a state."""
    states: dict[str, int] = http.get(f"/v1/batches/{batch}").json()["states"]
    return states.get(state, 0)


def wait_for(done: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.full
def test_those_who_wait_for_a_twin_survive_their_worker(tmp_path: Path) -> None:
    program = {"language": "bash", "code": "sleep 4; cat /proc/sys/kernel/random/uuid"}
    with whole.up(tmp_path) as up, Client(up.url) as client:
        ids = [client.submit(program) for _ in range(8)]
        end = time.monotonic() + 30
        while httpx.get(f"{up.url}/v1/stats", trust_env=False).json()["running"] < len(ids):
            assert time.monotonic() < end
            time.sleep(0.05)
        (worker,) = up.children()["worker"]
        os.kill(worker, signal.SIGKILL)
        results = [client.result(id) for id in ids]
    assert [(result.state, result.attempts) for result in results] == [("finished", 2)] * 8
    assert len({result.cases[0].stdout for result in results}) == 1
    assert sum(result.cached for result in results) == 7
