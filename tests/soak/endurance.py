"""Many cheap submissions through one service: it must not grow, and Redis must forget them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from redis import Redis

from sandbox_service import Client
from tests import known, whole
from tests.chaos.observer import KEYS, of_submissions
from tests.soak.usage import Usage, growth

AT_ONCE = 1000
FORGOTTEN_SECONDS = 30.0
MINUTES_COUNTED = 63
WARM = 0.02
"""Before this share of the load the processes still load what they need."""


def run(folder: Path, submissions: int, ttl: int) -> dict[str, Any]:
    """Carry it out; `faults` is empty where all is well."""
    faults: list[str] = []
    with (
        whole.up(folder, "--result-ttl", str(ttl), "--log-level", "WARNING") as up,
        Client(up.url) as client,
        Redis.from_url(f"unix://{folder}/data/queue/redis.sock") as redis,
    ):
        # Then every slot has its sandbox.
        client.score([known.echo(f"warm {number}").submission for number in range(AT_ONCE // 10)])
        began = time.monotonic()
        with Usage(up) as usage:
            for first in range(0, submissions, AT_ONCE):
                programs = [known.echo(str(number)) for number in range(first, min(first + AT_ONCE, submissions))]
                results = client.score(
                    [program.submission for program in programs],
                    progress=lambda done, _, first=first: usage.advance((first + done) / submissions),  # type: ignore[misc]
                )
                for program, result in zip(programs, results, strict=True):
                    faults += program.faults(result.model_dump(mode="json"))
        seconds = time.monotonic() - began
        used = redis.info("memory")["used_memory"]
        left = left_after(redis, ttl)
        figures = usage.figures((WARM, 0.1), (0.9, 1.0))
        report = {
            "submissions": submissions,
            "per_second": round(submissions / seconds, 1),
            "usage": figures,
            "redis_bytes": {"under_load": used, "after_ttl": redis.info("memory")["used_memory"]},
            "keys_left": len(left),
        }
    faults += [f"{key} is left" for key in left[:20]]
    return report | {"faults": faults + growth(figures, files=8)}


def left_after(redis: Redis, ttl: int) -> list[str]:
    """What submissions brought and is still there when all results must have expired.

    The counts of the last hour do not count, of which there is one a minute.
    """
    time.sleep(ttl)
    end = time.monotonic() + FORGOTTEN_SECONDS
    while True:
        keys = of_submissions(redis)
        counts = [key for key in keys if key.startswith(KEYS.ended)]
        left = [key for key in keys if key not in counts] + counts[MINUTES_COUNTED:]
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.2)
