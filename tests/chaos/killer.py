"""Carries the plan out."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from tests import whole
from tests.chaos.observer import Observer
from tests.chaos.plan import Kill
from tests.chaos.processes import Sandboxes, is_there
from tests.chaos.server import Server

STAGE_SECONDS, VICTIM_SECONDS, PROGRESS_SECONDS = 3.0, 60.0, 300.0
LOOK_SECONDS = 0.01
T = TypeVar("T")


class Killer:
    """Kills in the thread that calls `run`.

    Attributes:
        plan: what it kills.
        done: how much of that is done.
        seen: how much of it by victim and stage; `blind` where nothing was seen to go through the stage in time.
        workers: process ids of all workers that were seen.
        problem: why it gave up.
    """

    def __init__(self, plan: list[Kill], up: whole.Up, redis: Server, observer: Observer) -> None:
        self.plan, self._up, self._redis, self._observer = plan, up, redis, observer
        self.done = 0
        self.seen: Counter[str] = Counter()
        self.workers: set[int] = set()
        self.problem: str | None = None
        self._advanced, self._stalls = threading.Condition(), dict[int, threading.Timer]()

    def wait_for(self, kills: int, seconds: float) -> None:
        """Wait until there were so many kills, or there will be no more."""
        with self._advanced:
            self._advanced.wait_for(lambda: self.done >= kills or self.problem is not None, seconds)

    def run(self) -> None:
        try:
            self._carry_all_out()
        finally:
            for stall in self._stalls.values():
                stall.join()

    def _carry_all_out(self) -> None:
        for kill in self.plan:
            if not self._observer.wait_for(kill.after, PROGRESS_SECONDS):
                self.problem = f"only {self._observer.ended} submissions ended, {kill.after} were waited for"
            elif not self._carry_out(kill):
                self.problem = f"there was no {kill.victim} to kill for {VICTIM_SECONDS} s"
            with self._advanced:
                self.done += self.problem is None
                self._advanced.notify_all()
            if self.problem:
                return

    def _carry_out(self, kill: Kill) -> bool:
        end = time.monotonic() + VICTIM_SECONDS
        while time.monotonic() < end:
            worker = self._until(lambda: self._worker_in(kill), STAGE_SECONDS)
            victims = self._victims(kill, worker)
            time.sleep(kill.delay)
            if victims and self._kill(kill, victims[int(kill.choice * len(victims))]):
                found = "" if worker else " (blind)"
                self.seen[f"{kill.victim} {kill.stage}{found}"] += 1
                print(f"{self.done + 1}: {kill.victim} {kill.stage}{found}", file=sys.stderr, flush=True)
                return True
        return False

    def _kill(self, kill: Kill, pid: int) -> bool:
        if kill.victim == "redis":
            self._redis.kill()
            time.sleep(kill.down)
            self._redis.start()
            return True
        stall = kill.victim == "stalled worker"
        if not _signal(pid, signal.SIGSTOP if stall else signal.SIGKILL):
            return False
        if stall:
            self._stalls[pid] = threading.Timer(kill.down, _signal, (pid, signal.SIGCONT))
            self._stalls[pid].start()
        return True

    def _victims(self, kill: Kill, worker: int | None) -> list[int]:
        if kill.victim == "redis":
            return [self._redis.pid]
        if kill.victim == "gateway":
            return self._up.children().get("gateway", [])
        workers = [worker] if worker else self._workers()
        if kill.victim == "sandbox":
            return [pid for each in workers for pid in Sandboxes(each).holders]
        return workers

    def _workers(self) -> list[int]:
        """Those that do not stand still: such a one is to go on and find its work done."""
        found = self._up.children().get("worker", [])
        self.workers.update(found)
        return [pid for pid in found if pid not in self._stalls or not self._stalls[pid].is_alive()]

    def _worker_in(self, kill: Kill) -> int | None:
        """A worker one of whose submissions goes through a stage right now."""
        for worker in self._workers():
            match kill.stage:
                case "compiling" if Sandboxes(worker).compiling:
                    return worker
                case "running" if (found := Sandboxes(worker)).programs and not found.compiling:
                    return worker
                case "judging" if programs := Sandboxes(worker).programs:
                    if self._until(lambda programs=programs: not is_there(programs[0]), STAGE_SECONDS):
                        return worker
                case "publishing":
                    return worker if self._observer.wait_for(self._observer.ended + 1, STAGE_SECONDS) else None
                case "queued":
                    return worker
        return None

    def _until(self, look: Callable[[], T], seconds: float) -> T:
        """What there is to see as soon as there is something, or at the end of the time."""
        end = time.monotonic() + seconds
        while not (found := look()) and time.monotonic() < end:
            time.sleep(LOOK_SECONDS)
        return found


def _signal(pid: int, number: int) -> bool:
    """Whether it was there."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False
