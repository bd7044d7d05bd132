"""What a control group counts. Its files stay open: to open one takes longer than to read it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

FILES = {
    1: {
        "events": ("memory", "memory.oom_control"),
        "held": ("memory", "memory.usage_in_bytes"),
        "tasks": ("processes", "pids.current"),
        "tasks_peak": ("processes", "pids.peak"),
        "cpu": ("cpu", "cpuacct.usage"),
    },
    2: {
        "events": ("memory", "memory.events"),
        "held": ("memory", "memory.current"),
        "held_peak": ("memory", "memory.peak"),
        "tasks": ("processes", "pids.current"),
        "tasks_peak": ("processes", "pids.peak"),
        "cpu": ("cpu", "cpu.stat"),
    },
}
"""By the version of control groups: of which controller's folder, and its name. Older kernels lack some."""
LONGEST = 4096


class Counters:
    """The files of one group that tell of a run.

    Args:
        folders: of the group, by what they enforce or measure.
        version: of control groups.

    Attributes:
        fds: descriptors by the name of the counter; a counter that this kernel lacks has none.
    """

    def __init__(self, folders: dict[str, Path], version: int) -> None:
        self.fds: dict[str, int] = {}
        for counter, (part, name) in FILES[version].items():
            if part in folders:
                with suppress(FileNotFoundError):
                    self.fds[counter] = os.open(folders[part] / name, os.O_RDONLY | os.O_CLOEXEC)

    def number(self, counter: str) -> int | None:
        """A counter of one number; `None` where there is none."""
        fd = self.fds.get(counter)
        try:
            return None if fd is None else int(os.pread(fd, LONGEST, 0))
        except (OSError, ValueError):
            return None

    def keyed(self, counter: str) -> dict[str, int]:
        """A counter of several numbers, by their names; empty where there is none."""
        fd = self.fds.get(counter)
        lines = [] if fd is None else os.pread(fd, LONGEST, 0).decode("ascii").splitlines()
        return {name: int(value) for name, value in map(str.split, lines)}

    def close(self) -> None:
        """Let go of the files."""
        for fd in self.fds.values():
            os.close(fd)
        self.fds = {}
