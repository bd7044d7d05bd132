"""The stages of a submission: prepare, compile, run, judge, reward. The one place that names them all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from sandbox_service.contract.result import CompileResult, InfraError, Isolation, Result, StepResult, Timing
from sandbox_service.contract.reward import Reward, named_languages
from sandbox_service.contract.run import File, Preload
from sandbox_service.contract.submission import Submission
from sandbox_service.contract.task import AnswerTask, AssertionsTask, Compare, FunctionTask, StdioTask
from sandbox_service.contract.verdict import State, Verdict
from sandbox_service.executor import Executor
from sandbox_service.judge import aggregate, answer, check_expected, cpp, function
from sandbox_service.languages import ANSWERS, Language, Languages, extract
from sandbox_service.policy import Policies
from sandbox_service.reward import Facts, NotMeasured, default_reward, score
from sandbox_service.worker import answers, assertions, cases, measures
from sandbox_service.worker.boundary import InfraFailure, boundary
from sandbox_service.worker.compiler import Compiler
from sandbox_service.worker.job import Job
from sandbox_service.worker.rejudging import Rejudging
from sandbox_service.worker.room import Room
from sandbox_service.worker.tools import Tools

T = TypeVar("T")
NO_CODE = "no_code"


class Pipeline:
    """Evaluates submissions, as many at once as are asked for; of what they are only compiled programs are kept.

    Args:
        executor: where programs run.
        policies: by name.
        languages: by id; those that this worker can run.
        compiler: of the languages that need one.
        rejudging: makes the runs whose time is limited.
        tools: programs of others that judge.
        versions: of the languages, by id.
    """

    def __init__(
        self,
        executor: Executor,
        policies: Policies,
        languages: Languages,
        compiler: Compiler | None = None,
        rejudging: Rejudging | None = None,
        tools: Tools | None = None,
        versions: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._executor, self._policies, self._languages = executor, policies, languages
        self._compiler, self._rejudging = compiler or Compiler(), rejudging or Rejudging()
        self._examiners, self._tools = assertions.Examiners(), tools or Tools()
        self._versions = versions

    async def evaluate(
        self, id: str, submission: Submission, *, tenant: str = "", attempts: int, queued_seconds: float
    ) -> Result:
        """The result of a submission: finished, or failed if we failed. Raises nothing but cancellation."""
        began = time.monotonic()
        base = Result(
            id=id, state=State.FAILED, attempts=attempts, domain=submission.domain, metadata=submission.metadata
        )
        job: Job | None = None
        try:
            with boundary("prepare"):
                job = await self._prepare(submission, tenant)
            update = {"policy": job.policy.ref} | await self._run_stages(job)
        except InfraFailure as failure:
            update = {"infra_error": failure.error}
        spent = time.monotonic() - began
        stages = {f"{stage}_seconds": seconds for stage, seconds in job.seconds.items()} if job else {}
        timing = Timing(queued_seconds=queued_seconds, total_seconds=queued_seconds + spent, **stages)
        return base.model_copy(update=update | {"timing": timing})

    async def _run_stages(self, job: Job) -> dict[str, Any]:
        # What judges a submission never shares a room with it.
        async with Room(self._executor, job.policy, _preload(job)) as room, Room(self._executor, job.policy) as other:
            if await self._compile(job, room):
                await self._run(job, room, other)
            with boundary("reward"):
                try:
                    facts, steps = await self._facts(job, room, other)
                    place = {"isolation": _isolation(job, room), "toolchain": self._toolchain(job.language)}
                    return place | {"steps": steps} | _rewarded(job, facts)
                except NotMeasured as error:
                    raise InfraFailure(InfraError(kind="not_measured", message=str(error), retryable=True)) from None

    async def _prepare(self, submission: Submission, tenant: str) -> Job:
        is_answer = submission.language == ANSWERS.id
        language = ANSWERS if is_answer else _known(self._languages, submission.language, "language")
        policy = _known(self._policies, submission.policy, "policy")
        reward = policy.reward(submission.reward, submission.domain) or default_reward(submission.task)
        if isinstance(reward, Reward):
            measures.check(reward)
            for name in named_languages(reward):
                _known(self._languages, name, "language")
        checker = None
        # A broken task is found before anything runs: not only by solutions that get as far as being compared.
        match submission.task:
            case StdioTask(compare=Compare(mode="checker", language=str(name))):
                checker = _known(self._languages, name, "language")
            case FunctionTask(compare=Compare(mode="checker", language=str(name))):
                checker = _known(self._languages, name, "language")
            case StdioTask(cases=asked, compare=compare):
                for case in asked:
                    check_expected(compare, case.expected)
            case FunctionTask() as task:
                function.check_cases(task)
            case AnswerTask() as task:
                answer.check_task(task)
        limits, compile_limits = policy.resolve(submission.limits)
        program = _program(submission, language)
        together = None
        if isinstance(submission.task, AssertionsTask):
            # A long test text takes long to rewrite: the other slots and the heartbeats go on.
            together = await asyncio.to_thread(_together, submission, language, program)
        files = {name: File(content) for name, content in (program | (together.files if together else {})).items()}
        return Job(submission, tenant, language, policy, limits, compile_limits, checker, reward, together, files)

    async def _compile(self, job: Job, room: Room) -> bool:
        """Compile once; whether there is something to run."""
        if not job.files:
            job.compiled = CompileResult(ok=False, message=NO_CODE)
        elif job.language.compile is not None:
            with boundary("compile"):
                async with self._rejudging.gate.together():
                    outcome, job.compiled = await self._compiler.compile(job, room)
                job.files |= {name: File(content, executable=True) for name, content in outcome.files.items()}
                for name in job.together.files if job.together else ():
                    del job.files[name]  # the test text was the compiler's to read, and is not the program's
        if job.compiled is None or job.compiled.ok:
            return True
        cases.skip_all(job)
        return False

    async def _run(self, job: Job, room: Room, other: Room) -> None:
        """Run the program and judge what it does, as its task says."""
        task = job.submission.task
        if isinstance(task, AssertionsTask):
            with boundary("examine"):
                async with self._rejudging.gate.together():
                    await assertions.examine(job, task, self._examiners, room, other)
        elif isinstance(task, AnswerTask):
            with boundary("judge"):
                await answers.judge(job, task, other, self._tools)
        else:
            await cases.run(job, room, other, self._rejudging)

    def _toolchain(self, language: Language) -> str | None:
        version = self._versions.get(language.id)
        return f"{language.id} {version}" if version else None

    async def _facts(self, job: Job, room: Room, other: Room) -> tuple[Facts, list[StepResult]]:
        """What the reward is made of, as far as it has to be found out."""

        async def prepare(submission: Submission) -> Job:
            own = await self._prepare(submission, job.tenant)
            await self._compile(own, room)
            return own

        async def evaluate(own: Job) -> None:
            await self._run(own, room, other)

        found: dict[str, measures.Found] = {}
        mine = measures.Measures(prepare, evaluate, self._languages, self._tools)
        if isinstance(job.reward, Reward):
            found = await mine.found(job.reward, job, other)
        steps = await mine.steps(job)
        values = [step.reward for step in steps]
        return Facts(job.cases, job.compiled, job.written, values, found), steps


def _known(there: Mapping[str, T], name: str, kind: str) -> T:
    if name not in there:
        message = f"this worker has no {kind} {name}"
        raise InfraFailure(InfraError(kind="not_on_this_worker", message=message, retryable=True))
    return there[name]


def _program(submission: Submission, language: Language) -> dict[str, bytes]:
    """The files of the program; empty if there is none in the text it was to be extracted from."""
    if isinstance(submission.task, AnswerTask):
        return {ANSWERS.source: submission.task.response}
    if submission.files is not None:
        return submission.files
    assert submission.code is not None  # noqa: S101
    code = submission.code if submission.extract is None else extract(submission.code, language, submission.extract)
    return {} if code is None else {language.entrypoint(submission): code}


def _together(submission: Submission, language: Language, program: dict[str, bytes]) -> cpp.Program | None:
    """What is compiled where the test text and the solution are one program."""
    task = submission.task
    if not isinstance(task, AssertionsTask) or language.compile is None or not program:
        return None
    name = language.entrypoint(submission)
    # Whatever the solution is made of: a lie may stand in a header.
    solution = b"\n".join([program[name], *(content for other, content in program.items() if other != name)])
    return cpp.program(solution, task.setup, task.code, name=name, language=language.id, entry_point=task.entry_point)


def _preload(job: Job) -> Preload | None:
    """What an interpreter for this program had better have read already."""
    if not job.language.warm:
        return None
    if job.policy.preload != "auto":
        return job.policy.preload
    return "numpy" if any(b"numpy" in file.content for file in job.files.values()) else "stdlib"


def _isolation(job: Job, room: Room) -> Isolation | None:
    """What held the program; whether it ran warm has no meaning for languages that cannot."""
    ran = job.language.warm and job.seconds["run"] > 0
    return room.isolation and room.isolation.model_copy(update={"warm": job.warm if ran else None})


def _rewarded(job: Job, facts: Facts) -> dict[str, Any]:
    """The last stage: the verdict of the whole and its reward."""
    reward, components = score(job.reward, facts)
    return {
        "state": State.FINISHED,
        "verdict": aggregate(job.cases),
        "reward": reward,
        "components": components,
        "passed": sum(case.verdict is Verdict.ACCEPTED for case in job.cases),
        "total": len(job.cases),
        "cases": job.cases,
        "compile": job.compiled,
        "artifacts": job.artifacts,
        "rejudged": job.rejudged,
    }
