"""From what a program did to a verdict."""

from __future__ import annotations

import signal

from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge.finding import Finding

NEAR = 0.1
"""A time within this share of its limit, on either side, might fall on the other side the next time."""


def fault(outcome: Outcome, limits: RunLimits) -> Finding | None:
    """What is wrong with a run whatever it printed; where several things are, the first in the contract's order.

    Args:
        outcome: what it did.
        limits: what it was held to.
    """
    found = _fault(outcome, limits)
    return Finding(*found) if found else None


def near_limit(outcome: Outcome, limits: RunLimits) -> bool:
    """Whether CPU time or wall time was within 10 % of its limit, below or above."""
    return _is_near(outcome.cpu_seconds, limits.cpu_seconds) or _is_near(outcome.wall_seconds, limits.wall_seconds)


def compile_failure(outcome: Outcome, limits: RunLimits) -> str | None:
    """Why a compiler failed, by itself or by its limits; `None` if it succeeded."""
    found = fault(outcome, limits)
    return found.message if found else None


def _fault(outcome: Outcome, limits: RunLimits) -> tuple[Verdict, str] | None:
    if outcome.security_violation:
        return Verdict.SECURITY_VIOLATION, "killed for a system call that is not allowed"
    if outcome.out_of_memory and outcome.exit_code != 0:
        return Verdict.MEMORY_LIMIT_EXCEEDED, f"ran out of memory: the limit is {limits.memory_bytes} bytes"
    if outcome.killed_by == "output" or outcome.stdout_truncated or outcome.stderr_truncated:
        return Verdict.OUTPUT_LIMIT_EXCEEDED, f"wrote more than {limits.output_bytes} bytes"
    if outcome.killed_by == "cpu" or outcome.cpu_seconds > limits.cpu_seconds:
        return Verdict.TIME_LIMIT_EXCEEDED, f"used more than {limits.cpu_seconds:g} s of CPU time"
    # Wall time alone is no fault: it also counts clearing up, which on a busy machine takes as long as it takes.
    if outcome.killed_by == "wall":
        return Verdict.TIME_LIMIT_EXCEEDED, f"ran for more than {limits.wall_seconds:g} s of wall time"
    if outcome.signal is not None:
        return Verdict.RUNTIME_ERROR, f"killed by {_signal_name(outcome.signal)}"
    if outcome.exit_code != 0:
        return Verdict.RUNTIME_ERROR, f"ended with exit code {outcome.exit_code}"
    return None


def _is_near(used: float, limit: float) -> bool:
    return abs(used - limit) <= NEAR * limit


def _signal_name(number: int) -> str:
    known = {item.value: item.name for item in signal.Signals}
    return f"signal {number} ({known[number]})" if number in known else f"signal {number}"
