"""What a worker is given, in which order, and how it wakes."""

from __future__ import annotations

import asyncio

import pytest

from sandbox_service.contract.verdict import Priority, State
from sandbox_service.queue import Consumer, QueueSettings, connect, consumer
from tests.queue.bench import ACCEPTED, PATIENCE_SECONDS, TENANT, Bench, entries, entry, until


async def test_a_worker_is_given_what_was_submitted(bench: Bench) -> None:
    sent = entry(batch=None, domain="math", created=1700000000.25, priority=Priority.HIGH)
    assert await bench.producer.submit(sent) == sent.id
    lease = await bench.took()
    assert lease.entry == sent
    assert (lease.attempts, lease.total_attempts) == (1, 1)
    status = await bench.reader.status(sent.id, TENANT)
    assert status is not None
    assert (status.state, status.attempts, status.domain) == (State.RUNNING, 1, "math")
    assert (status.created, status.result) == (1700000000.25, None)


async def test_a_worker_is_given_what_was_submitted_in_a_batch(bench: Bench) -> None:
    sent = entries(3, "bat_1")
    assert await bench.producer.submit_batch("bat_1", TENANT, sent) == "bat_1"
    assert [(await bench.took()).entry for _ in sent] == sent
    assert await bench.one.take(0) is None


async def test_higher_priorities_come_first(bench: Bench) -> None:
    for priority in (Priority.LOW, Priority.NORMAL, Priority.HIGH, Priority.LOW, Priority.NORMAL, Priority.HIGH):
        await bench.producer.submit(entry(priority=priority))
    taken = [(await bench.took()).entry.priority for _ in range(6)]
    assert taken == [Priority.HIGH] * 2 + [Priority.NORMAL] * 2 + [Priority.LOW] * 2


async def test_what_is_queued_before_any_worker_was_there_is_found(bench: Bench) -> None:
    settings = QueueSettings(prefix=bench.settings.prefix + "late")
    late = Bench(bench.redis, settings)
    sent = entry()
    await late.producer.submit(sent)
    async with late:
        assert (await late.took()).entry == sent


async def test_a_payload_lies_beside_its_submission_until_that_ends(bench: Bench) -> None:
    small, large = entry(payload=b"x" * 10), entry(payload=b"y" * 1_000_000)
    for sent in (small, large):
        await bench.producer.submit(sent)
    assert await bench.redis.get(bench.key(f"payload:{large.id}")) == large.payload
    assert int(await bench.redis.get(bench.key("held"))) == 1_000_010
    for sent in (small, large):
        lease = await bench.took()
        assert lease.entry == sent
        assert await bench.one.finish(lease, b"{}", ACCEPTED)
    assert not await bench.redis.exists(*(bench.key(f"payload:{sent.id}") for sent in (small, large)))
    await bench.assert_nothing_left()


async def test_no_wake_up_is_lost_among_many_workers(
    redis_url: str, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More workers than the bell has tokens; none may sleep on while something waits, nor be woken by its own clock."""
    count = 90
    monkeypatch.setattr(consumer, "BLOCK_SECONDS", 3600.0)
    redis = connect(redis_url)
    workers = [Consumer(redis, bench.settings, f"w{number}") for number in range(count)]
    try:
        waiting = [asyncio.create_task(worker.take(3600.0)) for worker in workers]
        await _blocked(bench, count)
        for number in range(20):
            await bench.producer.submit(entry(priority=list(Priority)[number % 3]))
        await bench.producer.submit_batch("bat_1", TENANT, entries(count - 20, "bat_1"))
        leases = await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE_SECONDS)
        assert len({lease.entry.id for lease in leases if lease}) == count
    finally:
        await redis.aclose()


async def test_no_wake_up_is_lost_while_workers_come_and_go(
    redis_url: str, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers block and work in turn while entries drip in; the last of them must find a worker too."""
    count, found = 400, []
    monkeypatch.setattr(consumer, "BLOCK_SECONDS", 3600.0)
    redis = connect(redis_url)

    async def work(worker: Consumer) -> None:
        while True:
            lease = await worker.take(3600.0)
            assert lease is not None
            assert await worker.finish(lease, b"{}", ACCEPTED)
            found.append(lease.entry.id)
            if len(found) == count:
                done.set()

    done = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        working = [tasks.create_task(work(Consumer(redis, bench.settings, f"w{number}"))) for number in range(8)]
        for number in range(count):
            await bench.producer.submit(entry())
            if number % 7 == 0:
                await asyncio.sleep(0.001)
        await asyncio.wait_for(done.wait(), PATIENCE_SECONDS)
        for task in working:
            task.cancel()
    assert len(set(found)) == count
    await redis.aclose()


async def test_who_has_just_looked_hears_of_what_came_since(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumer, "BLOCK_SECONDS", 3600.0)
    assert await bench.one.take(0) is None
    await bench.producer.submit(entry())
    lease = await asyncio.wait_for(bench.one.take(3600.0, looked=True), PATIENCE_SECONDS)
    assert lease is not None
    await bench.one.retry(lease)
    assert await bench.two.take(0) is None  # it is not due yet
    again = await asyncio.wait_for(bench.two.take(3600.0, looked=True), PATIENCE_SECONDS)
    assert again is not None
    assert again.entry == lease.entry


async def test_a_batch_that_was_cancelled_is_passed_over_at_once(bench: Bench) -> None:
    """More of them than one script drops."""
    await bench.producer.submit_batch("bat_1", TENANT, entries(600, "bat_1"))
    assert await bench.producer.cancel_batch("bat_1", lambda id, _: id.encode()) == 600
    sent = entry()
    await bench.producer.submit(sent)
    assert (await bench.took()).entry == sent


async def _blocked(bench: Bench, count: int) -> None:
    """Until so many connections wait for the bell."""

    async def blocked() -> bool:
        clients = await bench.redis.client_list()
        return sum(client["cmd"] == "blpop" and "b" in client["flags"] for client in clients) == count

    await until(blocked)
