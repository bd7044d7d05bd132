"""What must hold at the end, whatever happened on the way."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from redis import Redis

from sandbox_service import Result
from tests.chaos.observer import KEYS, of_submissions
from tests.chaos.processes import below, is_there
from tests.known import Known

SECONDS = 30.0


def verdicts(programs: Sequence[Known], results: dict[int, Result]) -> list[str]:
    """Results that are not what they must be. A failure of ours is none of them, if it says so and no reward."""
    found = [f"submission {number} has no result" for number in range(len(programs)) if number not in results]
    for number, result in sorted(results.items()):
        found += [f"submission {number} ({result.id}): {fault}" for fault in _faults(programs[number], result)]
    return found


def _faults(program: Known, result: Result) -> list[str]:
    if result.state == "finished":
        return program.faults(result.model_dump(mode="json"))
    error = result.infra_error
    if result.state != "failed" or error is None or result.reward is not None or result.verdict is not None:
        return [f"ended as {result!r}"]
    # `no_result` is what the SDK says where it could not learn what became of a submission.
    return [] if error.retryable and error.kind != "no_result" else [f"failed for good: {error!r}"]


def endings(results: Iterable[Result], announced: Counter[str]) -> list[str]:
    """Submissions that did not end exactly once, and endings of what nobody sent."""
    ids = Counter(result.id for result in results)
    return [
        f"{id or 'a result without an id'}: {ids[id]} times a result, announced {announced[id]} times"
        for id in ids | announced
        if (ids[id], announced[id]) != (1, 1)
    ]


def queue(redis: Redis) -> list[str]:
    """What submissions brought and nothing will ever remove; what is still queued or leased is among it."""
    found = [f"{key} has no end" for key in of_submissions(redis) if redis.ttl(key) == -1]
    held = int(redis.get(KEYS.held) or 0)
    return found + ([f"{held} bytes count as held"] if held else [])


class Machine:
    """What of the machine a service uses, before and after."""

    def __init__(self) -> None:
        self._mounts = self._mounted()

    def left(self, folder: Path, workers: Iterable[int]) -> list[str]:
        """What is left of a service that has ended: processes below this one, mounts, temporary files, groups."""
        end = time.monotonic() + SECONDS
        while (found := self._left(folder, workers)) and time.monotonic() < end:
            time.sleep(0.2)
        return found

    def _left(self, folder: Path, workers: Iterable[int]) -> list[str]:
        alive = [pid for pid in below(os.getpid()) if is_there(pid)]
        found = [f"process {pid}: {Path(f'/proc/{pid}/cmdline').read_bytes()[:80]!r}" for pid in alive]
        found += [f"mount {line}" for line in sorted(self._mounted() - self._mounts)]
        found += [f"temporary file {path}" for path in folder.rglob("*")]
        names = {f"sandbox-service-{worker}" for worker in workers}
        groups = (path for path, folders, _ in os.walk("/sys/fs/cgroup") if names & set(folders))
        return found + [f"a control group of a worker in {path}" for path in groups]

    @staticmethod
    def _mounted() -> set[str]:
        return {line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()}
