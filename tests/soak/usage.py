"""What the processes of a service use, over the time of a load."""

from __future__ import annotations

import statistics
import threading
from dataclasses import dataclass
from typing import Any

from tests import whole
from tests.chaos.processes import Sandboxes, descriptors, memory_bytes

EACH_SECONDS = 0.2
MIB = 1 << 20
ROOM_MIB = 8


@dataclass(frozen=True, slots=True)
class Sample:
    """Memory in bytes and open files by part of the service, at a point of the load from 0 to 1."""

    at: float
    memory: dict[str, int]
    files: dict[str, int]


class Usage:
    """Samples in a thread of its own while it is open; whoever makes the load tells it how far it is."""

    def __init__(self, up: whole.Up) -> None:
        self._up, self._progress = up, 0.0
        self.samples: list[Sample] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> Usage:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._over.set()
        self._thread.join()

    def advance(self, progress: float) -> None:
        """The load is so far, from 0 to 1."""
        self._progress = progress

    def _watch(self) -> None:
        while not self._over.wait(EACH_SECONDS):
            parts = self._up.children() | {"redis": self._up.queue()}
            parts["sandboxes"] = [pid for worker in parts.get("worker", []) for pid in Sandboxes(worker).holders]
            memory = {part: sum(map(memory_bytes, pids)) for part, pids in parts.items()}
            files = {part: sum(map(descriptors, pids)) for part, pids in parts.items()}
            self.samples.append(Sample(self._progress, memory, files))

    def figures(self, first: tuple[float, float], last: tuple[float, float]) -> dict[str, dict[str, Any]]:
        """Of each part its memory in MiB and open files: the mean in two spans of the load, and the most of all."""
        early, late = self._within(*first) or self.samples[:1], self._within(*last) or self.samples[-1:]
        return {
            part: {
                "memory_first": _mean([sample.memory[part] / MIB for sample in early]),
                "memory_last": _mean([sample.memory[part] / MIB for sample in late]),
                "memory_most": round(max(sample.memory.get(part, 0) for sample in self.samples) / MIB, 1),
                "files_first": _mean([sample.files[part] for sample in early]),
                "files_last": _mean([sample.files[part] for sample in late]),
            }
            for part in late[-1].memory
        }

    def _within(self, begin: float, end: float) -> list[Sample]:
        return [sample for sample in self.samples if begin <= sample.at <= end]


def _mean(values: list[float]) -> float:
    return round(statistics.fmean(values), 1)


def growth(figures: dict[str, dict[str, Any]], files: int) -> list[str]:
    """Parts that use more at the end than at first; so many more open files are no matter."""
    found = []
    for part, figure in figures.items():
        # How many processes hold runs differs from moment to moment: there is room for one sandbox more.
        room = ROOM_MIB * (3 if part == "sandboxes" else 1)
        if figure["memory_last"] > figure["memory_first"] * 1.1 + room:
            found.append(f"memory of {part} grew from {figure['memory_first']} to {figure['memory_last']} MiB")
        if figure["files_last"] > figure["files_first"] + files * (6 if part == "sandboxes" else 1):
            found.append(f"open files of {part} grew from {figure['files_first']} to {figure['files_last']}")
    return found
