"""How init is asked to run something, whatever wall it is behind."""

from __future__ import annotations

import os
from typing import Any

from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.run import ARTIFACT_COUNT, RunRequest
from sandbox_service.executor import plan, wire

WAITING_SIGNALS = 256
"""And timers. All runs of a host together have some thousands, which one run could take from all others."""
CORES = os.cpu_count() or 1


def header_of(request: RunRequest, user: int | None, measured: set[str], *, warm: bool) -> dict[str, Any]:
    """The header of a request; files and standard input follow it.

    Args:
        request: what is to be run.
        user: of the run, `None` where users cannot be had.
        measured: which of memory, processes and cpu control groups see to.
        warm: see `RunRequest`.
    """
    limits = request.limits
    return {
        "kind": "run",
        "warm": warm,
        "kept": None,
        "command": [wire.text_of(item) for item in request.command],
        "environment": plan.ENVIRONMENT | request.environment,
        "files": [
            [wire.path_of(path), 0o755 if file.executable else 0o644, len(file.content)]
            for path, file in request.files.items()
        ],
        "stdin": len(request.stdin),
        "uid": user,
        "cpu": limits.cpu_seconds,
        "wall": limits.wall_seconds,
        "output": limits.output_bytes,
        "disk": limits.disk_bytes,
        "inodes": limits.inodes,
        "cores": CORES,
        "limits": _rlimits(limits, measured),
        "collect": {
            "globs": [wire.path_of(glob) for glob in request.collect],
            "count": ARTIFACT_COUNT,
            "each": request.collect_each,
            "total": request.collect_total,
        },
    }


def _rlimits(limits: RunLimits, measured: set[str]) -> dict[str, int]:
    """Limits of each process; where no control group counts memory or processes they stand in for it."""
    rlimits = {"NOFILE": limits.open_files, "STACK": limits.stack_bytes, "MEMLOCK": 0, "MSGQUEUE": 0}
    rlimits["SIGPENDING"] = WAITING_SIGNALS
    # One byte: too little for a file, and the only value at which the kernel starts no helper of the host for a crash.
    rlimits["CORE"] = 1
    if "memory" not in measured:
        # A thread's stack is as large as the stack limit and counts as data in full: leave room for four.
        rlimits |= {
            "DATA": limits.memory_bytes,
            "STACK": min(limits.stack_bytes, max(limits.memory_bytes // 5, 8 << 20)),
        }
    if "processes" not in measured:
        rlimits["NPROC"] = limits.processes
    return rlimits
