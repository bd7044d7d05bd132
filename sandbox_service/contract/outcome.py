"""Outcomes: what a program did in a sandbox. Facts alone; the judge makes verdicts of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

LimitName = Literal["cpu", "wall", "output"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run of one command.

    Attributes:
        exit_code: the program's exit code; `None` if a signal ended it.
        signal: the number of the signal that ended it, else `None`.
        cpu_seconds: CPU time of all processes of the run, orphans included.
        wall_seconds: from the start of the program until it and all its descendants were gone.
        memory_bytes: the most memory the run held at once; `None` where it is not measured.
        processes_peak: the most tasks at once; `None` where it is not measured.
        stdout: what it wrote, up to the output limit.
        stderr: likewise.
        stdout_truncated: it wrote more than the limit.
        stderr_truncated: likewise.
        killed_by: the limit for which we ended it, `None` if it ended by itself.
        out_of_memory: the kernel reported an OOM event for this run.
        security_violation: the seccomp filter killed it.
        start_seconds: from the request until the program started.
        warm: it ran in a Python that had started already.
        files: files collected from the work dir, by path.
        files_cut: paths that were to be collected but were over the caps.
    """

    exit_code: int | None
    signal: int | None
    cpu_seconds: float
    wall_seconds: float
    memory_bytes: int | None = None
    processes_peak: int | None = None
    stdout: bytes = b""
    stderr: bytes = b""
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    killed_by: LimitName | None = None
    out_of_memory: bool = False
    security_violation: bool = False
    start_seconds: float = 0.0
    warm: bool = False
    files: dict[str, bytes] = field(default_factory=dict)
    files_cut: tuple[str, ...] = ()
