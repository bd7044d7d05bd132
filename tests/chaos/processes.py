"""Processes as /proc shows them."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
GONE = (FileNotFoundError, ProcessLookupError)
COMPILERS = {"g++", "cc1plus", "as", "collect2", "ld"}


def adopt_orphans() -> None:
    """From now on whatever loses its parent below this process becomes a child of it, and cannot hide."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children(pid: int) -> list[int]:
    with suppress(*GONE):
        threads = Path(f"/proc/{pid}/task").iterdir()
        return [int(child) for thread in threads for child in _read(pid, f"task/{thread.name}/children").split()]
    return []


def below(pid: int) -> Iterator[int]:
    """All processes below one, parents first."""
    for child in children(pid):
        yield child
        yield from below(child)


def name(pid: int) -> str:
    return _read(pid, "comm").strip()


def user(pid: int) -> str:
    return next((line for line in _read(pid, "status").splitlines() if line.startswith("Uid:")), "")


def is_there(pid: int) -> bool:
    """Whether it lives; one that is but waited for does not."""
    return _read(pid, "stat").rpartition(") ")[2][:1] not in ("", "Z", "X")


def memory_bytes(pid: int) -> int:
    """What it holds in memory."""
    lines = [line for line in _read(pid, "status").splitlines() if line.startswith("VmRSS:")]
    return int(lines[0].split()[1]) * 1024 if lines else 0


def descriptors(pid: int) -> int:
    """How many files it has open."""
    with suppress(*GONE):
        return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    return 0


def _read(pid: int, file: str) -> str:
    with suppress(*GONE):
        return Path(f"/proc/{pid}/{file}").read_text(errors="replace")
    return ""


class Sandboxes:
    """What runs below a worker at this moment: processes that hold runs, and programs that are run."""

    def __init__(self, worker: int) -> None:
        self.holders: list[int] = []
        self.programs: list[int] = []
        for wall in children(worker):
            owner = user(wall)
            for pid in (wall, *below(wall)):
                (self.holders if user(pid) == owner else self.programs).append(pid)

    @property
    def compiling(self) -> bool:
        return any(name(pid) in COMPILERS for pid in self.programs)
