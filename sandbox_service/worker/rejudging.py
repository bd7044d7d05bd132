"""A time limit that was met while the machine was short of CPU time is not believed: the run is made again, alone."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.outcome import Outcome

STALLED, STOLEN = 0.2, 0.05
"""Shares of the time: somebody waited for a CPU; the host below this machine took one away."""
STEADY = 0.9
"""Who had a CPU for this share of its time was not kept from it."""
ASLEEP = 0.02
"""Who had one for less than this share waited for something else: no machine is as short of CPU time as that."""
OVER = 1.1
"""Who ended by itself with no more than this of its limit might have kept to it."""
SLOT_SHARE, CREDIT_SECONDS = 0.05, 5.0
"""What running alone may cost of the time of all slots, and what of that there is at the start."""
LOOK_SECONDS = 0.5
Once = Callable[[], Awaitable[tuple[Outcome, bytes]]]


@dataclass(frozen=True, slots=True)
class Look:
    """The machine's counters at a time, in seconds; `stalled` is `None` where the kernel does not count it."""

    time: float
    stalled: float | None
    stolen: float


class Machine:
    """Whether this machine had CPU time enough.

    Args:
        proc: the kernel's `/proc`, or a folder with what is to be told of it.
    """

    def __init__(self, proc: Path = Path("/proc")) -> None:
        self._proc = proc
        self._latest = self._look()

    def look(self) -> Look:
        """The counters now, or a little earlier: they are not read for each run of many short ones."""
        if time.monotonic() - self._latest.time > LOOK_SECONDS:
            self._latest = self._look()
        return self._latest

    def short_since(self, before: Look) -> bool:
        """Whether it was short of CPU time; where that is not counted it may have been."""
        now = self._look()
        seconds = max(now.time - before.time, 1e-3)
        if before.stalled is None or now.stalled is None:
            return True
        stolen = (now.stolen - before.stolen) / (os.cpu_count() or 1)
        return now.stalled - before.stalled > STALLED * seconds or stolen > STOLEN * seconds

    def _look(self) -> Look:
        return Look(time.monotonic(), self._stalled(), self._stolen())

    def _stalled(self) -> float | None:
        try:
            some = (self._proc / "pressure/cpu").read_text().split("\n")[0]
            return int(some.rpartition("total=")[2]) / 1e6
        except (OSError, ValueError):  # the kernel was built, or started, without
            return None

    def _stolen(self) -> float:
        try:
            return int((self._proc / "stat").read_text().split("\n")[0].split()[8]) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError):
            return 0.0


class Gate:
    """Many go together, or one goes alone."""

    def __init__(self) -> None:
        self._count, self._alone, self._empty = 0, asyncio.Lock(), asyncio.Event()

    @asynccontextmanager
    async def together(self) -> AsyncIterator[None]:
        """Go unless somebody is alone, or waits to be."""
        while self._alone.locked():
            async with self._alone:
                pass
        self._count += 1
        try:
            yield
        finally:
            self._count -= 1
            self._empty.set()

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Go once all others have gone."""
        async with self._alone:
            while self._count:
                self._empty.clear()
                await self._empty.wait()
            yield


class Rejudging:
    """Makes runs, and those anew of which the machine may be to blame.

    Alone costs the time of all slots of this worker; at most `SLOT_SHARE` of it goes there.

    Args:
        machine: that is looked at.
    """

    def __init__(self, machine: Machine | None = None) -> None:
        self.gate = Gate()
        self._machine = machine or Machine()
        self._began, self._spent = time.monotonic(), 0.0

    async def run(self, once: Once, limits: RunLimits) -> tuple[Outcome, bytes, bool]:
        """Make a run; what came of it, what it said, and whether it is the second one.

        Raises:
            ExecutorError: we failed.
        """
        before = self._machine.look()
        async with self.gate.together():
            outcome, said = await once()
        if (
            not over_time(outcome, limits)
            or not self._in_doubt(outcome, limits, before)
            or not self._affordable(outcome)
        ):
            return outcome, said, False
        began = time.monotonic()
        try:
            async with self.gate.alone():
                return *await once(), True
        finally:
            self._spent += time.monotonic() - began

    def _in_doubt(self, outcome: Outcome, limits: RunLimits, before: Look) -> bool:
        if outcome.killed_by is None:
            return outcome.cpu_seconds <= OVER * limits.cpu_seconds
        kept_waiting = ASLEEP * outcome.wall_seconds <= outcome.cpu_seconds < STEADY * outcome.wall_seconds
        return kept_waiting and self._machine.short_since(before)

    def _affordable(self, outcome: Outcome) -> bool:
        """Whether as long a run may hold up all slots: nobody who sleeps for minutes keeps the others waiting."""
        earned = SLOT_SHARE * (time.monotonic() - self._began) + CREDIT_SECONDS
        return self._spent + outcome.wall_seconds <= earned


def over_time(outcome: Outcome, limits: RunLimits) -> bool:
    """Whether a run met a time limit, and nothing worse."""
    worse = outcome.security_violation or outcome.out_of_memory or outcome.stdout_truncated or outcome.stderr_truncated
    late = outcome.killed_by in ("cpu", "wall") or outcome.cpu_seconds > limits.cpu_seconds
    return late and not worse and outcome.killed_by != "output"
