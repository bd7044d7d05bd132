"""Takes leases and has them evaluated, one a slot; keeps them alive and hears of cancellations."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import replace

from redis.exceptions import RedisError

from sandbox_service.contract import parse
from sandbox_service.contract.result import InfraError, Result
from sandbox_service.contract.verdict import State
from sandbox_service.queue import Consumer, Lease, Summary, WorkerInfo, WorkerRegistry
from sandbox_service.results import encode
from sandbox_service.worker.boundary import InfraFailure, boundary
from sandbox_service.worker.pipeline import Pipeline
from sandbox_service.worker.settings import WorkerSettings

log = logging.getLogger(__name__)
TAKE_SECONDS = 2.0
RETRY_SECONDS = 0.5
SPREAD = (0.9, 1.1)
"""Workers that started together are not recycled together."""
_chance = random.SystemRandom()
Ending = tuple[bytes, Summary]
"""An encoded result and its summary."""


class Loop:
    """The work of one worker process."""

    def __init__(
        self,
        settings: WorkerSettings,
        consumer: Consumer,
        registry: WorkerRegistry,
        pipeline: Pipeline,
        info: WorkerInfo,
    ) -> None:
        self._settings, self._consumer, self._registry = settings, consumer, registry
        self._pipeline, self._info = pipeline, info
        self._running: dict[asyncio.Task[Ending | None], Lease] = {}
        self._reclaimed: deque[Lease] = deque()
        self._takes: set[asyncio.Task[Lease | None]] = set()
        self._stopping = asyncio.Event()
        self._evaluations_left = round(settings.recycle_after * _chance.uniform(*SPREAD))

    async def run(self, stopping: asyncio.Event) -> None:
        """Work until `stopping` is set, then finish what runs, at most `drain_seconds` long.

        It is set from here too: when the registry asks for it, and after so many evaluations that the worker had
        better start afresh.
        """
        self._stopping = stopping
        await self._sign_of_life()
        background = [
            asyncio.create_task(self._repeat(self._sign_of_life)),
            asyncio.create_task(self._repeat(self._look_for_lost)),
            asyncio.create_task(self._hear_cancellations()),
        ]
        slots = [asyncio.create_task(self._slot()) for _ in range(self._settings.slots)]
        told = asyncio.create_task(stopping.wait())
        try:
            # Whatever of it ends unasked ends the worker: its leases are reclaimed, its supervisor starts another.
            ended, _ = await asyncio.wait([told, *slots, *background], return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()
            log.info("draining: %d running", len(self._running))
            for take in self._takes:
                take.cancel()  # an entry that it was given already goes back when the consumer leaves
            await asyncio.wait(slots, timeout=self._settings.drain_seconds)
        finally:
            for task in [told, *slots, *background]:
                task.cancel()
            await asyncio.gather(told, *slots, *background, return_exceptions=True)
        for lease in self._reclaimed:
            await self._consumer.release(lease)
        await self._registry.remove(self._info.id)

    async def _slot(self) -> None:
        """One slot: a lease at a time."""
        while not self._stopping.is_set():
            try:
                lease = self._reclaimed.popleft() if self._reclaimed else await self._take()
            except RedisError as error:
                log.warning("the queue does not answer: %s", error)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if lease:
                await self._work(lease)

    async def _take(self) -> Lease | None:
        take = asyncio.create_task(self._consumer.take(TAKE_SECONDS))
        self._takes.add(take)
        try:
            return await take
        except asyncio.CancelledError:
            if not self._stopping.is_set():
                take.cancel()
                raise
            return None
        finally:
            self._takes.discard(take)

    async def _work(self, lease: Lease) -> None:
        """Evaluate one lease and finish it, or hand it back. Cancelled, it leaves the lease to those who cancelled."""
        evaluation = asyncio.create_task(self._evaluate(lease))
        self._running[evaluation] = lease
        try:
            ending = await evaluation
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task and task.cancelling():  # the worker is going, not the submission
                evaluation.cancel()
                await asyncio.gather(evaluation, return_exceptions=True)
                raise
            ending = (b"", Summary(State.CANCELLED, None, {}, ""))  # its result is there already and wins
        try:
            await self._until_done(
                lambda: self._consumer.finish(lease, *ending) if ending else self._consumer.retry(lease)
            )
        finally:
            del self._running[evaluation]
        self._evaluations_left -= 1
        if self._evaluations_left <= 0:
            self._stopping.set()

    async def _evaluate(self, lease: Lease) -> Ending | None:
        """The encoded result of a lease, whatever happens on the way; `None` if another attempt may do better."""
        entry = lease.entry
        language = ""
        try:
            if lease.attempts > self._settings.queue.max_deliveries:
                message = f"{lease.attempts - 1} workers were lost, or failed, while they ran this submission"
                raise InfraFailure(InfraError(kind="worker_lost", message=message, retryable=True))
            with boundary("receive"):
                submission = parse.submission(parse.loads(entry.payload))
            language = submission.language
            queued = max(time.time() - entry.created, 0.0)
            result = await self._pipeline.evaluate(
                entry.id, submission, attempts=lease.total_attempts, queued_seconds=queued
            )
            with boundary("publish"):
                ending = encode(result), _summary(result, language)
        except InfraFailure as failure:
            result = Result(
                id=entry.id,
                state=State.FAILED,
                attempts=lease.total_attempts,
                domain=entry.domain,
                infra_error=failure.error,
            )
            ending = encode(result), _summary(result, language)
        return None if self._may_be_retried(lease, result.infra_error) else ending

    def _may_be_retried(self, lease: Lease, error: InfraError | None) -> bool:
        retried = error is not None and error.retryable and lease.attempts < self._settings.queue.max_deliveries
        if retried:
            log.warning("%s failed and is tried again: %s", lease.entry.id, error)
        return retried

    async def _until_done(self, step: Callable[[], Awaitable[object]]) -> None:
        """A result is not given up because the queue is away for a while."""
        while True:
            try:
                await step()
                return
            except RedisError as error:
                log.warning("a result waits for the queue: %s", error)
                await asyncio.sleep(RETRY_SECONDS)

    # ---- beside the work ----

    async def _repeat(self, step: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await step()
            except RedisError as error:
                log.warning("the queue does not answer: %s", error)
            await asyncio.sleep(self._settings.queue.heartbeat_seconds)

    async def _sign_of_life(self) -> None:
        await self._heartbeat()
        info = replace(self._info, busy=len(self._running))
        if await self._registry.announce(replace(info, state="draining") if self._stopping.is_set() else info):
            self._stopping.set()

    async def _heartbeat(self) -> None:
        await self._consumer.heartbeat([*self._running.values(), *self._reclaimed])

    async def _look_for_lost(self) -> None:
        if not self._reclaimed and not self._stopping.is_set():
            await self._heartbeat()  # else a worker that stood still for a while would take its own leases for lost
            self._reclaimed.extend(await self._consumer.reclaim(self._settings.slots))

    async def _hear_cancellations(self) -> None:
        async for id in self._consumer.cancelled():
            for evaluation, lease in self._running.items():
                if lease.entry.id == id:
                    evaluation.cancel()


def _summary(result: Result, language: str) -> Summary:
    timing = result.timing.model_dump() if result.timing else {}
    return Summary(result.state, result.verdict, {k.removesuffix("_seconds"): v for k, v in timing.items()}, language)
