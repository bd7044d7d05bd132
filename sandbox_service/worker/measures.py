"""What a reward asks for beyond the verdicts: the program measured, its text analysed, its result scored."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from sandbox_service.contract.result import CaseResult, StepResult
from sandbox_service.contract.reward import (
    CompliancePart,
    CustomPart,
    EfficiencyPart,
    FormatPart,
    ImpactPart,
    Reference,
    Reward,
)
from sandbox_service.contract.submission import Submission
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge import TaskError, aggregate
from sandbox_service.languages import Languages
from sandbox_service.reward import (
    Analysed,
    Facts,
    Impact,
    Measured,
    PatternError,
    Scored,
    check_pattern,
    score,
    settled,
)
from sandbox_service.worker import analysis, scorer
from sandbox_service.worker.job import STAGES, Job
from sandbox_service.worker.room import Room
from sandbox_service.worker.tools import Tools

MOST_SECONDS = 60.0
"""Of CPU time for one efficiency: then it is measured less often than was asked for, but once at least."""
Evaluate = Callable[[Job], Awaitable[None]]
"""Runs a program that is compiled, and judges it: adds cases to a job."""
Prepare = Callable[[Submission], Awaitable[Job]]
"""From a submission to a job that is compiled."""
Found = Measured | Analysed | Impact | Scored


def check(reward: Reward) -> None:
    """See that a reward can be made of anything, before anything runs.

    Raises:
        TaskError: it cannot.
    """
    for part in reward.components:
        if isinstance(part, FormatPart):
            try:
                check_pattern(part)
            except PatternError as error:
                raise TaskError(str(error)) from None


class Measures:
    """Finds out what the components of one submission's reward need to know.

    Args:
        prepare: makes a job of another program for the same task.
        evaluate: runs it.
        languages: of this worker.
        tools: likewise.
    """

    def __init__(self, prepare: Prepare, evaluate: Evaluate, languages: Languages, tools: Tools) -> None:
        self._prepare, self._evaluate, self._languages, self._tools = prepare, evaluate, languages, tools

    async def found(self, reward: Reward, job: Job, room: Room) -> dict[str, Found]:
        """What was found, by the key of the component.

        Raises:
            TaskError: the trainer's reference or scoring program fails.
            ExecutorError, InfraFailure: we failed.
        """
        found: dict[str, Found] = {}
        for part in reward.components:
            match part:
                case EfficiencyPart():
                    found[part.key] = await self._efficiency(part, job)
                case CompliancePart():
                    found[part.key] = await analysis.compliance(part, job, room, self._tools)
                case ImpactPart():
                    found[part.key] = await analysis.impact(part, job, room)
                case CustomPart():
                    found[part.key] = await scorer.scored(part, self._languages[part.language], job, room)
        return found

    async def steps(self, job: Job) -> list[StepResult]:
        """The submission's steps, each judged as if it had been submitted by itself, and worth a fraction."""
        results = []
        for step in job.submission.steps:
            extract = job.submission.extract if step.files is None else None
            mine: dict[str, Any] = {"code": step.code, "files": step.files, "extract": extract}
            other = await self._prepare(_another(job.submission, mine))
            if other.compiled is None or other.compiled.ok:
                await self._evaluate(other)
            value, _ = score("fraction", Facts(other.cases))
            passed = sum(case.verdict is Verdict.ACCEPTED for case in other.cases)
            verdict = aggregate(other.cases)
            results.append(StepResult(verdict=verdict, reward=value, passed=passed, total=len(other.cases)))
        return results

    async def _efficiency(self, part: EfficiencyPart, job: Job) -> Measured:
        if not _accepted(job):
            return Measured([job.cases])  # worth nothing however fast it is
        beside = await self._reference(part.reference, job) if part.reference else None
        programs = [job] if beside is None else [job, beside]
        rounds: dict[int, list[list[CaseResult]]] = {id(each): [] for each in programs}
        if beside is None:
            rounds[id(job)].append(job.cases)
        spent = 0.0
        for number in range(part.best_of - len(rounds[id(job)])):
            # The one that goes first takes turns: whatever the first of two has of it, both have.
            for each in programs if number % 2 == 0 else reversed(programs):
                again = _fresh(each)
                await self._evaluate(again)
                rounds[id(each)].append(again.cases)
                spent += sum(case.cpu_seconds or 0.0 for case in again.cases)
                if each is beside and not _accepted(again):
                    raise TaskError(f"the reference of component {part.key} is not accepted: {aggregate(again.cases)}")
            if spent > MOST_SECONDS or all(settled(part.measure, each) for each in rounds.values()):
                break
        return Measured(rounds[id(job)], rounds[id(beside)] if beside else ())

    async def _reference(self, reference: Reference, job: Job) -> Job:
        mine: dict[str, Any] = {"code": reference.code, "files": None, "extract": None}
        if reference.language and reference.language != job.submission.language:
            mine |= {"language": reference.language, "compile_flags": []}
        other = await self._prepare(_another(job.submission, mine))
        if other.compiled and not other.compiled.ok:
            raise TaskError(f"the reference does not compile: {other.compiled.stderr[:300]}")
        return other


def _another(submission: Submission, changes: dict[str, Any]) -> Submission:
    """The same task for another program."""
    entrypoint = submission.entrypoint if submission.entrypoint in (changes["files"] or ()) else None
    alone: dict[str, Any] = {
        "entrypoint": entrypoint,
        "steps": [],
        "artifacts": [],
        "stop_on_first_failure": False,
        "reward": None,
    }
    return submission.model_copy(update=alone | changes)


def _fresh(job: Job) -> Job:
    """The job before its first run."""
    return replace(job, cases=[], artifacts={}, seconds=dict.fromkeys(STAGES, 0.0), output_bytes=0)


def _accepted(job: Job) -> bool:
    return all(case.verdict is Verdict.ACCEPTED for case in job.cases)
