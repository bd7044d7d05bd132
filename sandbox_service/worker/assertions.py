"""Assertions: a test text is run with the solution, where the solution cannot reach what it is judged by.

Apart, where the language allows it: two sandboxes that talk with each other. Else together, in one hardened program.
"""

from __future__ import annotations

import secrets

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import File, RunRequest
from sandbox_service.contract.task import AssertionsTask
from sandbox_service.contract.verdict import Verdict
from sandbox_service.executor import ExecutorError
from sandbox_service.judge import Finding, TaskError, apart, compile_failure, cpp, fault, report
from sandbox_service.worker.channel import converse, exchange, pipes
from sandbox_service.worker.job import Job
from sandbox_service.worker.room import Room

CHARGED = Finding(Verdict.WRONG_ANSWER, "the tests broke on what it answered")
Sitting = tuple[Outcome | None, Outcome]
"""What a program did, and its examiner."""


class Examiners:
    """The tools of the languages whose test texts are run apart, each made ready when it is first needed."""

    def __init__(self) -> None:
        self._ready: dict[str, apart.Apart] = {}

    async def of(self, job: Job, room: Room) -> apart.Apart:
        """Those of a submission's language; made ready in a room."""
        name = job.language.id
        if name not in self._ready:
            self._ready[name] = await apart.load(name, room.run, job.examiner_limits)
        return self._ready[name]


async def examine(job: Job, task: AssertionsTask, examiners: Examiners, room: Room, other: Room) -> None:
    """Run the test text, and add its cases to the job.

    Args:
        job: the submission, compiled where its language is.
        task: its task.
        examiners: of this worker.
        room: where the program runs.
        other: where an examiner runs.

    Raises:
        TaskError: the test text is broken, whatever the solution does.
        ExecutorError: we failed.
    """
    outcome: Outcome | None
    if job.together:
        found, outcome = await _together(job, job.together, room)
    else:
        found, outcome = await _apart(job, task, await examiners.of(job, other), room, other)
    if outcome:
        job.spend(outcome)
    for number, finding in enumerate(found):
        if job.failed and job.submission.stop_on_first_failure:
            job.skip(str(number))
        else:
            # All cases share one run: its figures stand at the first.
            job.add(str(number), finding, outcome if number == 0 else None)


async def _together(job: Job, program: cpp.Program, room: Room) -> tuple[list[Finding], Outcome]:
    request = RunRequest(
        job.language.run_command(job.submission, [], job.limits),
        job.limits,
        job.files,
        environment=job.language.environment,
        collect=tuple(job.submission.artifacts),
    )
    nonce = secrets.token_hex(16)
    outcome, said = await exchange(room.run, request, cpp.opening(program, nonce), cpp.report_limit(program))
    found = cpp.report(said, program, nonce)
    return apart.explained(found, fault(outcome, job.limits)), outcome


async def _apart(
    job: Job, task: AssertionsTask, tools: apart.Apart, room: Room, other: Room
) -> tuple[list[Finding], Outcome | None]:
    outcome, said = await _sitting(job, task, tools, job.files, (room, other))
    told = report.parse(said.stdout)
    if said.exit_code == apart.BROKEN_TEXT and not told.planned:
        raise TaskError(f"the test text cannot be run: {_last_line(said)}")
    if told.ended:
        found = apart.findings(told, outcome, job.limits)
    else:
        benign = {job.language.entrypoint(job.submission): File(apart.control(tools, task))}
        await _try_control(job, await _sitting(job, task, tools, benign, (room, other)))
        found = told.findings(CHARGED)
    if not found:
        raise ExecutorError("examiner", f"the examiner made no plan: {compile_failure(said, job.examiner_limits)}")
    return found, outcome


async def _sitting(
    job: Job, task: AssertionsTask, tools: apart.Apart, files: dict[str, File], rooms: tuple[Room, Room]
) -> Sitting:
    ours, theirs = pipes()
    host = RunRequest(
        tools.host_command(job.language.run_command(job.submission, [], job.limits)),
        job.limits,
        files,
        environment=job.language.environment,
        collect=tuple(job.submission.artifacts),
        warm=job.language.warm,
        kept=tools.kept,
        channel=ours,
    )
    given = {name: File(content) for name, content in tools.files.items()}
    given["task.json"] = File(apart.task_file(task, job.language.entrypoint(job.submission)))
    limits, environment = job.examiner_limits, job.language.environment
    examiner = RunRequest(
        tools.examiner,
        limits,
        given,
        environment=environment,
        warm=job.language.warm,
        kept=tools.kept,
        channel=theirs,
    )
    return await converse(rooms[0].run(host), rooms[1].run(examiner))


async def _try_control(job: Job, sitting: Sitting) -> None:
    """See whether the examiner came to its end beside a benign program: then the solution was to blame.

    Raises:
        TaskError: it did not.
    """
    _, said = sitting
    if not report.parse(said.stdout).ended:
        why = compile_failure(said, job.examiner_limits) or "it comes to no end"
        raise TaskError(f"the test text fails whatever the solution does: {why}")


def _last_line(outcome: Outcome) -> str:
    lines = outcome.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:300] if lines else "no reason is given"
