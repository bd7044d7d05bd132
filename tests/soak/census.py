"""What the host has of a service: counts that must not grow, and memory."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests import whole
from tests.chaos.processes import GONE, Sandboxes, below, descriptors, memory_bytes
from tests.service.host import mounts, state

IPC = ("shm", "sem", "msg")
SHARED_FOLDERS = ("/dev/shm", "/dev/mqueue")
NAMESPACES = ("cgroup", "ipc", "mnt", "net", "pid", "user", "uts")


def census(service: whole.Up, folder: Path) -> Counter[str]:
    """How many there are of everything that a run could leave.

    Args:
        service: while nothing runs.
        folder: of its data and its temporary files.
    """
    found = state(service)
    found["descriptors of the gateway"] = sum(map(descriptors, service.children()["gateway"]))
    found["descriptors of sandboxes"] = sum(map(descriptors, holders(service)))
    for kind in NAMESPACES:
        found[f"namespaces: {kind}"] = len(set(_namespaces(service, kind)))
    found["mounts of the host"] = len(mounts("self"))
    found["files"] = sum(len(files) + len(folders) for _, folders, files in os.walk(folder))
    for path in map(Path, SHARED_FOLDERS):
        found[f"files in {path}"] = len(list(path.iterdir())) if path.is_dir() else 0
    for kind in IPC:
        found[f"System V: {kind}"] = len(Path(f"/proc/sysvipc/{kind}").read_text().splitlines()) - 1
    return found


def memory(service: whole.Up) -> dict[str, float]:
    """MiB by part of the service: those of the worker, and those of who holds runs."""
    parts = service.children() | {"sandboxes": holders(service)}
    return {part: round(sum(map(memory_bytes, pids)) / (1 << 20), 2) for part, pids in parts.items()}


def holders(service: whole.Up) -> list[int]:
    """All processes of sandboxes that are not of a run."""
    return [pid for worker in service.children()["worker"] for pid in Sandboxes(worker).holders]


def _namespaces(service: whole.Up, kind: str) -> Iterator[str]:
    for pid in below(service.process.pid):
        try:
            yield str(Path(f"/proc/{pid}/ns/{kind}").readlink())
        except GONE:
            continue
