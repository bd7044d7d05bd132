"""Results: what a submission came to. `reward` is a number if and only if `state` is `finished`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from sandbox_service.contract.base import Model
from sandbox_service.contract.verdict import State, Verdict

_State = Annotated[State, Field(strict=False)]
_Verdict = Annotated[Verdict, Field(strict=False)]


class Component(Model):
    """One part of a reward: `value` in [0, 1] times `weight`."""

    name: str
    value: float
    weight: float
    detail: str | None = None


class CaseResult(Model):
    """One test case. A figure that was not measured is `None`; text that was not UTF-8 is beside in base64.

    Attributes:
        score: where a checker gave points to an answer that is not accepted, the share of them, in [0, 1].
    """

    id: str
    verdict: _Verdict
    score: Annotated[float, Field(ge=0, le=1)] | None = None
    weight: float = 1.0
    group: str | None = None
    cpu_seconds: float | None = None
    wall_seconds: float | None = None
    memory_bytes: int | None = None
    processes_peak: int | None = None
    exit_code: int | None = None
    signal: int | None = None
    stdout: str = ""
    stderr: str = ""
    stdout_base64: str | None = None
    stderr_base64: str | None = None
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    near_limit: bool = False
    message: str | None = None


class CompileResult(Model):
    """What the compiler did; `message` says why it failed where that was not the compiler's own word."""

    ok: bool
    exit_code: int | None = None
    cpu_seconds: float | None = None
    wall_seconds: float | None = None
    memory_bytes: int | None = None
    stdout: str = ""
    stderr: str = ""
    message: str | None = None
    cached: bool = False


class Artifact(Model):
    """A file that the program left in its work dir; empty and `truncated` where the answer had no room for it."""

    size: int
    base64: str
    truncated: bool = False


class StepResult(Model):
    """A step of a submission, judged by itself; `reward` is the fraction of the cases that passed."""

    verdict: _Verdict
    reward: float
    passed: int
    total: int


class InfraError(Model):
    """Our own failure. Never a reward."""

    kind: str
    message: str
    retryable: bool


class Isolation(Model):
    """What the program was held by. `degraded` uses the names of `enforced`."""

    executor: str
    runtime: str | None = None
    image: str | None = None
    warm: bool | None = None
    enforced: list[str] = []
    degraded: list[str] = []


class Timing(Model):
    """Where the time went, in seconds."""

    queued_seconds: float = 0.0
    start_seconds: float = 0.0
    compile_seconds: float = 0.0
    run_seconds: float = 0.0
    judge_seconds: float = 0.0
    total_seconds: float = 0.0


class PolicyRef(Model):
    """The policy that was applied, and the digest of its text."""

    name: str
    digest: str


class Result(Model):
    """A submission as `GET /v1/submissions/{id}` gives it. `toolchain` is the language with its version."""

    id: str
    state: _State
    verdict: _Verdict | None = None
    reward: float | None = None
    passed: int | None = None
    total: int | None = None
    components: list[Component] = []
    steps: list[StepResult] = []
    cases: list[CaseResult] = []
    compile: CompileResult | None = None
    artifacts: dict[str, Artifact] = {}
    infra_error: InfraError | None = None
    isolation: Isolation | None = None
    toolchain: str | None = None
    timing: Timing | None = None
    attempts: int = 0
    rejudged: bool = False
    cached: bool = False
    policy: PolicyRef | None = None
    domain: str = "code"
    metadata: dict[str, Any] = {}


class BatchLine(Result):
    """One line of a batch's results: `index` is the place in the request, `cursor` where to go on from."""

    index: int
    cursor: str
