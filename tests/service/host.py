"""What the host has of a service: what must be the same after a submission as before it."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sandbox_service import Client
from tests import whole

GONE = (FileNotFoundError, ProcessLookupError)
SECONDS = 120.0
"""Long enough for what a worker does once beside its work: it reads headers beforehand."""


def below(pid: int) -> Iterator[int]:
    """All processes below one."""
    with suppress(*GONE):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield int(child)
                yield from below(int(child))


def shape(pid: int) -> str:
    """What a process is; a zombie shows as one."""
    try:
        command = (Path(f"/proc/{pid}") / "cmdline").read_bytes().split(b"\0")
        users = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("Uid"))
    except (*GONE, StopIteration):
        return ""
    return f"{b' '.join(command[:3]).decode(errors='replace') or 'zombie'} as {users.split()[1]}"


def mounts(pid: int | str) -> list[str]:
    """Where something is mounted, as a process sees it; not the networks that other tests give names to."""
    points = [line.split()[4] for line in Path(f"/proc/{pid}/mountinfo").read_text().splitlines()]
    return [point for point in points if not point.startswith("/run/netns")]


def groups() -> set[Path]:
    """Control groups of sandboxes."""
    with suppress(FileNotFoundError):
        return set(Path("/sys/fs/cgroup").glob("**/sandbox-service-*/slot-*"))
    return set()


def state(service: whole.Up) -> Counter[str]:
    """How many processes of each shape, mounts, descriptors and control groups a service has."""
    workers = service.children()["worker"]
    found = Counter(filter(None, map(shape, below(service.process.pid))))
    found["control groups of sandboxes"] = sum(int(path.parent.name.rsplit("-", 1)[1]) in workers for path in groups())
    for pid in workers:
        found["mounts"] += len(mounts(pid))
        found["descriptors"] += len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return found


def busy_then_idle(service: whole.Up, client: Client) -> Counter[str]:
    """The state of a service that had all its slots at work, and so has as many sandboxes as it ever keeps."""
    client.score([{"language": "bash", "code": "sleep 0.3", "cache": False}] * 2 * (os.cpu_count() or 1))
    return state(service)


def wait_until_no_more(service: whole.Up, before: Counter[str]) -> None:
    """Wait until a service has nothing that it had not before; what is left for longer than that is left."""
    end = time.monotonic() + SECONDS
    while more := state(service) - before:
        assert time.monotonic() < end, f"left over: {more}"
        time.sleep(0.05)
