"""The stages of a submission: prepare, compile, run, judge, reward. The one place that names them all."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.result import Artifact, CaseResult, CompileResult, InfraError, Result, Timing
from sandbox_service.contract.run import ARTIFACT_COUNT, ARTIFACTS_BYTES, File, RunRequest
from sandbox_service.contract.submission import Submission
from sandbox_service.contract.task import Case, RunTask, StdioTask
from sandbox_service.contract.verdict import State, Verdict
from sandbox_service.executor import Executor, Sandbox
from sandbox_service.judge import aggregate, check_expected, compile_failure, judge_case, matches
from sandbox_service.languages import Language, Languages, extract
from sandbox_service.policy import Policies, Policy
from sandbox_service.results import MAX_RESPONSE_BYTES, output_bytes, output_fields
from sandbox_service.reward import default_reward, score
from sandbox_service.worker.boundary import InfraFailure, boundary

NO_CODE = "no_code"
LARGE_OUTPUT = 1 << 16
MAX_COMPILER_BYTES = 64 << 10
"""Of each output of a compiler; nobody reads the thousandth error, and a result has other things to hold."""
MAX_PROGRAM_BYTES = 64 << 20
"""What all outputs of a compiler may have together: the worker holds them for as long as the submission runs."""


@dataclass(slots=True)
class Job:
    """A submission on its way through the stages, with what each of them adds."""

    submission: Submission
    language: Language
    policy: Policy
    limits: RunLimits
    compile_limits: RunLimits
    files: dict[str, File]
    compiled: CompileResult | None = None
    cases: list[CaseResult] = field(default_factory=list)
    artifacts: dict[str, Artifact] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(("start", "compile", "run", "judge"), 0.0))
    output_bytes: int = 0

    def output(self, name: str, data: bytes, *, cut: bool) -> dict[str, Any]:
        """An output's fields of a case, without it where the result has no room for it.

        Ten thousand cases must not fill the worker's memory, nor may writing what is then left out keep it from its
        other submissions.
        """
        size = output_bytes(data)
        if self.output_bytes + size > MAX_RESPONSE_BYTES:
            return {f"{name}_truncated": True}
        self.output_bytes += size
        return {f"{name}_truncated": cut, **output_fields(name, data)}


class Pipeline:
    """Evaluates submissions, as many at once as are asked for; keeps nothing between them.

    Args:
        executor: where programs run.
        policies: by name.
        languages: by id; those that this worker can run.
    """

    def __init__(self, executor: Executor, policies: Policies, languages: Languages) -> None:
        self._executor, self._policies, self._languages = executor, policies, languages

    async def evaluate(self, id: str, submission: Submission, *, attempts: int, queued_seconds: float) -> Result:
        """The result of a submission: finished, or failed if we failed. Raises nothing but cancellation."""
        began = time.monotonic()
        base = Result(
            id=id, state=State.FAILED, attempts=attempts, domain=submission.domain, metadata=submission.metadata
        )
        job: Job | None = None
        try:
            with boundary("prepare"):
                job = self._prepare(submission)
            update = {"policy": job.policy.ref} | await self._run_stages(job)
        except InfraFailure as failure:
            update = {"infra_error": failure.error}
        spent = time.monotonic() - began
        stages = {f"{stage}_seconds": seconds for stage, seconds in job.seconds.items()} if job else {}
        timing = Timing(queued_seconds=queued_seconds, total_seconds=queued_seconds + spent, **stages)
        return base.model_copy(update=update | {"timing": timing})

    async def _run_stages(self, job: Job) -> dict[str, Any]:
        with boundary("open"):
            sandbox = await self._executor.open()
        try:
            if await self._compile(job, sandbox):
                await self._run_cases(job, sandbox)
        finally:
            await sandbox.close()
        with boundary("reward"):
            return {"isolation": sandbox.isolation} | _rewarded(job)

    def _prepare(self, submission: Submission) -> Job:
        language = self._languages.get(submission.language)
        policy = self._policies.get(submission.policy)
        if language is None or policy is None:
            missing = f"language {submission.language}" if language is None else f"policy {submission.policy}"
            error = InfraError(kind="not_on_this_worker", message=f"this worker has no {missing}", retryable=True)
            raise InfraFailure(error)
        if isinstance(submission.task, StdioTask):
            # A broken task is found before anything runs: not only by solutions that get as far as being compared.
            for case in submission.task.cases:
                check_expected(submission.task.compare, case.expected)
        limits, compile_limits = policy.resolve(submission.limits)
        files = {name: File(content) for name, content in _program(submission, language).items()}
        return Job(submission, language, policy, limits, compile_limits, files)

    async def _compile(self, job: Job, sandbox: Sandbox) -> bool:
        """Compile once; whether there is something to run."""
        if not job.files:
            job.compiled = CompileResult(ok=False, message=NO_CODE)
        elif job.language.compile is not None:
            with boundary("compile"):
                outcome = await sandbox.run(_compile_request(job))
                job.seconds["compile"] = outcome.wall_seconds
                job.compiled = _compile_result(job, outcome)
                job.files |= {name: File(content, executable=True) for name, content in outcome.files.items()}
        if job.compiled is None or job.compiled.ok:
            return True
        job.cases = [_skipped(name, case) for name, case in _cases(job.submission)]
        return False

    async def _run_cases(self, job: Job, sandbox: Sandbox) -> None:
        failed = False
        for name, case in _cases(job.submission):
            if failed and job.submission.stop_on_first_failure:
                job.cases.append(_skipped(name, case))
                continue
            with boundary("run"):
                outcome = await sandbox.run(_run_request(job, case))
            job.seconds["start"] += outcome.start_seconds
            job.seconds["run"] += outcome.wall_seconds
            began = time.monotonic()
            with boundary("judge"):
                result = await _judged(job, name, case, outcome)
            job.seconds["judge"] += time.monotonic() - began
            job.cases.append(result)
            _keep_artifacts(job, outcome)
            failed = result.verdict is not Verdict.ACCEPTED


Named = tuple[str, Case | RunTask]
"""A case's id and the case; a `run` task is its own only case."""


def _cases(submission: Submission) -> Sequence[Named]:
    task = submission.task
    if isinstance(task, StdioTask):
        return list(zip(task.case_ids(), task.cases, strict=True))
    return [("0", task)]


def _skipped(name: str, case: Case | RunTask) -> CaseResult:
    return CaseResult(id=name, verdict=Verdict.SKIPPED, **_labels(case))


def _labels(case: Case | RunTask) -> dict[str, Any]:
    return {"weight": case.weight, "group": case.group} if isinstance(case, Case) else {}


def _program(submission: Submission, language: Language) -> dict[str, bytes]:
    """The files of the program; empty if there is none in the text it was to be extracted from."""
    if submission.files is not None:
        return submission.files
    assert submission.code is not None  # noqa: S101
    code = submission.code if submission.extract is None else extract(submission.code, language, submission.extract)
    return {} if code is None else {language.entrypoint(submission): code}


def _compile_request(job: Job) -> RunRequest:
    command = [item.encode("utf-8", "surrogatepass") for item in job.language.compile_command(job.submission)]
    most = min(job.compile_limits.disk_bytes, MAX_PROGRAM_BYTES)
    return RunRequest(
        command,
        job.compile_limits,
        job.files,
        environment=job.language.environment,
        collect=tuple(job.language.outputs),
        collect_each=most,
        collect_total=most,
    )


def _compile_result(job: Job, outcome: Outcome) -> CompileResult:
    message = compile_failure(outcome, job.compile_limits)
    if message is None and len(outcome.files) < len(job.language.outputs):
        message = f"the compiler made no program, or one larger than {MAX_PROGRAM_BYTES} bytes"
    return CompileResult(
        ok=message is None,
        exit_code=outcome.exit_code,
        cpu_seconds=outcome.cpu_seconds,
        wall_seconds=outcome.wall_seconds,
        memory_bytes=outcome.memory_bytes,
        stdout=_compiler_words(outcome.stdout),
        stderr=_compiler_words(outcome.stderr),
        message=message,
    )


def _compiler_words(output: bytes) -> str:
    text = output[:MAX_COMPILER_BYTES].decode("utf-8", "replace")
    return text if len(output) <= MAX_COMPILER_BYTES else f"{text}\n[{len(output) - MAX_COMPILER_BYTES} bytes more]"


def _run_request(job: Job, case: Case | RunTask) -> RunRequest:
    return RunRequest(
        job.language.run_command(job.submission, case.args),
        job.limits,
        job.files,
        stdin=case.stdin,
        environment=job.language.environment,
        collect=tuple(job.submission.artifacts),
    )


async def _judged(job: Job, name: str, case: Case | RunTask, outcome: Outcome) -> CaseResult:
    task = job.submission.task
    check = None
    if isinstance(task, StdioTask) and isinstance(case, Case):
        check = partial(matches, task.compare, expected=case.expected)
    judge = partial(judge_case, outcome, job.limits, check)
    # Comparing megabytes takes seconds, and a pattern may take long: the other slots and the heartbeats go on.
    slow = len(outcome.stdout) > LARGE_OUTPUT or (isinstance(task, StdioTask) and task.compare.mode == "regex")
    judgement = await asyncio.to_thread(judge) if slow else judge()
    return CaseResult(
        id=name,
        verdict=judgement.verdict,
        cpu_seconds=outcome.cpu_seconds,
        wall_seconds=outcome.wall_seconds,
        memory_bytes=outcome.memory_bytes,
        processes_peak=outcome.processes_peak,
        exit_code=outcome.exit_code,
        signal=outcome.signal,
        near_limit=judgement.near_limit,
        message=judgement.message,
        **_labels(case),
        **job.output("stdout", outcome.stdout, cut=outcome.stdout_truncated),
        **job.output("stderr", outcome.stderr, cut=outcome.stderr_truncated),
    )


def _keep_artifacts(job: Job, outcome: Outcome) -> None:
    """Files that the last case to make them left; names that are not UTF-8 with replacement characters."""
    for path, content in outcome.files.items():
        name = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        kept = sum(artifact.size for other, artifact in job.artifacts.items() if other != name)
        if len(job.artifacts.keys() | {name}) > ARTIFACT_COUNT or kept + len(content) > ARTIFACTS_BYTES:
            continue
        job.artifacts[name] = Artifact(size=len(content), base64=base64.b64encode(content).decode("ascii"))


def _rewarded(job: Job) -> dict[str, Any]:
    """The last stage: the verdict of the whole and its reward."""
    submission = job.submission
    reward, components = score(submission.reward or default_reward(submission.task), job.cases)
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
    }
