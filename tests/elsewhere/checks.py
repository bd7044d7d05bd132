"""What must hold wherever programs run, and that what `isolation` claims is so."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Any

import pytest

from tests.elsewhere.driver import MIB
from tests.elsewhere.programs import PROCESSES

SPACES = {"user_ns", "pid_ns", "mount_ns", "net_ns", "ipc_ns", "disk", "inodes"}
COUNTED = {"memory", "processes", "cpu", "uid_per_run"}
WITHOUT_GROUPS = {"memory", "processes", "cpu"}


@dataclass(frozen=True)
class Told:
    """What the driver told, and what it could not have enforced."""

    lines: list[dict[str, Any]]
    degraded: set[str]

    def all(self, name: str) -> list[dict[str, Any]]:
        """The outcomes of a program and of its copies; none of them a failure of ours."""
        found = [line for line in self.lines if line.get("name") == name]
        assert found, self.lines
        assert [line["failure"] for line in found if "failure" in line] == []
        return found

    def of(self, name: str) -> dict[str, Any]:
        """The outcome of a program."""
        (found,) = self.all(name)
        return found


class Checks:
    """Derive from it where there is a fixture `told`."""

    def test_isolation(self, told: Told) -> None:
        isolation = told.lines[0]["isolation"]
        assert set(isolation["degraded"]) == told.degraded
        assert set(isolation["enforced"]) >= SPACES
        assert set(isolation["enforced"]) & COUNTED == COUNTED - told.degraded

    def test_ids(self, told: Told) -> None:
        """Neither root nor anyone with a capability."""
        assert told.of("ids")["stdout"] == "True 1 1 True\n[]\n"

    def test_a_fork_bomb_is_bounded(self, told: Told) -> None:
        """Two at once do not count for each other, though they may have the same user."""
        for outcome in told.all("forks"):
            assert outcome["stdout"] == f"{PROCESSES - 1}\n"
            # Some kernels do not tell.
            assert outcome["processes_peak"] in (None, PROCESSES)

    def test_a_thread_bomb_is_bounded(self, told: Told) -> None:
        assert told.of("threads")["stdout"] == f"{PROCESSES - 1}\n"

    def test_what_all_share_is_shared(self, told: Told) -> None:
        """Watches of files and waiting signals: each of two at once gets its part, and no more."""
        for outcome in told.all("shares"):
            watches, signals = map(int, outcome["stdout"].split())
            assert 0 < watches <= 8
            assert 0 < signals <= 256

    def test_descriptors_on_their_way_stop_nobody(self, told: Told) -> None:
        """As many as one may send, by several at once: all of them start, and none is our failure."""
        assert [outcome["stdout"] for outcome in told.all("in flight")] == ["done\n"] * 4

    def test_a_memory_bomb_is_bounded(self, told: Told) -> None:
        outcome = told.of("memory")
        assert 20 < int(outcome["stdout"].split()[-1]) <= 64
        if "memory" in told.degraded:
            assert (outcome["exit_code"], outcome["out_of_memory"], outcome["memory_bytes"]) == (3, False, None)
        else:
            assert (outcome["signal"], outcome["out_of_memory"]) == (signal.SIGKILL, True)
            assert outcome["memory_bytes"] is None or 20 * MIB < outcome["memory_bytes"] <= 64 * MIB

    def test_shared_memory_counts_where_memory_is_enforced(self, told: Told) -> None:
        outcome = told.of("shared memory")
        assert outcome["out_of_memory"] == ("memory" not in told.degraded)
        assert outcome["stdout"] == ("all of it\n" if "memory" in told.degraded else "")

    @pytest.mark.parametrize("name", ["loop", "daemon", "relay"])
    def test_cpu_time_is_limited(self, told: Told, name: str) -> None:
        """Also that of orphans, of those in sessions of their own, and of those that are gone."""
        outcome = told.of(name)
        assert (outcome["killed_by"], outcome["signal"]) == ("cpu", signal.SIGKILL)
        assert outcome["cpu_seconds"] >= 0.5
        assert outcome["left"] == []

    def test_who_is_not_waited_for_is_charged_where_cpu_is_enforced(self, told: Told) -> None:
        """Elsewhere only while it lives: wall time may have to end it."""
        assert told.of("unwaited")["killed_by"] in (("cpu", "wall") if "cpu" in told.degraded else ("cpu",))

    def test_wall_time_is_limited(self, told: Told) -> None:
        outcome = told.of("sleep")
        assert (outcome["killed_by"], outcome["signal"], outcome["left"]) == ("wall", signal.SIGKILL, [])
        assert outcome["wall_seconds"] >= 0.5

    def test_nobody_is_left(self, told: Told) -> None:
        """Not of five, the program and the reaper, of whom all but the program ignore what can be ignored."""
        assert told.lines[1] == {"finds_processes": True}
        outcome = told.of("daemons")
        assert (outcome["stdout"], outcome["exit_code"], outcome["left"]) == ("7\n", 0, [])
        assert told.lines[-1] == {"groups_left": []}

    def test_the_reaper_is_out_of_reach(self, told: Told) -> None:
        """Not to be read, signalled, limited or slowed down, though it may have the same user."""
        assert told.of("reaper")["stdout"] == "[]\n"

    def test_nothing_stays_behind(self, told: Told) -> None:
        """What one program leaves wherever it may, the next does not see, though it may have the same user."""
        shared, keys = told.of("leave")["stdout"].splitlines()
        assert shared == "True True"
        # They are seen until the kernel clears them away, by the same user.
        assert keys == "False" or "uid_per_run" not in told.degraded
        assert told.of("after")["stdout"].splitlines() == told.of("before")["stdout"].splitlines()
