"""Tasks whose cases are runs of their own: the program runs once a case, and what it gave is judged out here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import RunRequest
from sandbox_service.contract.task import Case, Compare, FunctionCase, FunctionTask, RunTask, StdioTask
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge import ACCEPTED, Finding, checker, difference, fault, function, matches
from sandbox_service.judge.values import ValueFault
from sandbox_service.worker.boundary import boundary
from sandbox_service.worker.channel import exchange
from sandbox_service.worker.job import Job
from sandbox_service.worker.rejudging import Rejudging
from sandbox_service.worker.room import Room

LARGE_OUTPUT = 1 << 16
AnyCase = Case | FunctionCase | RunTask
"""A `run` task is its own only case."""
Judge = Callable[[Any, Outcome, bytes], Awaitable[Finding]]
"""From a case, what its run did, and what it sent over its channel, to how the case ended."""


def skip_all(job: Job) -> None:
    """There is nothing to run: no case is."""
    if job.together:
        for number in range(len(job.together.sites)):
            job.skip(str(number))
        return
    for name, case in _cases(job):
        job.skip(name, **_labels(case))


async def run(job: Job, room: Room, other: Room, rejudging: Rejudging) -> None:
    """Run the cases in turn, and add each to the job.

    Args:
        job: the submission.
        room: where the program runs.
        other: where a checker runs.
        rejudging: makes the runs.
    """
    gate = rejudging.gate
    with boundary("judge"):
        async with gate.together():
            judge = await _judge(job, other)
    for name, case in _cases(job):
        if job.failed and job.submission.stop_on_first_failure:
            job.skip(name, **_labels(case))
            continue
        with boundary("run"):
            outcome, said, again = await rejudging.run(partial(_run, job, case, room), job.limits)
        job.rejudged = job.rejudged or again
        job.spend(outcome)
        began = time.monotonic()
        with boundary("judge"):
            async with gate.together():
                finding = fault(outcome, job.limits) or await judge(case, outcome, said)
        job.seconds["judge"] += time.monotonic() - began
        job.add(name, finding, outcome, **_labels(case))


def _cases(job: Job) -> Sequence[tuple[str, AnyCase]]:
    task = job.submission.task
    if isinstance(task, (StdioTask, FunctionTask)):
        return list(zip(task.case_ids(), task.cases, strict=True))
    return [("0", RunTask())] if not isinstance(task, RunTask) else [("0", task)]


def _labels(case: AnyCase) -> dict[str, Any]:
    return {} if isinstance(case, RunTask) else {"weight": case.weight, "group": case.group}


async def _run(job: Job, case: AnyCase, room: Room) -> tuple[Outcome, bytes]:
    language, submission = job.language, job.submission
    request = RunRequest(
        language.run_command(submission, [] if isinstance(case, FunctionCase) else case.args, job.limits),
        job.limits,
        job.files,
        stdin=b"" if isinstance(case, FunctionCase) else case.stdin,
        environment=language.environment,
        collect=tuple(submission.artifacts),
        warm=language.warm,
    )
    if isinstance(case, FunctionCase):
        assert isinstance(submission.task, FunctionTask)  # noqa: S101
        interpreter, *program = request.command
        request.command[:] = [interpreter, b"-c", function.call_source().encode(), *program]
        given = function.request(submission.task, case)
        outcome, said = await exchange(room.run, replace(request, kept=True), given, function.MAX_ANSWER_BYTES)
        # Who sends more finds its pipe closed, and may die of that.
        return (replace(outcome, killed_by="output") if len(said) > function.MAX_ANSWER_BYTES else outcome), said
    return await room.run(request), b""


# ---- what a case is judged by ----


async def _judge(job: Job, other: Room) -> Judge:
    task = job.submission.task
    if isinstance(task, RunTask):
        return _accept
    if not isinstance(task, (StdioTask, FunctionTask)):
        raise TypeError(f"task {task.type} has no cases of its own")  # never by default: that would accept
    if task.compare.mode == "checker":
        return await _checker(job, task.compare, other)
    if isinstance(task, FunctionTask):
        return partial(_compare_value, task)
    return partial(_compare_output, task.compare, job.policy.reveal == "expected")


async def _accept(_case: AnyCase, _outcome: Outcome, _said: bytes) -> Finding:
    return ACCEPTED


async def _compare_output(compare: Compare, shown: bool, case: Case, outcome: Outcome, _said: bytes) -> Finding:
    output, expected = outcome.stdout, case.expected

    def judge() -> Finding:
        wrong = matches(compare, output, expected)
        excerpts = difference.difference(compare, output, expected) if wrong and shown else (None, None)
        return Finding(Verdict.WRONG_ANSWER, wrong, *excerpts) if wrong else ACCEPTED

    return await _aside(judge, len(output) > LARGE_OUTPUT or compare.mode == "regex")


async def _compare_value(task: FunctionTask, case: FunctionCase, _outcome: Outcome, said: bytes) -> Finding:
    judge = partial(function.check, task.compare, case, said)
    return await _aside(judge, len(said) > LARGE_OUTPUT or task.compare.mode == "regex")


async def _aside(judge: Callable[[], Finding], slow: bool) -> Finding:
    """Comparing megabytes takes seconds, and a pattern may take long: the other slots and the heartbeats go on."""
    return await asyncio.to_thread(judge) if slow else judge()


async def _checker(job: Job, compare: Compare, other: Room) -> Judge:
    assert job.checker_language is not None  # noqa: S101
    assert compare.code is not None  # noqa: S101
    prepared = await checker.prepare(other.run, job.checker_language, compare.code, job.examiner_limits)

    async def judge(case: Case | FunctionCase, outcome: Outcome, said: bytes) -> Finding:
        try:
            given = (
                function.checker_files(case, said)
                if isinstance(case, FunctionCase)
                else (case.stdin, outcome.stdout, case.expected)
            )
        except ValueFault as fault:
            return Finding(fault.verdict, str(fault))
        input, output, expected = given
        return await checker.check(
            other.run, prepared, job.examiner_limits, input=input, output=output, expected=expected
        )

    return judge
