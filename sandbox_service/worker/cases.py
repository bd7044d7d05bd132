"""Tasks whose cases are runs of their own: the program runs once a case, and what it gave is judged out here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import RunRequest
from sandbox_service.contract.task import Case, RunTask, StdioTask, Task
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge import ACCEPTED, Finding, fault, matches
from sandbox_service.worker.boundary import boundary
from sandbox_service.worker.job import Job
from sandbox_service.worker.room import Room

LARGE_OUTPUT = 1 << 16
SLOW_MODES = ("regex",)
Named = tuple[str, Case | RunTask]
"""A case's id and the case; a `run` task is its own only case."""


def skip_all(job: Job) -> None:
    """There is nothing to run: no case is."""
    for name, case in _cases(job.submission.task):
        job.skip(name, **_labels(case))


async def run(job: Job, task: Task, room: Room, other: Room) -> None:
    """Run the cases in turn, and add each to the job.

    Args:
        job: the submission.
        task: its task.
        room: where the program runs.
        other: where a checker runs.
    """
    for name, case in _cases(task):
        if job.failed and job.submission.stop_on_first_failure:
            job.skip(name, **_labels(case))
            continue
        with boundary("run"):
            outcome = await room.run(_request(job, case))
        job.spend(outcome)
        began = time.monotonic()
        with boundary("judge"):
            finding = fault(outcome, job.limits) or await _judged(task, case, outcome)
        job.seconds["judge"] += time.monotonic() - began
        job.add(name, finding, outcome, **_labels(case))


async def _judged(task: Task, case: Case | RunTask, outcome: Outcome) -> Finding:
    if not isinstance(task, StdioTask) or not isinstance(case, Case):
        return ACCEPTED
    compare = partial(matches, task.compare, outcome.stdout, case.expected)
    # Comparing megabytes takes seconds, and a pattern may take long: the other slots and the heartbeats go on.
    slow = len(outcome.stdout) > LARGE_OUTPUT or task.compare.mode in SLOW_MODES
    wrong = await asyncio.to_thread(compare) if slow else compare()
    return Finding(Verdict.WRONG_ANSWER, wrong) if wrong else ACCEPTED


def _cases(task: Task) -> Sequence[Named]:
    if isinstance(task, StdioTask):
        return list(zip(task.case_ids(), task.cases, strict=True))
    return [("0", task)]


def _labels(case: Case | RunTask) -> dict[str, Any]:
    return {"weight": case.weight, "group": case.group} if isinstance(case, Case) else {}


def _request(job: Job, case: Case | RunTask) -> RunRequest:
    return RunRequest(
        job.language.run_command(job.submission, case.args),
        job.limits,
        job.files,
        stdin=case.stdin,
        environment=job.language.environment,
        collect=tuple(job.submission.artifacts),
    )
