"""Processes die, or lose their connection, before or after any of their commands: all ends once, nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from sandbox_service.contract.verdict import Priority
from sandbox_service.queue import EmbeddedServer, Lease
from tests.queue.bench import entries, entry
from tests.queue.breaking import Fault
from tests.queue.world import Worker, World, made

FAULTS = st.none() | st.builds(Fault, command=st.integers(1, 3), executed=st.booleans(), deadly=st.booleans())
TENANTS, DOMAINS, PRIORITIES = st.sampled_from(["a", "b"]), st.sampled_from(["x", "y"]), st.sampled_from(list(Priority))
SIZES = st.sampled_from([0, 10, 300])
KEYS = st.none() | st.tuples(st.sampled_from(["k1", "k2", "k3"]), st.sampled_from(["d1", "d1", "d2"]))
WORKERS = st.integers(0, 2)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server of their own: they look at all keys again and again."""
    with EmbeddedServer() as server:
        yield server.url


class Queue(RuleBasedStateMachine):
    """Any order of operations, each with a fault on its way or none."""

    url: str

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.world = self.run(_opened(self.url))
        self.batches = 0

    def run(self, step: Awaitable[Any]) -> Any:
        async def awaited() -> Any:
            return await step

        return self.runner.run(awaited())

    def worker(self, number: int) -> Worker:
        return self.world.workers[number]

    def any_lease(self, data: st.DataObject) -> tuple[Worker, Lease]:
        held = [(worker, lease) for worker in self.world.workers for lease in worker.leases]
        return data.draw(st.sampled_from(held))

    @rule(tenant=TENANTS, domain=DOMAINS, priority=PRIORITIES, size=SIZES, key=KEYS, fault=FAULTS)
    def submit(self, tenant: str, domain: str, priority: Priority, size: int, key: Any, fault: Fault | None) -> None:
        self.run(self.world.submit(made(tenant, domain, priority, size), key, fault))

    @rule(
        tenant=TENANTS, domains=st.lists(DOMAINS, min_size=1, max_size=4), priority=PRIORITIES, key=KEYS, fault=FAULTS
    )
    def submit_batch(self, tenant: str, domains: list[str], priority: Priority, key: Any, fault: Fault | None) -> None:
        self.batches += 1
        batch = f"bat_{self.batches}"
        sent = [made(tenant, domain, priority, 10, batch=batch, index=n) for n, domain in enumerate(domains)]
        key = key and (key[0], f"{key[1]} of a batch")
        self.run(self.world.submit_batch(batch, sent, key, fault))

    @precondition(lambda self: self.world.sent)
    @rule(data=st.data(), fault=FAULTS)
    def cancel(self, data: st.DataObject, fault: Fault | None) -> None:
        self.run(self.world.cancel(data.draw(st.sampled_from(sorted(self.world.sent))), fault))

    @precondition(lambda self: self.world.batches)
    @rule(data=st.data(), fault=FAULTS)
    def cancel_batch(self, data: st.DataObject, fault: Fault | None) -> None:
        self.run(self.world.cancel_batch(data.draw(st.sampled_from(sorted(self.world.batches))), fault))

    @rule(number=WORKERS, fault=FAULTS)
    def take(self, number: int, fault: Fault | None) -> None:
        self.run(self.world.take(self.worker(number), fault))

    @rule(number=WORKERS, fault=FAULTS)
    def reclaim(self, number: int, fault: Fault | None) -> None:
        self.run(self.world.reclaim(self.worker(number), fault))

    @rule(number=WORKERS, fault=FAULTS)
    def heartbeat(self, number: int, fault: Fault | None) -> None:
        self.run(self.world.heartbeat(self.worker(number), fault))

    @rule(number=WORKERS, fault=FAULTS)
    def restart(self, number: int, fault: Fault | None) -> None:
        self.run(self.world.restart(self.worker(number), fault))

    @precondition(lambda self: any(worker.leases for worker in self.world.workers))
    @rule(data=st.data(), fault=FAULTS)
    def finish(self, data: st.DataObject, fault: Fault | None) -> None:
        self.run(self.world.finish(*self.any_lease(data), fault))

    @precondition(lambda self: any(worker.leases for worker in self.world.workers))
    @rule(data=st.data(), fault=FAULTS)
    def fail(self, data: st.DataObject, fault: Fault | None) -> None:
        self.run(self.world.fail(*self.any_lease(data), fault))

    @precondition(lambda self: any(worker.leases for worker in self.world.workers))
    @rule(data=st.data(), fault=FAULTS)
    def release(self, data: st.DataObject, fault: Fault | None) -> None:
        self.run(self.world.release(*self.any_lease(data), fault))

    @invariant()
    def all_agrees(self) -> None:
        self.run(self.world.check())

    def teardown(self) -> None:
        try:
            self.run(self.world.drain())
        finally:
            self.run(self.world.close())
            self.runner.close()


async def _opened(url: str) -> World:
    return World(url)


def explore(url: str, examples: int, steps: int) -> None:
    machine = type("Queue", (Queue,), {"url": url})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )


def test_in_any_order(url: str) -> None:
    explore(url, 50, 30)


@pytest.mark.full
def test_in_any_order_for_long(url: str) -> None:
    explore(url, 400, 60)


# ---- every command of every operation, one after the other ----

Operation = Callable[[World, Fault | None], Awaitable[object]]


def _worker(world: World) -> Worker:
    return world.workers[0]


async def _lease(world: World) -> Lease:
    lease = await world.take(_worker(world))
    assert lease
    return lease


async def _batch(world: World) -> None:
    await world.submit_batch("bat_1", entries(3, "bat_1"))


OPERATIONS: dict[str, Operation] = {}


def operation(step: Operation) -> Operation:
    OPERATIONS[step.__name__] = step
    return step


@operation
async def submit(world: World, fault: Fault | None) -> None:
    await world.submit(entry(), ("key", "digest"), fault)


@operation
async def submit_batch(world: World, fault: Fault | None) -> None:
    await world.submit_batch("bat_2", entries(3, "bat_2"), ("key", "digest"), fault)


@operation
async def take(world: World, fault: Fault | None) -> None:
    await world.take(_worker(world), fault)


@operation
async def finish(world: World, fault: Fault | None) -> None:
    await world.finish(_worker(world), await _lease(world), fault)


@operation
async def retry(world: World, fault: Fault | None) -> None:
    await world.fail(_worker(world), await _lease(world), fault)


@operation
async def take_what_is_retried(world: World, fault: Fault | None) -> None:
    await world.fail(_worker(world), await _lease(world))
    await world.take(_worker(world), fault)


@operation
async def give_up(world: World, fault: Fault | None) -> None:
    for _ in range(world.settings.max_deliveries - 1):
        await world.fail(_worker(world), await _lease(world))
    await world.fail(_worker(world), await _lease(world), fault)


@operation
async def try_again_by_key(world: World, fault: Fault | None) -> None:
    id = await world.submit(entry(priority=Priority.HIGH), ("key", "digest"))
    for _ in range(world.settings.max_deliveries):
        lease = await _lease(world)
        assert lease.entry.id == id
        await world.fail(_worker(world), lease)
    await world.check()
    await world.submit(entry(), ("key", "digest"), fault)


@operation
async def reclaim(world: World, fault: Fault | None) -> None:
    await _lease(world)
    await world.reclaim(world.workers[1], fault)


@operation
async def heartbeat(world: World, fault: Fault | None) -> None:
    await _lease(world)
    await world.heartbeat(_worker(world), fault)


@operation
async def release(world: World, fault: Fault | None) -> None:
    await world.release(_worker(world), await _lease(world), fault)


@operation
async def restart(world: World, fault: Fault | None) -> None:
    await _lease(world)
    await world.restart(_worker(world), fault)


@operation
async def cancel_what_waits(world: World, fault: Fault | None) -> None:
    await world.cancel(min(world.sent), fault)


@operation
async def cancel_what_runs(world: World, fault: Fault | None) -> None:
    await world.cancel((await _lease(world)).entry.id, fault)


@operation
async def cancel_what_is_retried(world: World, fault: Fault | None) -> None:
    lease = await _lease(world)
    await world.fail(_worker(world), lease)
    await world.cancel(lease.entry.id, fault)


@operation
async def cancel_batch(world: World, fault: Fault | None) -> None:
    await _lease(world)
    await world.cancel_batch("bat_1", fault)


@pytest.mark.parametrize("name", OPERATIONS)
async def test_at_every_command(url: str, name: str) -> None:
    """As often as the operation has commands, and once more, where the fault does not come."""
    command, came = 1, True
    while came:
        for executed in (False, True):
            for deadly in (False, True):
                came = await _with(url, OPERATIONS[name], Fault(command, executed, deadly))
        command += 1
    assert command > 2


async def _with(url: str, operation: Operation, fault: Fault) -> bool:
    """Whether the fault came."""
    world = World(url)
    try:
        await _batch(world)
        await operation(world, fault)
        came = any(process.breaker.came for process in world.processes)
        await world.check()
        await world.drain()
    finally:
        await world.close()
    return came
