"""Control groups: memory, processes and CPU time of a run. v1, hybrid and v2, as root or delegated.

A sandbox keeps its group from run to run. To move a process into another one costs no CPU time, but the kernel waits
for some milliseconds, once for each hierarchy; so all are born where they belong. A group that cannot be brought back
to where it was before a run is exchanged for a new one.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import time
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from sandbox_service.executor.counters import Counters

PREFIX = "sandbox-service-"
_numbers = itertools.count(1)  # all that this process makes lie in one folder
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

RESIDENTS = 2
REST_BYTES = 2 << 20
"""What a group may still hold after a run: less than anyone would notice in the peak of the next one."""


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


class SlotGroup:
    """The control group of a sandbox: its programs are born in it, one run after the other.

    Who bears them lives in it too, with the first process of the next run: these two, `RESIDENTS`, count for no run.
    Counters that the kernel can reset are reset between runs, of the others the differences are taken.

    Attributes:
        joins: descriptors; a process that writes `0` to each is in the group.
        usage_fd: a descriptor from which the CPU time so far can be read, `None` without one.
        stale: something of a run is left in the counters or in memory; the next run should have a new group.

    Args:
        folders: by what they enforce or measure.
        version: of control groups.
        residents: how many tasks in it are no run's.
    """

    def __init__(self, folders: dict[str, Path], version: int, residents: int = RESIDENTS) -> None:
        self._residents = residents
        self._folders, self._version, self._limits, self._oom = folders, version, (0, 0), {"oom": 0, "oom_kill": 0}
        self.joins = [os.open(folder / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC) for folder in set(folders.values())]
        self._counters = Counters(folders, version)
        self.usage_fd = self._counters.fds.get("cpu")
        self._peak_fd = _open_peak(folders["memory"], version) if "memory" in folders else None
        self._cpu_before, self._rest = 0.0, 0
        self.stale = False

    def entered(self) -> None:
        """The residents are in it: what they hold is no run's."""
        self._rest = self._held()

    def begin(self, memory_bytes: int, processes: int) -> None:
        """Set the limits of the next run, and let the counters begin.

        Raises:
            OSError: a limit could not be set, since more is left of earlier runs.
        """
        memory_bytes += self._rest
        if self._limits != (memory_bytes, processes):
            if memory := self._folders.get("memory"):
                self._limit_memory(memory, memory_bytes)
            if pids := self._folders.get("processes"):
                (pids / "pids.max").write_text(str(processes + self._residents))
            self._limits = (memory_bytes, processes)
        if self._peak_fd is not None:
            os.pwrite(self._peak_fd, b"0", 0)
        self._cpu_before = self._cpu()

    def _limit_memory(self, memory: Path, memory_bytes: int) -> None:
        if self._version == 2:
            (memory / "memory.max").write_text(str(memory_bytes))
            return _write_if_there(memory / "memory.swap.max", "0")
        both = [memory / "memory.limit_in_bytes", memory / "memory.memsw.limit_in_bytes"]
        # The latter is never less than the former, also not in between.
        for path in reversed(both) if 0 < self._limits[0] < memory_bytes else both:
            _write_if_there(path, str(memory_bytes))
        # What sockets hold is counted apart in v1, and not at all before it has a limit.
        return _write_if_there(memory / "memory.kmem.tcp.limit_in_bytes", str(memory_bytes))

    def usage(self, cpu_before: float) -> Usage:
        """What the run used that has just ended.

        Args:
            cpu_before: CPU seconds of the group when the program started, as far as that is known.
        """
        events = self._counters.keyed("events")
        new = {name: events.get(name, 0) - count for name, count in self._oom.items()}
        self._oom = {name: events.get(name, 0) for name in self._oom}
        peak, tasks = self._memory_peak(), self._counters.number("tasks_peak")
        at_limit = self._reached_limit(peak, new)
        self.stale = (
            self.stale or (tasks or 0) > self._residents + 1 or ("memory" in self._folders and self._peak_fd is None)
        )
        return Usage(
            cpu_seconds=None if self.usage_fd is None else max(self._cpu() - max(cpu_before, self._cpu_before), 0.0),
            memory_bytes=None if peak is None else max(peak - self._rest, 0),
            processes_peak=None if tasks is None else max(tasks - self._residents, 1),
            out_of_memory=bool(new["oom_kill"]) and at_limit,
            host_out_of_memory=bool(new["oom_kill"]) and not at_limit,
        )

    def spent(self) -> float:
        """CPU seconds since `begin`."""
        return self._cpu() - self._cpu_before

    def _memory_peak(self) -> int | None:
        if self._peak_fd is not None:
            return int(os.pread(self._peak_fd, 64, 0))
        return self._counters.number("held_peak")

    def _reached_limit(self, peak: int | None, events: dict[str, int]) -> bool:
        """v1 counts failures at the limit only where no limit for swap was met first; how high it came is certain."""
        return bool(events["oom"]) if self._version == 2 else (peak or 0) > self._limits[0] - OOM_MARGIN

    def _cpu(self) -> float:
        if self.usage_fd is None:
            return 0.0
        if self._version == 1:
            return (self._counters.number("cpu") or 0) / 1e9
        return self._counters.keyed("cpu")["usage_usec"] / 1e6

    async def settle(self) -> bool:
        """Wait until none but the residents are in it; False if that does not come about.

        It then is stale if memory is left in it.
        """
        if not self._folders:
            return True
        deadline = time.monotonic() + REMOVE_SECONDS
        while self._tasks() > self._residents:  # one that was waited for leaves its group a moment later
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(0.001)
        self.stale = self.stale or self._held() > self._rest + REST_BYTES
        return True

    def _held(self) -> int:
        """Bytes that are charged to it now."""
        return self._counters.number("held") or 0

    def _tasks(self) -> int:
        if "processes" in self._folders:
            return self._counters.number("tasks") or 0
        folder = next(iter(self._folders.values()))
        return len((folder / "cgroup.procs").read_text().split())

    async def remove(self) -> bool:
        """Remove the group; False if it cannot be, since a process is still in it."""
        for fd in [*self.joins, *([] if self._peak_fd is None else [self._peak_fd])]:
            os.close(fd)
        self._counters.close()
        self.joins, self.usage_fd, self._peak_fd = [], None, None
        deadline = time.monotonic() + REMOVE_SECONDS
        while True:
            self._folders = {name: folder for name, folder in self._folders.items() if not _removed(folder)}
            if not self._folders:
                return True
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(0.001)


def _open_peak(memory: Path, version: int) -> int | None:
    """A descriptor of the peak of memory, if it can be reset: by any write, in v2 from Linux 6.12 on."""
    try:
        fd = os.open(
            memory / ("memory.max_usage_in_bytes" if version == 1 else "memory.peak"), os.O_RDWR | os.O_CLOEXEC
        )
    except OSError:
        return None
    try:
        os.pwrite(fd, b"0", 0)
    except OSError:
        os.close(fd)
        return None
    return fd


class Cgroups:
    """Makes groups below the group of this process.

    Attributes:
        parts: which of `memory`, `processes`, `cpu`, `share` can be had.
    """

    def __init__(self, bases: dict[str, Path], version: int) -> None:
        self._bases, self._version = bases, version

    @property
    def parts(self) -> set[str]:
        """What the groups enforce or measure."""
        return set(self._bases)

    def create(self, residents: int = RESIDENTS) -> SlotGroup:
        """A new, empty group.

        Args:
            residents: see `SlotGroup`.

        Raises:
            OSError: it could not be made.
        """
        slot = f"slot-{next(_numbers)}"
        folders = {name: base / slot for name, base in self._bases.items()}
        for folder in set(folders.values()):
            folder.mkdir()
        return SlotGroup(folders, self._version, residents)

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


def of_process(process: int, residents: int) -> SlotGroup:
    """The group of a process that somebody else has put there.

    Args:
        process: its process id.
        residents: see `SlotGroup`.

    Raises:
        OSError: its files cannot be written to.
    """
    groups = own_groups(process)
    v1 = {part: folder for name, part in V1_CONTROLLERS.items() if (folder := groups.get(name))}
    return SlotGroup(v1 or dict.fromkeys([*V2_CONTROLLERS.values(), "cpu"], groups[""]), 1 if v1 else 2, residents)


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


def own_groups(process: int | str = "self") -> dict[str, Path]:
    """The folder of a process's group by controller; the unified hierarchy is named `""`."""
    groups = {}
    mounts = list(_mounts())
    for line in Path(f"/proc/{process}/cgroup").read_text().splitlines():
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
    for path in [*base.glob("slot-*"), base]:
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
