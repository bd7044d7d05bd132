"""The shapes of answers that the contract package does not hold, and how stored results are handed on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal

from fastapi import Response
from pydantic import BaseModel, Field

from sandbox_service.contract import parse
from sandbox_service.contract.base import Model
from sandbox_service.contract.limits import Limits
from sandbox_service.contract.result import Result
from sandbox_service.contract.verdict import State
from sandbox_service.gateway.body import JSON
from sandbox_service.policy import Policy
from sandbox_service.queue import Status, WorkerInfo


class Created(Model):
    """A submission that was taken in and has not ended yet."""

    id: str
    state: Annotated[State, Field(strict=False)]


class LanguageView(BaseModel):
    """A language as workers offer it; `compile` and `run` are commands, `tasks` the types of task it can do."""

    id: str
    name: str
    version: str | None
    extensions: list[str]
    compile: list[str] | None
    run: list[str]
    tasks: list[str]
    default_limits: dict[str, Any]
    compile_flags: list[str]


class LanguageList(BaseModel):
    """The answer of `GET /v1/languages`."""

    languages: list[LanguageView]


class PolicyView(Model):
    """A policy as the gateway shows it."""

    name: str
    digest: str
    executor: str
    runtime: str | None
    isolation: str
    defaults: Limits
    caps: Limits
    rewards: list[str]


class PolicyList(Model):
    """The answer of `GET /v1/policies`."""

    policies: list[PolicyView]


class WorkerView(Model):
    """A worker as the gateway shows it."""

    id: str
    host: str
    state: Literal["ready", "draining", "lost"]
    slots: int
    busy: int
    executors: list[str]
    heartbeat_age_seconds: Annotated[float, Field(ge=0)]


class WorkerList(Model):
    """The answer of `GET /v1/workers`."""

    workers: list[WorkerView]


class QueueView(Model):
    """How many wait, and for how long the oldest has."""

    depth: int
    oldest_seconds: float | None
    by_priority: dict[str, int]


class LatencyView(Model):
    """Seconds from taking a submission in to its end; `null` where none ended lately."""

    p50: float | None
    p99: float | None


class Stats(Model):
    """The answer of `GET /v1/stats`. Rate and latency are those of the last minute, as this gateway saw it.

    `dead_letters` were given up in the last hour: their workers were lost or failed as often as is allowed.
    """

    queue: QueueView
    running: int
    slots: int
    rate_per_second: float
    verdicts: dict[str, int]
    dead_letters: int
    latency: LatencyView


class Health(Model):
    """The answer of `/healthz` and `/readyz`."""

    status: str


def json(model: Model, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A model as an answer."""
    return Response(parse.dumps(model.model_dump(mode="json")), status, headers, JSON)


def policies(known: Iterable[Policy], rewards: Callable[[Policy], list[str]]) -> PolicyList:
    """All policies; `rewards` gives the names of a policy's rewards."""
    own = {"name", "digest", "executor", "runtime", "isolation", "defaults", "caps"}
    views = [PolicyView(**{name: getattr(policy, name) for name in own}, rewards=rewards(policy)) for policy in known]
    return PolicyList(policies=views)


def worker(info: WorkerInfo, now: float) -> WorkerView:
    """A worker; `now` is the time of day in seconds."""
    own = {"id", "host", "state", "slots", "busy", "executors"}
    age = max(0.0, now - info.heartbeat)
    return WorkerView(**{name: getattr(info, name) for name in own}, heartbeat_age_seconds=age)


def result_bytes(id: str, status: Status) -> bytes:
    """A submission's result: the stored bytes once it has ended, as they are."""
    if status.result is not None:
        return status.result
    result = Result(id=id, state=status.state, attempts=status.attempts, domain=status.domain)
    return parse.dumps(result.model_dump(mode="json"))


def cancelled(id: str, payload: bytes | None, attempts: int = 0) -> bytes:
    """The result of a submission that was cancelled; `payload` is its body, `None` if it had just ended."""
    submission = parse.loads(payload or b"{}")
    own = {name: submission[name] for name in ("domain", "metadata") if name in submission}
    result = Result(id=id, state=State.CANCELLED, attempts=attempts, **own)
    return parse.dumps(result.model_dump(mode="json"))


def batch_line(cursor: int, index: int, result: bytes) -> bytes:
    """A stored result as a line of a batch: two fields are put in front without parsing the rest."""
    return b'{"index":%d,"cursor":"%d",' % (index, cursor) + result[1:] + b"\n"
