"""What goes through the queue, and what it says about it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from sandbox_service.contract.parse import dumps
from sandbox_service.contract.verdict import Priority, State, Verdict


class QueueFull(Exception):  # noqa: N818
    """The queue takes nothing more for now; nothing of the request was queued. `retry_after` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"the queue is full; try again in {retry_after} s")
        self.retry_after = retry_after


class IdempotencyConflict(Exception):  # noqa: N818
    """The idempotency key was used for another body."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A submission on its way to a worker.

    Attributes:
        id: `sub_` and a ULID.
        tenant: whom it belongs to.
        domain: what the tenant files it under.
        priority: a higher one is always served first.
        payload: the accepted body as ASCII JSON.
        created: unix seconds.
        origin: the gateway process that took it in.
        batch: `bat_` and a ULID, if it is one of a batch.
        index: its place in the batch.
        weight: the tenant's share among the tenants whose submissions wait at this priority.
        domain_weight: the domain's share among the tenant's domains.
    """

    id: str
    tenant: str
    domain: str
    priority: Priority
    payload: bytes
    created: float
    origin: str
    batch: str | None = None
    index: int = 0
    weight: float = 1.0
    domain_weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Lease:
    """An entry that a worker was given.

    Attributes:
        entry: what was given.
        number: of the lease among those of its submission.
        attempts: how often this entry was delivered; 1 at first. Over `max_deliveries` it must not be run again.
        total_attempts: how often the submission was delivered in its life, also before a retry under the
            same idempotency key: what a result reports.
    """

    entry: Entry
    number: int
    attempts: int
    total_attempts: int = 1


@dataclass(frozen=True, slots=True)
class Summary:
    """What is counted and announced of a result.

    Attributes:
        state: how it ended.
        verdict: of a finished one.
        stages: seconds by stage name.
        language: of the program.
        caches: what asking came to, by cache.
    """

    state: State
    verdict: Verdict | None
    stages: dict[str, float]
    language: str
    caches: dict[str, str] = field(default_factory=dict)

    def encode(self) -> bytes:
        """As it travels in an announcement."""
        return dumps(
            {
                "state": self.state,
                "verdict": self.verdict,
                "stages": self.stages,
                "language": self.language,
                "caches": self.caches,
            }
        )

    @classmethod
    def decode(cls, text: bytes) -> Summary:
        """What `encode` made."""
        value = json.loads(text)
        verdict = value["verdict"] and Verdict(value["verdict"])
        return cls(State(value["state"]), verdict, value["stages"], value["language"], value.get("caches", {}))


@dataclass(frozen=True, slots=True)
class Status:
    """A submission as the gateway sees it; `result` is the encoded result once it has ended."""

    state: State
    attempts: int
    domain: str
    created: float
    result: bytes | None


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A submission that we gave up: its workers were lost, or failed, as often as it may be delivered.

    Attributes:
        id: the submission.
        tenant: whom it belongs to.
        kind: of its last `infra_error`.
        time: unix seconds at which it was given up.
        workers: those that had it, in this order.
    """

    id: str
    tenant: str
    kind: str
    time: float
    workers: list[str]
