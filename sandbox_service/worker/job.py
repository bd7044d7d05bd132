"""A submission on its way through the stages, with what each of them adds."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.result import Artifact, CaseResult, CompileResult
from sandbox_service.contract.reward import Reward
from sandbox_service.contract.run import ARTIFACT_COUNT, ARTIFACTS_BYTES, File
from sandbox_service.contract.submission import Submission
from sandbox_service.contract.task import AnswerTask
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge import Finding, cpp, evidence, near_limit
from sandbox_service.languages import Language
from sandbox_service.policy import Policy
from sandbox_service.results import MAX_RESPONSE_BYTES, output_bytes, output_fields

STAGES = ("start", "compile", "run", "judge")


@dataclass(slots=True)
class Job:
    """What is known of a submission at a worker.

    Attributes:
        submission: as it was accepted.
        tenant: whom it belongs to.
        language: of the program.
        policy: that it runs under.
        limits: of each case.
        compile_limits: of the compiler.
        checker_language: of the task's checker, if it has one.
        reward: what the cases are worth: a name, or what it is made of.
        together: the program that tests the solution, where both are one.
        files: the program; what its compiler made is added. Empty if there was none to be extracted.
        compiled: what the compiler did; `None` where there is none.
        cases: the cases that were judged.
        artifacts: files that runs left.
        seconds: time spent, by stage.
        output_bytes: of all outputs in `cases` together.
        rejudged: a run of it was made twice, and the second one counts.
        warm: every run of the program was one of an interpreter that had started already.
    """

    submission: Submission
    tenant: str
    language: Language
    policy: Policy
    limits: RunLimits
    compile_limits: RunLimits
    checker_language: Language | None
    reward: str | Reward
    together: cpp.Program | None
    files: dict[str, File]
    compiled: CompileResult | None = None
    cases: list[CaseResult] = field(default_factory=list)
    artifacts: dict[str, Artifact] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))
    output_bytes: int = 0
    rejudged: bool = False
    warm: bool = True

    @property
    def examiner_limits(self) -> RunLimits:
        """Of what judges this submission: as much as the policy allows anybody.

        It waits for the program, so it must outlive it.
        """
        most = RunLimits(**self.policy.caps.model_dump(exclude_none=True, exclude={"compile"}))
        return most.model_copy(update={"wall_seconds": self.limits.wall_seconds + most.wall_seconds})

    @property
    def written(self) -> bytes:
        """What the model wrote, before anything was extracted; of several files, the one that is run."""
        submission = self.submission
        if isinstance(submission.task, AnswerTask):
            return submission.task.response
        if submission.files is not None:
            return submission.files[self.language.entrypoint(submission)]
        return submission.code or b""

    @property
    def failed(self) -> bool:
        """Whether a case did not pass."""
        return any(case.verdict not in (Verdict.ACCEPTED, Verdict.SKIPPED) for case in self.cases)

    def skip(self, name: str, **labels: Any) -> None:
        """Add a case that is not run."""
        self.cases.append(CaseResult(id=name, verdict=Verdict.SKIPPED, **labels))

    def add(self, name: str, finding: Finding, outcome: Outcome | None, **labels: Any) -> None:
        """Add a case that was judged.

        Args:
            name: its id.
            finding: how it ended.
            outcome: of its own run; `None` where it shares one with the case before, whose figures stand there.
            labels: its weight and group.
        """
        shown = (self.policy.reveal, finding.actual, finding.expected)
        case = CaseResult(
            id=name,
            verdict=finding.verdict,
            score=finding.score,
            message=finding.message and evidence.message(finding.message, *shown),
            near_limit=outcome is not None and near_limit(outcome, self.limits),
            **labels,
            **({} if outcome is None else self._figures(outcome)),
        )
        self.cases.append(case)

    def spend(self, outcome: Outcome) -> None:
        """Count the time of a run, and keep the files that it left."""
        self.seconds["start"] += outcome.start_seconds
        self.seconds["run"] += outcome.wall_seconds
        self.warm = self.warm and outcome.warm
        for path, content in outcome.files.items():
            # Of the last run to make it; names that are not UTF-8 with replacement characters.
            name = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            kept = sum(artifact.size for other, artifact in self.artifacts.items() if other != name)
            if len(self.artifacts.keys() | {name}) > ARTIFACT_COUNT or kept + len(content) > ARTIFACTS_BYTES:
                continue
            self.artifacts[name] = Artifact(size=len(content), base64=base64.b64encode(content).decode("ascii"))

    def _figures(self, outcome: Outcome) -> dict[str, Any]:
        return {
            "cpu_seconds": outcome.cpu_seconds,
            "wall_seconds": outcome.wall_seconds,
            "memory_bytes": outcome.memory_bytes,
            "processes_peak": outcome.processes_peak,
            "exit_code": outcome.exit_code,
            "signal": outcome.signal,
            **self._output("stdout", outcome.stdout, cut=outcome.stdout_truncated),
            **self._output("stderr", outcome.stderr, cut=outcome.stderr_truncated),
        }

    def _output(self, name: str, data: bytes, *, cut: bool) -> dict[str, Any]:
        """An output's fields of a case, without it where the result has no room for it.

        Ten thousand cases must not fill the worker's memory, nor may writing what is then left out keep it from its
        other submissions.
        """
        size = output_bytes(data)
        if self.output_bytes + size > MAX_RESPONSE_BYTES:
            return {f"{name}_truncated": True}
        self.output_bytes += size
        return {f"{name}_truncated": cut, **output_fields(name, data)}
