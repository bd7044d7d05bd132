"""Submissions of the compatibility endpoints: queued, and waited for as long as the client does."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from starlette.requests import ClientDisconnect

from sandbox_service.contract import parse
from sandbox_service.contract.problem import ProblemError
from sandbox_service.contract.result import Result
from sandbox_service.contract.submission import Submission
from sandbox_service.contract.verdict import State
from sandbox_service.gateway import views
from sandbox_service.gateway.state import Gateway
from sandbox_service.queue import Entry, QueueFull

Body = dict[str, Any]
MOST_UNANSWERED = 10_000
FULL_SECONDS = 1.0
"""How often a full queue is asked again."""


class Unanswered:
    """Submissions that had not ended when their clients were told to come again; these find them so, and need not
    queue behind all that came meanwhile."""

    def __init__(self) -> None:
        self._ids: OrderedDict[tuple[str, str], str] = OrderedDict()

    def leave(self, tenant: str, body: Body, id: str) -> None:
        """Remember; the oldest are forgotten."""
        self._ids[tenant, parse.digest(body)] = id
        while len(self._ids) > MOST_UNANSWERED:
            self._ids.popitem(last=False)

    def take(self, tenant: str, body: Body) -> str | None:
        """The submission that the same body was left with."""
        return self._ids.pop((tenant, parse.digest(body)), None)


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: a tenant's request.

    Attributes:
        gateway: who queues.
        tenant: whose submissions they are.
        request: ends them when its client goes.
        unanswered: where those that take too long are left.
    """

    gateway: Gateway
    tenant: str
    request: Request
    unanswered: Unanswered

    async def results(self, bodies: Sequence[Body], seconds: float) -> list[Result]:
        """The results of submissions, all of which ended as `finished` or `failed`.

        Args:
            bodies: as for `POST /v1/submissions`.
            seconds: how long the client can be kept waiting.

        Raises:
            ProblemError: 422, a body is wrong and nothing was queued; 504 `not_in_time`, ask again.
            ClientDisconnect: the client went; what it asked for is cancelled.
            QueueFull: there was no room all the time.
        """
        offered = await self.gateway.offered(bodies)
        submissions = [self.gateway.admission.check(body, offered) for body in bodies]
        end = _clock() + seconds
        tasks = [asyncio.create_task(self._one(*one, end)) for one in zip(bodies, submissions, strict=True)]
        work: asyncio.Future[list[Result]] = asyncio.gather(*tasks)
        gone = asyncio.create_task(_gone(self.request))
        first: set[asyncio.Future[Any]] = {work, gone}
        try:
            await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise ClientDisconnect
            return work.result()
        finally:
            for task in (*tasks, gone):
                task.cancel()
            await asyncio.gather(*tasks, gone, work, return_exceptions=True)

    async def _one(self, body: Body, submission: Submission, end: float) -> Result:
        """What became of one; of one that was left unanswered, where there is such a one."""
        gateway, left = self.gateway, self.unanswered.take(self.tenant, body)
        entry = gateway.entry(self.tenant, submission, body)
        id = left or entry.id
        try:
            if left is None and (result := await self._queued(entry, submission, end)):
                return _result(result)
            status = await gateway.wait(id, self.tenant, max(end - _clock(), 0.0))
        except asyncio.CancelledError:
            await self._cancel(id)
            raise
        if status is not None and status.result is not None:
            return _result(status.result)
        if status is not None:
            self.unanswered.leave(self.tenant, body, id)
        raise ProblemError(504, "not_in_time", "it has not ended in time: ask again", retryable=True)

    async def _queued(self, entry: Entry, submission: Submission, end: float) -> bytes | None:
        """Queue, and give the result if it is announced in time."""
        with self.gateway.reader.watch(entry.id) as watch:
            while True:
                try:
                    await self.gateway.producer.submit(entry)
                    break
                except QueueFull:
                    if _clock() + FULL_SECONDS > end or self.gateway.waits.closing:
                        raise
                    await asyncio.sleep(FULL_SECONDS)
            self.gateway.metrics.accepted(submission.language)
            return await self.gateway.told(watch, max(end - _clock(), 0.0))

    async def _cancel(self, id: str) -> None:
        status = await self.gateway.reader.status(id, self.tenant)
        if status is not None and status.result is None:
            payload = await self.gateway.producer.payload(id)
            await self.gateway.producer.cancel(id, views.cancelled(id, payload, status.attempts))


def _clock() -> float:
    return asyncio.get_running_loop().time()


def _result(encoded: bytes) -> Result:
    result = Result.model_validate(parse.loads(encoded), extra="ignore")
    if result.state == State.CANCELLED:
        raise ProblemError(503, "cancelled", f"{result.id} was cancelled", retryable=True)
    return result


async def _gone(request: Request) -> None:
    """Returns when the client has gone; its body has been read, so that nothing else can come."""
    with suppress(ClientDisconnect):
        while (await request.receive())["type"] != "http.disconnect":
            pass
