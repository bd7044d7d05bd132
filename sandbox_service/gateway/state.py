"""Everything that a gateway process holds, in one object: what its routes work with."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Request
from prometheus_client import CollectorRegistry
from ulid import ULID

from sandbox_service import languages, policy
from sandbox_service.contract import parse
from sandbox_service.contract.problem import ProblemError
from sandbox_service.contract.submission import Submission
from sandbox_service.gateway import auth, problems
from sandbox_service.gateway.admission import Admission
from sandbox_service.gateway.fleet import Fleet
from sandbox_service.gateway.recent import Recent
from sandbox_service.gateway.settings import GatewaySettings
from sandbox_service.gateway.waits import Waits
from sandbox_service.queue import Client, Entry, Producer, Reader, Status, Summary, Watch, WorkerRegistry, connect
from sandbox_service.telemetry.metrics import Metrics

logger = logging.getLogger(__name__)


class Gateway:
    """A gateway process. Built from settings alone; `running` adds what talks to Redis.

    Raises:
        ValueError: a policy, a language or the keys file is not valid.
    """

    redis: Client
    producer: Producer
    reader: Reader
    fleet: Fleet

    def __init__(self, settings: GatewaySettings) -> None:
        self.settings = settings
        self.admission = Admission(policy.load(settings.policies), languages.load(settings.languages))
        self.keys = auth.load(settings.keys_file)
        self.metrics = Metrics(CollectorRegistry(), self.admission.languages)
        self.recent = Recent()
        self.waits = Waits()
        self.origin = str(ULID())

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Holds the connection to Redis and the reader of announcements."""
        self.redis = connect(self.settings.redis_url)
        try:
            self.producer = Producer(self.redis, self.settings.queue)
            self.fleet = Fleet(WorkerRegistry(self.redis, self.settings.queue))
            self.reader = Reader(self.redis, self.settings.queue, self.origin, self._ended)
            async with self.reader:
                yield
        finally:
            await self.redis.aclose()

    def entry(self, tenant: str, submission: Submission, body: dict[str, Any]) -> Entry:
        """A new entry of the queue for an admitted body."""
        share = self.keys.share(tenant)
        return Entry(
            id=f"sub_{ULID()}",
            tenant=tenant,
            domain=submission.domain,
            priority=submission.priority,
            payload=parse.dumps(body),
            created=time.time(),
            origin=self.origin,
            weight=share.weight,
            domain_weight=share.domain_weights.get(submission.domain, 1.0),
        )

    async def offered(self, bodies: Iterable[Any]) -> frozenset[str] | None:
        """Languages that can run now, sure to be up to date for those that the bodies name."""
        values = (value for body in bodies for value in _languages(body))
        named = {value for value in values if isinstance(value, str) and value in self.admission.languages}
        return await self.fleet.offered(named)

    async def told(self, watch: Watch, seconds: float) -> bytes | None:
        """The result that is announced of what was just queued; `None` if it has to be looked for."""
        return await self.waits.run(self.reader.told(watch, seconds))

    async def wait(self, id: str, tenant: str, seconds: float) -> Status | None:
        """The status of a submission once it has ended, at the end of the time, or when the gateway goes."""
        status = await self.waits.run(self.reader.wait(id, tenant, seconds))
        return status or await self.reader.status(id, tenant)

    def missing(self, id: str) -> ProblemError:
        """The problem of an id that nothing is known of, or nothing that this tenant may know."""
        try:
            age = time.time() - ULID.from_str(id.partition("_")[2]).timestamp
        except ValueError:
            age = 0.0
        if age > self.settings.queue.result_ttl_seconds:
            return problems.not_found(f"{id} is older than results are kept", "result_expired")
        return problems.not_found("there is nothing with this id")

    def _ended(self, summary: Summary) -> None:
        self.metrics.ended(summary.state, summary.verdict, summary.language, summary.stages, summary.caches)
        if "total" in summary.stages:  # what was cancelled before it ran has none
            self.recent.add(summary.stages["total"])


def _languages(body: Any) -> Iterator[Any]:
    """What a body that was not checked yet names as languages: of its program, of its checker."""
    if isinstance(body, dict):
        yield body.get("language")
        for part in ("task", "compare"):
            body = body.get(part) if isinstance(body, dict) else None
        yield body.get("language") if isinstance(body, dict) else None


def gateway_of(request: Request) -> Gateway:
    """The gateway that answers a request."""
    gateway: Gateway = request.app.state.gateway
    return gateway
