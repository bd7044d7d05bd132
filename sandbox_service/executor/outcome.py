"""Init's answer and what the control group has counted -> outcome; who is to blame where there is none."""

from __future__ import annotations

import errno
import os
import signal

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import RunRequest
from sandbox_service.executor import cgroup
from sandbox_service.executor.answer import Answer
from sandbox_service.executor.protocol import ExecutorError


def outcome_of(request: RunRequest, answer: Answer, blobs: list[bytes], usage: cgroup.Usage) -> Outcome:
    """What is told of a run.

    Args:
        request: what was asked for.
        answer: of init.
        blobs: both outputs and the files that are handed back.
        usage: of the control group.

    Raises:
        ExecutorError: we failed, or the task did.
    """
    stdout, stderr, *contents = blobs
    status = answer.status
    if answer.stage == "lost" and usage.out_of_memory:
        status = signal.SIGKILL  # it took with it who bore it: its memory is what there was none left of
    elif answer.stage == "lost":
        raise ExecutorError("sandbox_lost", answer.text)
    elif answer.stage:
        if answer.errno == errno.E2BIG:
            raise ExecutorError("task_error", "the arguments need more stack than stack_bytes gives", retryable=False)
        # A program of the submission's own that cannot be executed is its fault, everything else ours.
        if answer.stage != "exec" or request.command[0].startswith(b"/"):
            raise ExecutorError("sandbox_setup", f"{answer.stage}: {answer.text}")
        stderr += f"cannot be executed: {answer.text}\n".encode()
    if usage.host_out_of_memory and status != 0:
        raise ExecutorError("host_memory", "the host had no memory left for a run that was within its limit")
    by_signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    return Outcome(
        exit_code=None if by_signal else os.WEXITSTATUS(status),
        signal=by_signal,
        cpu_seconds=answer.tree_cpu if usage.cpu_seconds is None else usage.cpu_seconds,
        wall_seconds=answer.wall,
        memory_bytes=usage.memory_bytes,
        processes_peak=usage.processes_peak,
        stdout=stdout,
        stderr=stderr,
        stdout_truncated=answer.stdout_cut,
        stderr_truncated=answer.stderr_cut,
        killed_by=answer.killed_by,
        out_of_memory=usage.out_of_memory,
        warm=answer.warm,
        security_violation=answer.violation is not None,
        start_seconds=answer.start,
        files=dict(zip((path for path, _ in answer.files), contents, strict=True)),
        files_cut=tuple(answer.cut),
    )
