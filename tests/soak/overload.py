"""More than the service can do: it refuses what it cannot take, and does what it has taken."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
from redis import Redis

from tests import known, whole
from tests.chaos.observer import KEYS
from tests.soak.flood import Flood, flood
from tests.soak.usage import Usage, growth

CALIBRATION_SECONDS, CLIENTS = 5.0, 16
RESULTS_AT_ONCE = 1000


def run(folder: Path, seconds: float, times: float, most: int) -> dict[str, Any]:
    """Carry it out; `faults` is empty where all is well.

    Args:
        folder: for the service.
        seconds: how long.
        times: how many times what the service can do.
        most: the most that may be queued.
    """
    options = ("--max-queued", str(most), "--log-level", "WARNING")
    with (
        whole.up(folder, *options) as up,
        Redis.from_url(f"unix://{folder}/data/queue/redis.sock") as redis,
        Usage(up) as usage,
    ):
        rate, made, drained = asyncio.run(_run(up.url, usage, seconds, times))
        faults = made.faults[:20] + _unfinished(redis, made.accepted)
        faults += [] if drained else ["the queue was not empty in time"]
        faults += [] if made.retry_after else ["nothing was refused"]
    # A full queue and what it does in a second half of the time: all that grows with the load has grown by then.
    figures = usage.figures((0.4, 0.6), (0.8, 1.0))
    redis_figure = figures.pop("redis")  # it holds the results: it grows with what is finished, by its time to live
    return {
        "capacity_per_second": round(rate, 1),
        "offered_per_second": round(made.answers.total() / seconds, 1),
        "answers": dict(made.answers),
        "retry_after": {"least": min(made.retry_after, default=None), "most": max(made.retry_after, default=None)},
        "answer_seconds": {"p50": _cut(made.seconds, 50), "p99": _cut(made.seconds, 99)},
        "usage": figures | {"redis": redis_figure},
        "faults": faults + growth(figures, files=CLIENTS),
    }


async def _run(url: str, usage: Usage, seconds: float, times: float) -> tuple[float, Flood, bool]:
    async with httpx.AsyncClient(base_url=url, timeout=90, trust_env=False) as http:
        rate = await _capacity(http)
        made = await flood(url, known.echo("flood").submission | {"cache": False}, rate * times, seconds, usage.advance)
        return rate, made, await _drained(http, 60 + 2 * seconds)


async def _capacity(http: httpx.AsyncClient) -> float:
    """Submissions a second that the service can do."""
    end, done = time.monotonic() + CALIBRATION_SECONDS, 0
    program = known.echo("calibration").submission | {"cache": False}

    async def client() -> None:
        nonlocal done
        while time.monotonic() < end:
            answer = await http.post("/v1/submissions?wait=60", json=program)
            assert answer.json()["verdict"] == "accepted", answer.text
            done += 1

    await asyncio.gather(*(client() for _ in range(CLIENTS)))
    return done / CALIBRATION_SECONDS


async def _drained(http: httpx.AsyncClient, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        stats = (await http.get("/v1/stats")).json()
        if not stats["queue"]["depth"] and not stats["running"]:
            return True
        await asyncio.sleep(0.2)
    return False


def _unfinished(redis: Redis, ids: list[str]) -> list[str]:
    """Accepted submissions that did not end with the right verdict."""
    verdicts: Counter[str] = Counter()
    for start in range(0, len(ids), RESULTS_AT_ONCE):
        results = redis.mget([KEYS.result + id for id in ids[start : start + RESULTS_AT_ONCE]])
        verdicts.update("accepted" if result and b'"verdict":"accepted"' in result else "other" for result in results)
    return [f"{verdicts['other']} of {len(ids)} were not finished"] if verdicts["other"] else []


def _cut(seconds: list[float], percent: int) -> float:
    return round(statistics.quantiles(seconds, n=100)[percent - 1], 4)
