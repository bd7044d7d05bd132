"""Takes leases and has them evaluated, one a slot; keeps them alive and hears of cancellations."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from redis.exceptions import RedisError

from sandbox_service.contract import parse
from sandbox_service.contract.result import InfraError, Result
from sandbox_service.contract.submission import Submission
from sandbox_service.contract.verdict import State
from sandbox_service.queue import Consumer, Lease, Summary, WorkerInfo, WorkerRegistry
from sandbox_service.results import encode
from sandbox_service.worker.backends import Backends
from sandbox_service.worker.boundary import InfraFailure, boundary
from sandbox_service.worker.pipeline import Pipeline
from sandbox_service.worker.settings import WorkerSettings
from sandbox_service.worker.twins import Twin, Twins, as_own

log = logging.getLogger(__name__)
TAKE_SECONDS = 2.0
RETRY_SECONDS = 0.5
SPREAD = (0.9, 1.1)
"""Workers that started together are not recycled together."""
_chance = random.SystemRandom()
MOST_ASIDE = 256
"""How many leases of submissions that wait for their twins a worker holds."""
Step = Callable[[], Awaitable[object]]
"""What is to become of a lease: it is finished or handed back."""
Following = Callable[[], Awaitable[None]]


async def _nothing() -> None:
    """No next lease is wanted."""


class Loop:
    """The work of one worker process."""

    def __init__(
        self,
        settings: WorkerSettings,
        consumer: Consumer,
        registry: WorkerRegistry,
        pipeline: Pipeline | Backends,
        twins: Twins,
        info: WorkerInfo,
    ) -> None:
        self._settings, self._consumer, self._registry = settings, consumer, registry
        self._pipeline, self._twins, self._info = pipeline, twins, info
        self._running: dict[asyncio.Task[Step | Twin], Lease] = {}
        self._aside: set[asyncio.Task[Lease | None]] = set()
        self._ready: deque[Lease] = deque()
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
            with suppress(TimeoutError):
                async with asyncio.timeout(self._settings.drain_seconds):
                    await asyncio.wait(slots)
                    if self._aside:  # those whom they wait for have ended
                        await asyncio.wait(self._aside)
        finally:
            tasks: list[asyncio.Task[Any]] = [told, *slots, *background, *self._aside]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for lease in self._ready:
            await self._consumer.release(lease)
        await self._registry.remove(self._info.id)

    async def _slot(self) -> None:
        """One slot: a lease at a time."""
        looked = False  # right before, and there was nothing

        async def following() -> None:
            nonlocal looked
            if not self._ready and not self._stopping.is_set():
                with suppress(RedisError):
                    lease = await self._consumer.take(0)
                    looked = lease is None
                    if lease:
                        self._ready.append(lease)  # it is confirmed from there on, however long the queue is away

        while not self._stopping.is_set():
            listen, looked = looked, False
            try:
                lease = self._ready.popleft() if self._ready else await self._take(listen)
            except RedisError as error:
                log.warning("the queue does not answer: %s", error)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if lease:
                await self._work(lease, self._evaluate, following)

    async def _take(self, looked: bool) -> Lease | None:
        take = asyncio.create_task(self._consumer.take(TAKE_SECONDS, looked=looked))
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

    async def _work(
        self, lease: Lease, stage: Callable[[Lease], Awaitable[Step | Twin]], following: Following = _nothing
    ) -> None:
        """Do the work of one lease, then finish it or hand it back. Cancelled, it is left to those who cancelled.

        Where it has a twin that runs already it waits aside: that takes no slot.

        Args:
            lease: what to work on.
            stage: does it.
            following: asked for the next lease in the trip that ends this one.
        """
        evaluation = asyncio.create_task(self._blamed(lease, stage))
        self._running[evaluation] = lease
        try:
            step = await evaluation
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task and task.cancelling():  # the worker is going, not the submission
                evaluation.cancel()
                await asyncio.gather(evaluation, return_exceptions=True)
                raise
            # Its result is there already and wins.
            step = partial(self._consumer.finish, lease, b"", Summary(State.CANCELLED, None, {}, ""))
        try:
            if isinstance(step, Twin):
                await self._wait_aside(lease, step)
            else:
                await asyncio.gather(self._until_done(step), following())
        finally:
            del self._running[evaluation]

    async def _wait_aside(self, lease: Lease, twin: Twin) -> None:
        # Its text is the same as the twin's; a thousand of them would fill the memory.
        body = parse.loads(lease.entry.payload)
        stage = partial(self._join, twin, {name: body[name] for name in ("language", "metadata") if name in body})
        with suppress(RedisError):
            await self._consumer.set_aside(lease)
        light = replace(lease, entry=replace(lease.entry, payload=b""))
        task = asyncio.create_task(self._work(light, stage))
        self._aside.add(task)
        task.add_done_callback(self._came_back)

    def _came_back(self, task: asyncio.Task[None]) -> None:
        self._aside.discard(task)
        if not task.cancelled() and task.exception():  # as with a slot, it ends the worker
            log.error("a submission could not be ended", exc_info=task.exception())
            self._stopping.set()

    async def _blamed(self, lease: Lease, stage: Callable[[Lease], Awaitable[Step | Twin]]) -> Step | Twin:
        """What becomes of a lease, whatever happens on the way."""
        try:
            return await stage(lease)
        except InfraFailure as failure:
            result = Result(
                id=lease.entry.id,
                state=State.FAILED,
                attempts=lease.total_attempts,
                domain=lease.entry.domain,
                infra_error=failure.error,
            )
        return self._ending(lease, result, "", {})

    async def _join(self, twin: Twin, body: dict[str, Any], lease: Lease) -> Step:
        """What a twin came to; if that is nothing for others, the lease waits for its turn again."""
        await asyncio.wait([twin.ended])
        if result := twin.ended.result():
            return self._as_twin(lease, body, result, "joined")
        return partial(self._consumer.put_back, lease)

    async def _evaluate(self, lease: Lease) -> Step | Twin:
        """Evaluate a lease, unless it has a twin that is at work."""
        entry = lease.entry
        if lease.attempts > self._settings.queue.max_deliveries:
            message = f"{lease.attempts - 1} workers were lost, or failed, while they ran this submission"
            raise InfraFailure(InfraError(kind="worker_lost", message=message, retryable=True))
        with boundary("receive"):
            body = parse.loads(entry.payload)
            submission = parse.submission(body)
            digest = self._twins.digest(entry, body)
        twin = self._twins.running(digest) if digest else None
        if twin and len(self._aside) < MOST_ASIDE:
            return twin
        if digest is None or twin:
            return self._ending(lease, await self._run(lease, submission), submission.language, {})
        with self._twins.leading(digest) as twin:
            if kept := await self._twins.kept(twin):
                return self._as_twin(lease, body, kept, "hit")
            result = await self._run(lease, submission)
            await self._twins.share(twin, result)
        return self._ending(lease, result, submission.language, {"result": "miss"})

    async def _run(self, lease: Lease, submission: Submission) -> Result:
        queued = max(time.time() - lease.entry.created, 0.0)
        self._evaluations_left -= 1
        if self._evaluations_left <= 0:
            self._stopping.set()
        return await self._pipeline.evaluate(
            lease.entry.id,
            submission,
            tenant=lease.entry.tenant,
            attempts=lease.total_attempts,
            queued_seconds=queued,
        )

    def _as_twin(self, lease: Lease, body: dict[str, Any], result: Result, how: str) -> Step:
        own = as_own(result, lease.entry, body.get("metadata", {}), attempts=lease.total_attempts, now=time.time())
        return self._ending(lease, own, body["language"], {"result": how})

    def _ending(self, lease: Lease, result: Result, language: str, caches: dict[str, str]) -> Step:
        """Finish a lease with its result, or hand it back if another attempt may do better."""
        if self._may_be_retried(lease, result.infra_error):
            return partial(self._consumer.retry, lease)
        with boundary("publish"):
            return partial(self._consumer.finish, lease, encode(result), _summary(result, language, caches))

    def _may_be_retried(self, lease: Lease, error: InfraError | None) -> bool:
        retried = error is not None and error.retryable and lease.attempts < self._settings.queue.max_deliveries
        if retried:
            log.warning("%s failed and is tried again: %s", lease.entry.id, error)
        return retried

    async def _until_done(self, step: Step) -> None:
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
        info = replace(self._info, busy=len(self._running) - len(self._aside))
        if await self._registry.announce(replace(info, state="draining") if self._stopping.is_set() else info):
            self._stopping.set()

    async def _heartbeat(self) -> None:
        await self._consumer.heartbeat([*self._running.values(), *self._ready])

    async def _look_for_lost(self) -> None:
        if not self._ready and not self._stopping.is_set():
            await self._heartbeat()  # else a worker that stood still for a while would take its own leases for lost
            self._ready.extend(await self._consumer.reclaim(self._settings.slots))

    async def _hear_cancellations(self) -> None:
        async for id in self._consumer.cancelled():
            for evaluation, lease in self._running.items():
                if lease.entry.id == id:
                    evaluation.cancel()


def _summary(result: Result, language: str, caches: dict[str, str]) -> Summary:
    timing = result.timing.model_dump() if result.timing else {}
    stages = {k.removesuffix("_seconds"): v for k, v in timing.items()}
    if not result.cached and result.compile and result.compile.exit_code is not None:
        caches = caches | {"compile": "hit" if result.compile.cached else "miss"}
    return Summary(result.state, result.verdict, stages, language, caches)
