"""The order of verdicts, near limits, and what a compiler's failure is called."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge import Finding, compile_failure, fault, near_limit

LIMITS = RunLimits(
    cpu_seconds=2.0,
    wall_seconds=9.0,
    memory_bytes=256 << 20,
    processes=64,
    disk_bytes=64 << 20,
    output_bytes=1 << 20,
    stack_bytes=256 << 20,
    open_files=256,
    inodes=4096,
)
CLEAN = Outcome(exit_code=0, signal=None, cpu_seconds=0.1, wall_seconds=0.2, stdout=b"42\n")
KILLED = replace(CLEAN, exit_code=None, signal=9)

# In the contract's order: each wins over all below it.
FAULTS: list[tuple[dict[str, Any], Verdict, str]] = [
    ({"security_violation": True, "signal": 31}, Verdict.SECURITY_VIOLATION, "system call"),
    ({"out_of_memory": True}, Verdict.MEMORY_LIMIT_EXCEEDED, "268435456 bytes"),
    ({"killed_by": "output", "stdout_truncated": True}, Verdict.OUTPUT_LIMIT_EXCEEDED, "1048576 bytes"),
    ({"killed_by": "cpu", "cpu_seconds": 2.01}, Verdict.TIME_LIMIT_EXCEEDED, "2 s of CPU time"),
    ({"killed_by": "wall", "wall_seconds": 9.01}, Verdict.TIME_LIMIT_EXCEEDED, "9 s of wall time"),
    ({}, Verdict.RUNTIME_ERROR, "signal 9 (SIGKILL)"),
]


def verdict(outcome: Outcome) -> Verdict | None:
    found = fault(outcome, LIMITS)
    return None if found is None else found.verdict


@pytest.mark.parametrize(("change", "verdict", "message"), FAULTS)
def test_each_fault(change: dict[str, Any], verdict: Verdict, message: str) -> None:
    found = fault(replace(KILLED, **change), LIMITS)
    assert found is not None
    assert found.verdict is verdict
    assert message in str(found.message)


@pytest.mark.parametrize("above", range(len(FAULTS)))
@pytest.mark.parametrize("below", range(len(FAULTS)))
def test_the_first_fault_in_order_wins(above: int, below: int) -> None:
    both = FAULTS[below][0] | FAULTS[above][0]
    assert verdict(replace(KILLED, **both)) is FAULTS[min(above, below)][1]


def test_cpu_wins_over_wall() -> None:
    outcome = replace(KILLED, killed_by="wall", cpu_seconds=2.5, wall_seconds=9.1)
    found = fault(outcome, LIMITS)
    assert found is not None
    assert "CPU" in str(found.message)


def test_cpu_over_the_limit_counts_though_it_ended_by_itself() -> None:
    assert verdict(replace(CLEAN, cpu_seconds=2.0001)) is Verdict.TIME_LIMIT_EXCEEDED
    assert fault(replace(CLEAN, cpu_seconds=2.0), LIMITS) is None


def test_wall_over_the_limit_alone_is_no_fault() -> None:
    assert fault(replace(CLEAN, wall_seconds=9.5), LIMITS) is None


def test_an_oom_event_that_the_program_survived_is_no_fault() -> None:
    assert fault(replace(CLEAN, out_of_memory=True), LIMITS) is None


@pytest.mark.parametrize("stream", ["stdout_truncated", "stderr_truncated"])
def test_truncated_output_is_never_right(stream: str) -> None:
    change: dict[str, Any] = {stream: True}
    assert verdict(replace(CLEAN, **change)) is Verdict.OUTPUT_LIMIT_EXCEEDED


def test_the_right_output_does_not_excuse_an_exit_code() -> None:
    found = fault(replace(CLEAN, exit_code=3), LIMITS)
    assert found == Finding(Verdict.RUNTIME_ERROR, "ended with exit code 3")


def test_a_signal_without_a_name() -> None:
    assert fault(replace(KILLED, signal=40), LIMITS) == Finding(Verdict.RUNTIME_ERROR, "killed by signal 40")


def test_a_clean_run_has_no_fault() -> None:
    assert fault(CLEAN, LIMITS) is None
    assert not near_limit(CLEAN, LIMITS)


@pytest.mark.parametrize(
    ("cpu", "wall", "near"),
    [
        (1.79, 8.09, False),
        (1.81, 2.0, True),
        (2.19, 2.0, True),
        (2.21, 2.0, False),
        (0.1, 8.2, True),
        (0.1, 9.95, False),
    ],
)
def test_near_limit(cpu: float, wall: float, near: bool) -> None:
    assert near_limit(replace(CLEAN, cpu_seconds=cpu, wall_seconds=wall), LIMITS) is near


def test_compile_failure() -> None:
    assert compile_failure(CLEAN, LIMITS) is None
    assert compile_failure(replace(CLEAN, exit_code=1), LIMITS) == "ended with exit code 1"
    assert "wall time" in str(compile_failure(replace(KILLED, killed_by="wall"), LIMITS))
    assert "memory" in str(compile_failure(replace(CLEAN, exit_code=1, out_of_memory=True), LIMITS))
