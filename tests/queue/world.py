"""A queue with several gateways and workers that may die at any command, and all that must hold of it at any time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from redis.asyncio import Redis

from sandbox_service.contract.verdict import Priority, State
from sandbox_service.queue import (
    Consumer,
    Entry,
    IdempotencyConflict,
    Lease,
    Producer,
    QueueFull,
    QueueSettings,
    connect,
)
from sandbox_service.queue.keys import PRIORITIES
from tests.queue.bench import ACCEPTED, CANCELLED, FAILED, Bench, entry, failure, prefix
from tests.queue.breaking import Died, Fault, Process

T = TypeVar("T")
ENDED = ("finished", "failed", "cancelled")
MOST, MOST_BYTES = 24, 1000
Key = tuple[str, str]
"""An idempotency key and a digest."""
Stored = dict[str, Any]
Known = dict[str, dict[str, str]]
"""The fields of submissions."""
READ: dict[bytes, Callable[[Any, bytes], Any]] = {
    b"string": lambda pipe, key: pipe.get(key),
    b"hash": lambda pipe, key: pipe.hgetall(key),
    b"list": lambda pipe, key: pipe.lrange(key, 0, -1),
    b"zset": lambda pipe, key: pipe.zrange(key, 0, -1, withscores=True),
    b"stream": lambda pipe, key: pipe.xrange(key),
}


@dataclass
class Worker:
    """A worker process and what it knows to hold."""

    process: Process
    consumer: Consumer
    leases: list[Lease] = field(default_factory=list)


class World:
    """Gateways and workers, each replaced when it dies.

    Leases are anyone's at once and retries are due at once: nothing hangs on time.
    """

    def __init__(self, url: str, workers: int = 3) -> None:
        self.url = url
        self.settings = QueueSettings(
            prefix=prefix(),
            max_queued=MOST,
            max_bytes=MOST_BYTES,
            heartbeat_seconds=0.0,
            retry_seconds=0.0,
            left_to_others_seconds=0.0,
        )
        self.redis: Redis = connect(url)  # the observer's, which never breaks
        self.bench = Bench(self.redis, self.settings)
        self.processes: list[Process] = []
        self.gateway = self._process()
        self.workers = [self._worker() for _ in range(workers)]
        self.sent: set[str] = set()
        self.batches: dict[str, int] = {}
        self.ends: Counter[str] = Counter()
        self.given_up: Counter[str] = Counter()
        self.seen: dict[str, tuple[str, bytes | None]] = {}
        self.ttl: dict[str, int] = {}

    # ---- what processes do; each is one operation, with a fault on its way or none ----

    async def submit(self, sent: Entry, key: Key | None = None, fault: Fault | None = None) -> str | None:
        """Queue a submission; gives its id, or `None` where nobody heard of it."""
        room = await self._has_room([sent])
        producer = Producer(self.gateway.redis, self.settings)
        try:
            id = await self._by_gateway(fault, producer.submit(sent, idempotency=key))
        except QueueFull:
            assert not room
            return None
        except IdempotencyConflict:
            return None
        if id is None:
            id = sent.id if await self.redis.exists(self.bench.key(f"submission:{sent.id}")) else None
        if id:
            self.sent.add(id)
        return id

    async def submit_batch(
        self, batch: str, sent: list[Entry], key: Key | None = None, fault: Fault | None = None
    ) -> str | None:
        """Queue a batch; gives its id, or `None` where nobody heard of it."""
        room = await self._has_room(sent)
        producer = Producer(self.gateway.redis, self.settings)
        try:
            id = await self._by_gateway(fault, producer.submit_batch(batch, sent[0].tenant, sent, idempotency=key))
        except QueueFull:
            assert not room
            return None
        except IdempotencyConflict:
            return None
        if id is None:
            id = batch if await self.redis.exists(self.bench.key(f"batch:{batch}")) else None
        if id == batch and batch not in self.batches:
            self.batches[batch] = len(sent)
            self.sent |= {one.id for one in sent}
        return id

    async def cancel(self, id: str, fault: Fault | None = None) -> None:
        """Cancel a submission."""
        await self._by_gateway(fault, Producer(self.gateway.redis, self.settings).cancel(id, CANCELLED))

    async def cancel_batch(self, batch: str, fault: Fault | None = None) -> None:
        """Cancel what has not started of a batch."""
        producer = Producer(self.gateway.redis, self.settings)
        await self._by_gateway(fault, producer.cancel_batch(batch, lambda *_: CANCELLED))

    async def take(self, worker: Worker, fault: Fault | None = None) -> Lease | None:
        """Take what is next; there is something if anything waits."""
        waits = any([await self.redis.zcard(self.bench.key(f"waiting:{name}")) for name in PRIORITIES])
        found = await self._by_worker(worker, fault, worker.consumer.take(0))
        if found:
            worker.leases.append(found)
        assert found or fault or not waits
        return found

    async def reclaim(self, worker: Worker, fault: Fault | None = None) -> None:
        """Take over what others have, whether they are dead or not."""
        worker.leases += await self._by_worker(worker, fault, worker.consumer.reclaim(2)) or []

    async def heartbeat(self, worker: Worker, fault: Fault | None = None) -> None:
        """Confirm all leases."""
        await self._by_worker(worker, fault, worker.consumer.heartbeat(worker.leases))

    async def finish(self, worker: Worker, lease: Lease, fault: Fault | None = None) -> None:
        """End a lease, as failed if it was delivered too often."""
        worker.leases.remove(lease)
        name = f"{lease.entry.id} {lease.number} {lease.attempts}"
        spent = lease.attempts > self.settings.max_deliveries
        result = failure(retryable=True) if spent else json.dumps({"by": name}).encode()
        first = await self._by_worker(
            worker, fault, worker.consumer.finish(lease, result, FAILED if spent else ACCEPTED)
        )
        if first:
            assert await self.redis.get(self.bench.key(f"result:{lease.entry.id}")) == result

    async def fail(self, worker: Worker, lease: Lease, fault: Fault | None = None) -> None:
        """Fail at a lease by our fault: it is tried again, or given up."""
        worker.leases.remove(lease)
        if lease.attempts < self.settings.max_deliveries:
            await self._by_worker(worker, fault, worker.consumer.retry(lease))
        else:
            await self._by_worker(worker, fault, worker.consumer.finish(lease, failure(retryable=True), FAILED))

    async def release(self, worker: Worker, lease: Lease, fault: Fault | None = None) -> None:
        """Hand back a lease that was not started."""
        worker.leases.remove(lease)
        await self._by_worker(worker, fault, worker.consumer.release(lease))

    async def restart(self, worker: Worker, fault: Fault | None = None) -> None:
        """Stop a worker in order and start another in its place."""
        await self._by_worker(worker, fault, worker.consumer.stop())
        if worker in self.workers:
            self._replace(worker)

    # ---- how they die ----

    def _process(self) -> Process:
        process = Process(self.url)
        self.processes.append(process)
        return process

    def _worker(self) -> Worker:
        process = self._process()
        return Worker(process, Consumer(process.redis, self.settings, f"w{len(self.processes)}"))

    def _replace(self, worker: Worker) -> None:
        self.workers[self.workers.index(worker)] = self._worker()

    async def _by_worker(self, worker: Worker, fault: Fault | None, operation: Awaitable[T]) -> T | None:
        try:
            return await worker.process.run(fault, operation)
        except Died:
            self._replace(worker)
            return None

    async def _by_gateway(self, fault: Fault | None, operation: Awaitable[T]) -> T | None:
        try:
            return await self.gateway.run(fault, operation)
        except Died:
            self.gateway = self._process()
            return None

    async def _has_room(self, sent: list[Entry]) -> bool:
        stored = await self.stored()
        flying = [one for one in family(stored, "submission:").values() if one[b"state"].decode() not in ENDED]
        held = sum(int(one[b"bytes"]) for one in flying) + sum(len(one.payload) for one in sent)
        return len(flying) + len(sent) <= MOST and held <= MOST_BYTES

    # ---- what must hold ----

    async def stored(self) -> Stored:
        """Everything there is, by the name of its key."""
        keys = await self.redis.keys(f"{self.settings.prefix}:*")
        async with self.redis.pipeline() as pipe:
            for key in keys:
                pipe.type(key)
            kinds = await pipe.execute()
            for key, kind in zip(keys, kinds, strict=True):
                READ[kind](pipe, key)
            values = await pipe.execute()
            for key in keys:
                pipe.ttl(key)
            self.ttl = {self._name(key): seconds for key, seconds in zip(keys, await pipe.execute(), strict=True)}
        return {self._name(key): value for key, value in zip(keys, values, strict=True)}

    def _name(self, key: bytes) -> str:
        return key.decode()[len(self.settings.prefix) + 1 :]

    async def check(self) -> None:
        """Everything that must hold between any two operations."""
        stored = await self.stored()
        known = family(stored, "submission:")
        known = {id: {name.decode(): value.decode() for name, value in fields.items()} for id, fields in known.items()}
        assert set(known) == self.sent, "none is lost, and none is there that nobody sent"
        self._check_ends(stored, known)
        check_places(stored, known)
        for batch, total in self.batches.items():
            check_batch(stored, batch, total, known)
        self._check_expiry(stored, known)

    def _check_ends(self, stored: Stored, known: Known) -> None:
        """Each attempt ends once, is announced once, and its result stays as it is."""
        for id, fields in known.items():
            state, result = fields["state"], stored.get(f"result:{id}")
            before, before_result = self.seen.get(id, ("queued", None))
            if state in ENDED and before in ENDED:
                assert (state, result) == (before, before_result), "the first result wins"
            elif state in ENDED:
                self.ends[id] += 1
                self.given_up[id] += "retryable" in fields
            elif before in ENDED:
                assert before == "failed", "only a failure is tried again"
            assert result is not None or state not in ENDED
            assert (f"payload:{id}" in stored) == (state not in ENDED)
            self.seen[id] = (state, result)
        assert announced(stored, "events") == self.ends
        assert announced(stored, "dead") == self.given_up

    def _check_expiry(self, stored: Stored, known: Known) -> None:
        """What has ended expires, for batches when all of it has; nothing else does."""
        flying = {id for id, fields in known.items() if fields["state"] not in ENDED}
        for batch in self.batches:
            if int(stored[f"batch:{batch}"][b"left"]):
                flying |= {batch, *(id for id, fields in known.items() if fields["batch"] == batch)}
        for name, seconds in self.ttl.items():
            kind, _, id = name.rpartition(":")
            if kind.startswith("idempotency"):
                id = stored[name][b"id"].decode()
            if kind == "result" and known[id]["state"] not in ENDED:
                continue  # of the attempt before
            if kind.startswith(("idempotency", "submission", "result", "batch")):
                assert (seconds < 0) == (id in flying), name

    # ---- the end ----

    async def drain(self) -> None:
        """A worker that does not fail ends all there is; then nothing is left but what expires."""
        worker = self._worker()
        self.workers.append(worker)
        while True:
            await self.reclaim(worker)
            await self.take(worker)
            if not worker.leases:
                break
            for lease in worker.leases[:]:
                await self.finish(worker, lease)
        await self.check()
        assert {state for state, _ in self.seen.values()} <= set(ENDED)
        for batch, total in self.batches.items():
            tenant = (await self.redis.hget(self.bench.key(f"batch:{batch}"), "tenant")).decode()
            lines = await self.bench.reader.batch_lines(batch, tenant, 0, 1000)
            assert sorted(index for _, index, _ in lines) == list(range(total))
        await self.bench.assert_nothing_left()

    async def close(self) -> None:
        """Forget all of it."""
        await self.redis.flushdb()
        for process in self.processes:
            await process.redis.aclose()
        await self.redis.aclose()


def family(stored: Stored, name: str) -> Stored:
    """What is stored below a name."""
    return {key.removeprefix(name): value for key, value in stored.items() if key.startswith(name)}


def announced(stored: Stored, stream: str) -> Counter[str]:
    """How often each submission was announced."""
    return Counter(fields[b"id"].decode() for _, fields in stored.get(stream, []))


def check_places(stored: Stored, known: Known) -> None:
    """What waits and what runs stands where it belongs, and nowhere else; all counts agree."""
    queued = {id: fields for id, fields in known.items() if fields["state"] == "queued"}
    flying = [fields for fields in known.values() if fields["state"] not in ENDED]
    assert members(stored, "leases") == {id for id, fields in known.items() if fields["state"] == "running"}
    places = Counter(members(stored, "returned"))
    for number, priority in enumerate(PRIORITIES, 1):
        here = {id for id, fields in queued.items() if fields["queue"] == str(number)}
        assert members(stored, f"waiting:{priority}") == here
        places.update(in_lanes(stored, number))
    assert places == Counter(queued.keys())
    assert int(stored.get("held", 0)) == sum(int(fields["bytes"]) for fields in flying)
    assert all(int(fields.get("deliveries", 0)) <= int(fields.get("attempts", 0)) for fields in flying)


def members(stored: Stored, name: str) -> set[str]:
    """The members of a sorted set."""
    return {member.decode() for member, _ in stored.get(name, [])}


def those_in_turn(stored: Stored, name: str) -> set[str]:
    """Who takes turns; each stands there once, as new or as one that was served."""
    marked = members(stored, name)
    found = {member[1:] for member in marked}
    assert len(found) == len(marked)
    return found


def in_lanes(stored: Stored, number: int) -> list[str]:
    """All that waits in lanes whose turn will come."""
    return [
        id
        for tenant in those_in_turn(stored, f"turns:{number}")
        for domain in those_in_turn(stored, f"turns:{number}:{tenant}")
        for id in members(stored, f"lane:{number}:{len(tenant)}:{tenant}:{domain}")
    ]


def check_batch(stored: Stored, batch: str, total: int, known: Known) -> None:
    """Its counts are right, and what has ended of it stands in it once."""
    counts = {name.decode(): value.decode() for name, value in stored[f"batch:{batch}"].items()}
    ids = [id.decode() for id in stored[f"batch:members:{batch}"]]
    assert (len(ids), len(set(ids))) == (total, total)
    states = Counter(known[id]["state"] for id in ids)
    assert {state: int(counts.get(f"state:{state}", 0)) for state in State} == {state: states[state] for state in State}
    lines = [line.decode() for line in stored.get(f"batch:done:{batch}", [])]
    assert len(lines) == len(set(lines)), "no line is doubled"
    assert set(lines) == {f"{known[id]['index']}:{id}" for id in ids if known[id]["state"] in ENDED}
    assert int(counts["left"]) == total - len(lines)


def made(tenant: str, domain: str, priority: Priority, size: int, **changes: Any) -> Entry:
    """An entry of a size."""
    return entry(tenant=tenant, domain=domain, priority=priority, payload=b"x" * size, **changes)
