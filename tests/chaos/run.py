"""One run: a service, a load, and kills."""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from redis import Redis

from sandbox_service import Client, Result
from tests import known, whole
from tests.chaos import audit
from tests.chaos.killer import Killer
from tests.chaos.load import LANES, Load, at_once
from tests.chaos.observer import Observer
from tests.chaos.plan import plan
from tests.chaos.processes import adopt_orphans
from tests.chaos.server import Server

WORKERS, SETTLE_SECONDS = 2, 120.0


@dataclass(frozen=True)
class Order:
    """What is asked for."""

    seed: int
    kills: int
    submissions: int


def run(order: Order, folder: Path) -> dict[str, Any]:
    """Carry it out; the report has `faults`, which is empty where all is well.

    To be called in a process of its own: it becomes the parent of all that loses its parent.
    """
    adopt_orphans()
    machine, began = audit.Machine(), time.monotonic()
    temporary = folder / "tmp"
    temporary.mkdir()
    server = Server(folder / "redis")
    server.start()
    try:
        with (
            whole.up(folder, "--workers", str(WORKERS), SANDBOX_REDIS_URL=server.url, TMPDIR=str(temporary)) as up,
            Redis.from_url(server.url) as redis,
        ):
            report, workers = _under_fire(order, up, server, redis)
            code = up.stop()
    finally:
        server.stop()
    report["faults"] += [f"`up` ended with code {code}"] if code else []
    report["faults"] += [f"left behind: {left}" for left in machine.left(temporary, workers)]
    return report | {"seconds": round(time.monotonic() - began, 1)}


def _under_fire(order: Order, up: whole.Up, server: Server, redis: Redis) -> tuple[dict[str, Any], set[int]]:
    with Client(up.url) as client:
        offered = [language["id"] for language in client.languages()]
        programs = known.mixed(order.submissions, order.seed, offered)
        with Observer(server.url) as observer:
            killer = Killer(plan(order.seed, order.kills, order.submissions), up, server, observer)
            must_be_over = partial(_kills_before, len(programs), len(killer.plan))
            load = Load(client, programs, lambda number: killer.wait_for(must_be_over(number), SETTLE_SECONDS))
            killing = threading.Thread(target=killer.run)
            killing.start()
            load.run()
            killing.join()
            observer.wait_for(order.submissions, SETTLE_SECONDS)
            faults = [killer.problem] if killer.problem else []
            faults += _settled(up, killer)
            faults += load.problems
            faults += audit.verdicts(programs, load.results)
            faults += audit.endings(load.results.values(), observer.endings)
            faults += audit.queue(redis)
    return _report(order, killer, load.results) | {"faults": faults}, killer.workers


def _kills_before(submissions: int, kills: int, number: int) -> int:
    """How many kills have to be over before a submission is sent: else all would have ended before the last kill."""
    ahead = LANES * at_once(submissions) + submissions / kills
    return int(max(0.0, number - ahead) * kills / submissions)


def _settled(up: whole.Up, killer: Killer) -> list[str]:
    """Wait until as many workers as at first are ready, and nothing runs any more."""
    end = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < end:
        pids = up.children().get("worker", [])
        killer.workers.update(pids)
        listed = _listed(up)
        ready = [worker["id"] for worker in listed if worker["state"] == "ready" and not worker["busy"]]
        if len(pids) == WORKERS and all(any(f"-{pid}-" in id for id in ready) for pid in pids):
            return []
        time.sleep(0.1)
    return ["the workers did not come back"]


def _listed(up: whole.Up) -> list[dict[str, Any]]:
    """The workers, as far as there is a gateway to tell of them."""
    try:
        answer = httpx.get(f"{up.url}/v1/workers", trust_env=False, timeout=SETTLE_SECONDS)
    except httpx.TransportError:
        return []
    return list(answer.json()["workers"]) if answer.is_success else []


def _report(order: Order, killer: Killer, results: dict[int, Result]) -> dict[str, Any]:
    failed = [result for result in results.values() if result.state == "failed"]
    return {
        "seed": order.seed,
        "kills": dict(sorted(killer.seen.items())),
        "states": Counter(result.state for result in results.values()),
        "verdicts": Counter(result.verdict for result in results.values()),
        "failed": Counter(result.infra_error.kind for result in failed if result.infra_error),
        "attempts": dict(sorted(Counter(result.attempts for result in results.values()).items())),
    }
