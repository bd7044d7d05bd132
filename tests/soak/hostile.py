"""Hostile submissions, round by round: nothing may be left of them, and honest ones beside them notice nothing."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path
from typing import Any

from redis import Redis

from sandbox_service import Client
from sandbox_service.contract.result import Result
from tests import known, whole
from tests.chaos.processes import adopt_orphans, children
from tests.soak.census import census, memory
from tests.soak.endurance import left_after
from tests.soak.enemies import enemies

HONEST_EACH = 10
ROOM = 1.05
WARM_UPS = 2
SETTLE_SECONDS = 20.0


def run(folder: Path, submissions: int, rounds: int, slots: int, ttl: int) -> dict[str, Any]:
    """Carry it out; `faults` is empty where all is well.

    Args:
        folder: for the service and its temporary files.
        submissions: hostile ones in a round; an honest one for each ten comes beside them.
        rounds: how many; what is left after the first is compared with what is left after the last.
        slots: how many run at once.
        ttl: how long results live, seconds.
    """
    adopt_orphans()
    (folder / "tmp").mkdir()
    options = ("--workers", str(slots), "--result-ttl", str(ttl), "--log-level", "WARNING")
    figures: list[dict[str, Any]] = []
    with (
        whole.up(folder, *options, TMPDIR=str(folder / "tmp")) as up,
        Client(up.url) as client,
        Redis.from_url(f"unix://{folder}/data/queue/redis.sock") as redis,
    ):
        first: Counter[str] = Counter()
        for number in range(rounds):
            figure = _round(client, submissions, number)
            _warm_up(client, slots)
            figure["keys_left"] = left_after(redis, ttl)
            found = _settled(up, folder, first)
            first = first or found
            figures.append(figure | {"memory_mib": memory(up), "more_than_first": dict(found - first)})
    return {"rounds": figures, "counts": dict(first), "faults": _faults(figures) + _strays()}


def _round(client: Client, submissions: int, number: int) -> dict[str, Any]:
    languages = {language["id"] for language in client.languages()}
    bodies = enemies(submissions, number, languages)
    honest = known.mixed(submissions // HONEST_EACH, number, languages)
    mixed: list[tuple[dict[str, Any], known.Known | None]] = [(body, None) for body in bodies]
    for place, program in enumerate(honest):
        mixed.insert(place * (HONEST_EACH + 1), (program.submission | {"cache": False}, program))
    began = time.monotonic()
    results = client.score([body for body, _ in mixed])
    faults = []
    for (body, program), result in zip(mixed, results, strict=True):
        wrong = program.faults(result.model_dump(mode="json")) if program else hostile_faults(result)
        faults += [f"{body['code'][-300:]!r}: {fault}" for fault in wrong]
    verdicts = Counter(str(result.verdict) for (_, program), result in zip(mixed, results, strict=True) if not program)
    seconds = round(time.monotonic() - began, 1)
    return {"seconds": seconds, "verdicts": dict(verdicts), "honest": len(honest), "faults": faults}


def hostile_faults(result: Result) -> list[str]:
    """What is wrong with the result of a hostile submission."""
    if result.verdict is None or result.infra_error is not None:
        return [f"no verdict: {result.infra_error}"]
    if result.verdict == "accepted" or result.reward or result.artifacts:
        return [f"{result.verdict}, reward {result.reward}, artifacts {list(result.artifacts)}"]
    return []


def _warm_up(client: Client, slots: int) -> None:
    """Have all slots at work, so that there are as many sandboxes as there ever are, and each has run the same."""
    codes = {"bash": "sleep 0.3", "python": "import time; time.sleep(0.3)"}
    for _ in range(WARM_UPS):
        for language, code in codes.items():
            client.score([{"language": language, "code": code, "cache": False}] * slots)


def _settled(up: whole.Up, folder: Path, first: Counter[str]) -> Counter[str]:
    """What there is once there is no more than at first; else what still is more after a while."""
    end = time.monotonic() + SETTLE_SECONDS
    found = census(up, folder)
    while first and found - first and time.monotonic() < end:
        time.sleep(0.2)
        found = census(up, folder)
    return found


def _strays() -> list[str]:
    """Processes that have lost all their parents but this one, which adopts them."""
    return [f"process {pid} is left" for pid in children(os.getpid())]


def _faults(figures: list[dict[str, Any]]) -> list[str]:
    first, last = figures[0]["memory_mib"], figures[-1]["memory_mib"]
    found = [f"{number}: {fault}" for number, figure in enumerate(figures) for fault in figure.pop("faults")[:20]]
    found += [f"{count} more: {name}" for name, count in figures[-1]["more_than_first"].items()]
    found += [f"{key} is left" for figure in figures for key in figure["keys_left"][:20]]
    for part in ("worker", "sandboxes"):
        if last[part] > first[part] * ROOM:
            found.append(f"memory of {part} grew from {first[part]} to {last[part]} MiB")
    return found
