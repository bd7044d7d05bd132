"""What the host has of a service: what must be the same after a submission as before it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tests import whole

GONE = (FileNotFoundError, ProcessLookupError)
SECONDS = 20.0


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


def groups() -> set[Path]:
    """Control groups of runs."""
    with suppress(FileNotFoundError):
        return set(Path("/sys/fs/cgroup").glob("**/sandbox-service-*/run-*"))
    return set()


def state(service: whole.Up) -> dict[str, object]:
    """Processes, mounts, descriptors and groups of a service."""
    workers = service.children()["worker"]
    processes = list(below(service.process.pid))
    groups_now = [path for path in groups() if path.parent.name.rsplit("-", 1)[1] in map(str, workers)]
    return {
        "processes": sorted(filter(None, map(shape, processes))),
        "groups": sorted(map(str, groups_now)),
        "mounts": [len(Path(f"/proc/{pid}/mountinfo").read_text().splitlines()) for pid in workers],
        "descriptors": [len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in workers],
    }


def wait_for_state(service: whole.Up, wanted: dict[str, object]) -> None:
    """Wait until a service is as it was; what is left for longer than that is left."""
    end = time.monotonic() + SECONDS
    while (now := state(service)) != wanted:
        assert time.monotonic() < end, f"left over: {now}\nwas: {wanted}"
        time.sleep(0.05)
