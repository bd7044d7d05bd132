"""Control groups: memory, processes and CPU time of a run. v1, hybrid and v2, as root or delegated.

A fresh group for every run: its counters start at zero, nothing of an earlier run is charged to it,
and that it can be removed afterwards proves that no process of the run is left.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

PREFIX = "sandbox-service-"
LEAF = f"{PREFIX}own"
VACATE_TRIES = 10
# `share`: a run gets as much of the machine as any other, however many threads it has; they do not starve the others.
V1_CONTROLLERS = {"memory": "memory", "pids": "processes", "cpuacct": "cpu", "cpu": "share"}
V2_CONTROLLERS = {"memory": "memory", "pids": "processes", "cpu": "share"}
V1_SHARE, V2_SHARE, V2_MOST = 1024, 100, 10_000
"""What one process or group gets that says nothing."""
REMOVE_SECONDS = 2.0
OOM_MARGIN = 64 << 10
"""So much less than its limit a group may hold when the kernel finds that one more piece does not fit."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a run used; `None` where its group does not tell.

    Attributes:
        out_of_memory: a process was killed since the run had reached its own limit.
        host_out_of_memory: one was killed although it had not: a group above it, or the whole host, had no more.
    """

    cpu_seconds: float | None
    memory_bytes: int | None
    processes_peak: int | None
    out_of_memory: bool
    host_out_of_memory: bool = False


class RunGroup:
    """The control group of one run.

    Attributes:
        joins: descriptors; a process that writes `0` to each is in the group.
        usage_fd: a descriptor from which the CPU time so far can be read, `None` without one.
    """

    def __init__(self, folders: dict[str, Path], version: int) -> None:
        self._folders, self._version, self._memory_bytes = folders, version, 0
        self.joins = [os.open(folder / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC) for folder in set(folders.values())]
        cpu = folders.get("cpu")
        name = "cpuacct.usage" if version == 1 else "cpu.stat"
        self.usage_fd = os.open(cpu / name, os.O_RDONLY | os.O_CLOEXEC) if cpu else None

    def limit(self, memory_bytes: int, processes: int) -> None:
        """Set the limits."""
        self._memory_bytes = memory_bytes
        if memory := self._folders.get("memory"):
            if self._version == 1:
                (memory / "memory.limit_in_bytes").write_text(str(memory_bytes))
                _write_if_there(memory / "memory.memsw.limit_in_bytes", str(memory_bytes))
                # What sockets hold is counted apart in v1, and not at all before it has a limit.
                _write_if_there(memory / "memory.kmem.tcp.limit_in_bytes", str(memory_bytes))
            else:
                (memory / "memory.max").write_text(str(memory_bytes))
                _write_if_there(memory / "memory.swap.max", "0")
        if pids := self._folders.get("processes"):
            (pids / "pids.max").write_text(str(processes))

    def usage(self) -> Usage:
        """Read the counters."""
        memory, pids = self._folders.get("memory"), self._folders.get("processes")
        first = self._version == 1
        peak = _number(memory / ("memory.max_usage_in_bytes" if first else "memory.peak")) if memory else None
        events = _keyed(memory / ("memory.oom_control" if first else "memory.events")) if memory else {}
        killed = bool(events.get("oom_kill"))
        return Usage(
            cpu_seconds=self._cpu(),
            memory_bytes=peak,
            processes_peak=_number(pids / "pids.peak") if pids else None,
            out_of_memory=killed and self._reached_limit(peak, events),
            host_out_of_memory=killed and not self._reached_limit(peak, events),
        )

    def _reached_limit(self, peak: int | None, events: dict[str, int]) -> bool:
        """v1 counts failures at the limit only where no limit for swap was met first; how high it came is certain."""
        return bool(events.get("oom")) if self._version == 2 else (peak or 0) > self._memory_bytes - OOM_MARGIN

    def _cpu(self) -> float | None:
        if self.usage_fd is None:
            return None
        text = os.pread(self.usage_fd, 4096, 0).split()
        return int(text[0]) / 1e9 if self._version == 1 else int(text[1]) / 1e6

    async def remove(self) -> bool:
        """Remove the group; False if it cannot be, since a process is still in it."""
        for fd in [*self.joins, *([] if self.usage_fd is None else [self.usage_fd])]:
            os.close(fd)
        # A process that was waited for leaves its group a moment later.
        deadline = time.monotonic() + REMOVE_SECONDS
        while True:
            self._folders = {name: folder for name, folder in self._folders.items() if not _removed(folder)}
            if not self._folders:
                return True
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(0.001)


class Cgroups:
    """Makes groups below the group of this process.

    Attributes:
        parts: which of `memory`, `processes`, `cpu`, `share` can be had.
    """

    def __init__(self, bases: dict[str, Path], version: int) -> None:
        self._bases, self._version, self._count = bases, version, 0

    @property
    def parts(self) -> set[str]:
        """What the groups enforce or measure."""
        return set(self._bases)

    def create(self) -> RunGroup:
        """A new, empty group.

        Raises:
            OSError: it could not be made.
        """
        self._count += 1
        folders = {name: base / f"run-{self._count}" for name, base in self._bases.items()}
        for folder in set(folders.values()):
            folder.mkdir()
        return RunGroup(folders, self._version)

    def close(self) -> None:
        """Remove the folders of this process."""
        for base in set(self._bases.values()):
            _remove_tree(base)


def detect() -> Cgroups:
    """The control groups that this process may use; without any, `parts` is empty."""
    own = own_groups()
    v1 = {part: folder for name, part in V1_CONTROLLERS.items() if (folder := own.get(name))}
    bases, version = (_make_v1(v1), 1) if v1 else (_make_v2(own[""]), 2) if "" in own else ({}, 2)
    return Cgroups(bases, version)


def _make_v1(folders: dict[str, Path]) -> dict[str, Path]:
    bases = {}
    for part, folder in folders.items():
        _sweep(folder)
        base = folder / f"{PREFIX}{os.getpid()}"
        with suppress(OSError):
            base.mkdir(exist_ok=True)
            if part == "memory":
                _write_if_there(base / "memory.use_hierarchy", "1")
            if part == "share":
                (base / "cpu.shares").write_text(str(V1_SHARE * (os.cpu_count() or 1)))
            probe = base / "probe"
            probe.mkdir()
            probe.rmdir()
            bases[part] = base
    return bases


def _make_v2(folder: Path) -> dict[str, Path]:
    """v2 wants processes in leaves alone: all those of a delegated group, not only this one, first move into one.

    A worker that is started later finds itself in that leaf.
    """
    folder = folder.parent if folder.name == LEAF else folder
    _sweep(folder)
    base = folder / f"{PREFIX}{os.getpid()}"
    try:
        offered = set(V2_CONTROLLERS) & _words(folder / "cgroup.controllers")
        if not (offered <= _words(folder / "cgroup.subtree_control")):
            if (folder / "cgroup.type").exists():  # only the root group lacks it
                _vacate(folder)
            _enable(folder)
        base.mkdir(exist_ok=True)
        _enable(base)
        _write_if_there(base / "cpu.weight", str(min(V2_SHARE * (os.cpu_count() or 1), V2_MOST)))
    except OSError:
        return {}
    parts = {part for name, part in V2_CONTROLLERS.items() if name in _words(base / "cgroup.subtree_control")}
    return dict.fromkeys([*sorted(parts), "cpu"], base)


def _vacate(folder: Path) -> None:
    leaf = folder / LEAF
    leaf.mkdir(exist_ok=True)
    for _ in range(VACATE_TRIES):  # whoever is moved may just be starting another process
        processes = _words(folder / "cgroup.procs")
        if not processes:
            return
        for process in processes:
            with suppress(ProcessLookupError):
                (leaf / "cgroup.procs").write_text(process)


def _enable(folder: Path) -> None:
    for name in set(V2_CONTROLLERS) & _words(folder / "cgroup.controllers"):
        # Without shares a run can be noisy, but is still held; and one real-time process is enough to refuse them.
        with suppress(OSError) if name == "cpu" else nullcontext():
            (folder / "cgroup.subtree_control").write_text(f"+{name}")


def own_groups() -> dict[str, Path]:
    """The folder of this process's group by controller; the unified hierarchy is named `""`."""
    groups = {}
    mounts = list(_mounts())
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        for kind, options, root, point in mounts:
            fits = kind == "cgroup2" if not names else kind == "cgroup" and set(names.split(",")) <= options
            if fits and (path == root or path.startswith(root.rstrip("/") + "/")):
                folder = point / path[len(root.rstrip("/")) :].lstrip("/")
                groups.update(dict.fromkeys(names.split(","), folder))
    return groups


def _mounts() -> Iterator[tuple[str, set[str], str, Path]]:
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        left, _, right = line.partition(" - ")
        fields, (kind, _, options) = left.split(), right.split()[:3]
        if kind in ("cgroup", "cgroup2"):
            yield kind, set(options.split(",")), fields[3], Path(fields[4])


def _sweep(folder: Path) -> None:
    """Remove what workers left that were killed."""
    for path in folder.glob(f"{PREFIX}*"):
        found = re.fullmatch(rf"{PREFIX}(\d+)", path.name)
        if found and not Path("/proc", found[1]).exists():
            _remove_tree(path)


def _remove_tree(base: Path) -> None:
    for path in [*base.glob("run-*"), base]:
        with suppress(OSError):
            path.rmdir()


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _write_if_there(path: Path, text: str) -> None:
    if path.exists():
        path.write_text(text)


def _words(path: Path) -> set[str]:
    return set(path.read_text().split())


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def _keyed(path: Path) -> dict[str, int]:
    return {name: int(value) for name, value in (line.split() for line in path.read_text().splitlines())}
