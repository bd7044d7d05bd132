"""Scoring programs of the trainer: the result goes in as JSON, a number comes out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.parse import dumps
from sandbox_service.contract.reward import CustomPart
from sandbox_service.contract.run import RunRequest
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge import TaskError, aggregate, checker, compile_failure
from sandbox_service.languages import Language
from sandbox_service.reward import Scored
from sandbox_service.worker.job import Job
from sandbox_service.worker.room import Room

MAX_DETAIL = 500
CHARGED = "the scoring program could not read this result"


async def scored(part: CustomPart, language: Language, job: Job, room: Room) -> Scored:
    """What a scoring program makes of a result. If it fails, and works on a harmless result, this one is worth 0.

    Raises:
        TaskError: it does not compile, or fails on a harmless result too.
        ExecutorError: we failed.
    """
    limits = job.examiner_limits
    program = await checker.prepare(room.run, language, part.code, limits, arguments=())

    async def ask(result: Mapping[str, Any]) -> tuple[float | None, Outcome]:
        stdin = dumps(result)
        request = RunRequest(program.command, limits, program.files, stdin=stdin, environment=program.environment)
        outcome = await room.run(request)
        return _number(outcome), outcome

    value, outcome = await ask(document(job))
    if value is not None:
        detail = b"\n".join(outcome.stdout.strip().split(b"\n")[:-1]).decode("utf-8", "replace")[:MAX_DETAIL]
        return Scored(value, detail if detail and job.policy.reveal == "expected" else None)
    control, said = await ask(harmless(job))
    if control is None:
        why = compile_failure(said, limits) or "its last line is no number"
        raise TaskError(f"the scoring program fails on a harmless result too: {why}: {checker.program.words(said)}")
    return Scored(0.0, CHARGED)


def document(job: Job) -> dict[str, Any]:
    """What a scoring program reads: the result as far as it is known, and what the model wrote."""
    return {
        "verdict": aggregate(job.cases),
        "passed": sum(case.verdict is Verdict.ACCEPTED for case in job.cases),
        "total": len(job.cases),
        "cases": [case.model_dump(mode="json") for case in job.cases],
        "compile": job.compiled and job.compiled.model_dump(mode="json"),
        "text": job.written.decode("utf-8", "replace"),
        "domain": job.submission.domain,
        "metadata": job.submission.metadata,
    }


def harmless(job: Job) -> dict[str, Any]:
    """The result of a program that is right and says nothing."""
    quiet = {"verdict": Verdict.ACCEPTED, "stdout": "", "stderr": "", "message": None, "exit_code": 0, "signal": None}
    quiet |= {"stdout_base64": None, "stderr_base64": None, "stdout_truncated": False, "stderr_truncated": False}
    cases = [case.model_copy(update=quiet).model_dump(mode="json") for case in job.cases]
    mine = {"verdict": Verdict.ACCEPTED, "passed": len(cases), "cases": cases, "compile": None, "text": ""}
    return document(job) | mine


def _number(outcome: Outcome) -> float | None:
    """The number on the last line; `None` if the program failed."""
    if outcome.exit_code != 0 or outcome.killed_by or outcome.stdout_truncated or outcome.security_violation:
        return None
    try:
        value = float(outcome.stdout.strip().split(b"\n")[-1])
    except ValueError:
        return None
    return value if math.isfinite(value) else None
