"""Leases of workers that die, stall, drain or overlap."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from sandbox_service.contract.verdict import State
from sandbox_service.queue import Consumer, Lease, QueueSettings
from tests.queue.bench import ACCEPTED, CANCELLED, FAILED, TENANT, Bench, entries, entry, failure, until

HEARTBEAT_SECONDS = 0.05


@pytest.fixture
def settings(settings: QueueSettings) -> QueueSettings:
    return replace(settings, heartbeat_seconds=HEARTBEAT_SECONDS)


async def owners(bench: Bench) -> list[str]:
    """Who holds what."""
    ids = await bench.redis.zrange(bench.key("leases"), 0, -1)
    return [(await bench.redis.hget(bench.key(f"submission:{id.decode()}"), "worker")).decode() for id in ids]


async def reclaimed(consumer: Consumer) -> Lease:
    """The one lease that the consumer can reclaim in a while."""
    leases = await until(consumer.reclaim)
    assert len(leases) == 1
    return leases[0]


async def test_the_lease_of_a_dead_worker_goes_to_another(bench: Bench) -> None:
    sent = entry()
    await bench.producer.submit(sent)
    await bench.took()
    lease = await reclaimed(bench.two)
    assert lease.entry == sent
    assert (lease.attempts, lease.total_attempts) == (2, 2)
    assert await bench.two.finish(lease, b"{}", ACCEPTED)
    status = await bench.reader.status(sent.id, TENANT)
    assert status is not None
    assert (status.state, status.attempts) == (State.FINISHED, 2)
    await bench.assert_nothing_left()


async def test_a_lease_that_is_confirmed_is_not_reclaimed(bench: Bench) -> None:
    """With heartbeats far apart, so that a busy machine does not miss one."""
    settings = replace(bench.settings, heartbeat_seconds=0.5)
    await bench.producer.submit(entry())
    lease = await bench.took()
    other = Consumer(bench.redis, settings, "other")
    end = asyncio.get_running_loop().time() + 1.2 * settings.reclaim_after_seconds
    while asyncio.get_running_loop().time() < end:
        await asyncio.sleep(0.1)
        await bench.one.heartbeat([lease])
        assert await other.reclaim() == []
    assert await bench.one.finish(lease, b"{}", ACCEPTED)


async def test_a_heartbeat_does_not_take_back_a_lease_that_was_reclaimed(bench: Bench) -> None:
    await bench.producer.submit(entry())
    lease = await bench.took()
    await reclaimed(bench.two)
    await bench.one.heartbeat([lease])
    assert await owners(bench) == ["two"]


async def test_a_heartbeat_for_what_has_ended_changes_nothing(bench: Bench) -> None:
    await bench.producer.submit(entry())
    lease = await bench.took()
    await bench.one.finish(lease, b"{}", ACCEPTED)
    await bench.one.heartbeat([lease])
    await bench.one.heartbeat([])
    await bench.assert_nothing_left()


async def test_the_first_of_two_results_wins(bench: Bench) -> None:
    sent = entry()
    await bench.producer.submit(sent)
    stalled = await bench.took()
    other = await reclaimed(bench.two)
    assert await bench.one.finish(stalled, b'{"by":1}', ACCEPTED)
    assert not await bench.two.finish(other, b'{"by":2}', FAILED)
    status = await bench.reader.status(sent.id, TENANT)
    assert status is not None
    assert (status.state, status.result) == (State.FINISHED, b'{"by":1}')
    assert await bench.reader.stats() == {
        "queue": {"depth": 0, "oldest_seconds": None, "by_priority": {"high": 0, "normal": 0, "low": 0}},
        "running": 0,
        "states": {"finished": 1},
        "verdicts": {"accepted": 1},
        "dead_letters": 0,
    }
    await bench.assert_nothing_left()


async def test_a_result_sent_again_is_still_the_first(bench: Bench) -> None:
    await bench.producer.submit(entry())
    lease = await bench.took()
    assert await bench.one.finish(lease, b'{"by":1}', ACCEPTED)
    assert await bench.one.finish(lease, b'{"by":1}', ACCEPTED)
    assert (await bench.reader.stats())["verdicts"] == {"accepted": 1}


async def test_after_the_last_delivery_it_comes_to_be_ended(bench: Bench) -> None:
    sent = entry()
    await bench.producer.submit(sent)
    lease = await bench.took()
    for attempt in range(2, bench.settings.max_deliveries + 2):
        lease = await reclaimed(bench.two)
        assert lease.attempts == attempt
    assert lease.attempts > bench.settings.max_deliveries
    assert await bench.two.finish(lease, failure(retryable=True), FAILED)
    await bench.assert_nothing_left()


async def test_deliveries_of_a_new_attempt_count_from_one(bench: Bench) -> None:
    await bench.producer.submit(entry(), idempotency=("key", "digest"))
    await bench.took()
    await bench.two.finish(await reclaimed(bench.two), failure(retryable=True), FAILED)
    await bench.producer.submit(entry(), idempotency=("key", "digest"))
    lease = await bench.took()
    assert (lease.attempts, lease.total_attempts) == (1, 3)


async def test_what_was_cancelled_is_not_reclaimed(bench: Bench) -> None:
    sent = entry()
    await bench.producer.submit(sent)
    await bench.took()
    assert await bench.producer.cancel(sent.id, CANCELLED)

    async def gone() -> bool:
        assert await bench.two.reclaim() == []
        return await owners(bench) == []

    await until(gone)
    await bench.assert_nothing_left()


async def test_at_most_so_many_are_reclaimed_at_once(bench: Bench) -> None:
    await bench.producer.submit_batch("bat_1", TENANT, entries(10, "bat_1"))
    for _ in range(10):
        await bench.took()
    await asyncio.sleep(bench.settings.reclaim_after_seconds)
    assert len(await bench.two.reclaim(limit=3)) == 3
    status = await bench.reader.batch("bat_1", TENANT)
    assert status is not None
    assert status.states == {"running": 10}


async def test_a_lease_handed_back_keeps_its_place_and_counts_no_delivery(bench: Bench) -> None:
    first, second = entry(), entry()
    for sent in (first, second):
        await bench.producer.submit(sent)
    await bench.one.release(await bench.took())
    status = await bench.reader.status(first.id, TENANT)
    assert status is not None
    assert (status.state, status.attempts) == (State.QUEUED, 0)
    lease = await bench.took(bench.two)
    assert lease.entry == first
    assert (lease.attempts, lease.total_attempts) == (1, 1)
    await bench.two.finish(lease, b"{}", ACCEPTED)
    await bench.finish_all()
    await bench.assert_nothing_left()


async def test_a_lease_that_another_has_reclaimed_cannot_be_handed_back(bench: Bench) -> None:
    await bench.producer.submit(entry())
    lease = await bench.took()
    await reclaimed(bench.two)
    await bench.one.release(lease)
    assert await owners(bench) == ["two"]


async def test_a_worker_that_stops_hands_back_what_it_holds(bench: Bench) -> None:
    """Also what it was given by a take that was cut off: it knows nothing of that."""
    sent = entry()
    await bench.producer.submit(sent)
    async with Consumer(bench.redis, bench.settings, "short") as short:
        await bench.took(short)
    lease = await bench.took(bench.two)
    assert lease.entry == sent
    assert lease.attempts == 2
