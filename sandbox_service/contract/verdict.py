"""Verdicts of programs and states of submissions: two vocabularies that are never mixed."""

from enum import StrEnum


class Verdict(StrEnum):
    """What became of a program. Our own failures have no verdict: see `State.FAILED`."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    RUNTIME_ERROR = "runtime_error"
    TIME_LIMIT_EXCEEDED = "time_limit_exceeded"
    MEMORY_LIMIT_EXCEEDED = "memory_limit_exceeded"
    OUTPUT_LIMIT_EXCEEDED = "output_limit_exceeded"
    SECURITY_VIOLATION = "security_violation"
    COMPILE_ERROR = "compile_error"
    SKIPPED = "skipped"
    """Of cases only: not run, because compiling failed or an earlier case did."""


class State(StrEnum):
    """Where a submission is on its way."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    """We failed: no verdict, no reward, `infra_error` says why."""
    CANCELLED = "cancelled"

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen to the submission."""
        return self in (State.FINISHED, State.FAILED, State.CANCELLED)


class Priority(StrEnum):
    """Which queue a submission waits in; a higher one is always served first."""

    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"
