"""What failed by our fault: another attempt after a pause, another worker first, and what is left when all fail."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest

from sandbox_service.contract.verdict import Priority, State
from sandbox_service.queue import Consumer, Lease, QueueSettings, consumer
from tests.queue.bench import ACCEPTED, CANCELLED, FAILED, PATIENCE_SECONDS, TENANT, Bench, entry, failure, until

HOUR = 3600.0


@pytest.fixture
def settings(settings: QueueSettings) -> QueueSettings:
    """Due at once; never for a worker that had it."""
    return replace(settings, retry_seconds=0.0, left_to_others_seconds=HOUR)


def worker(bench: Bench, name: str, **changes: float) -> Consumer:
    return Consumer(bench.redis, replace(bench.settings, **changes), name)


async def due_in(bench: Bench, lease: Lease) -> float:
    """Seconds until what was handed back is due."""
    due = await bench.redis.zscore(bench.key("returned"), lease.entry.id)
    seconds, microseconds = await bench.redis.time()
    return float(due) / 1e6 - seconds - microseconds / 1e6


async def test_another_worker_gets_it(bench: Bench) -> None:
    sent = entry(weight=2.0, domain_weight=0.5)
    await bench.producer.submit(sent)
    await bench.one.retry(await bench.took())
    status = await bench.reader.status(sent.id, TENANT)
    assert status is not None
    assert (status.state, status.attempts, status.result) == (State.QUEUED, 1, None)
    assert await bench.one.take(0) is None
    lease = await bench.took(bench.two)
    assert lease.entry == sent
    assert (lease.attempts, lease.total_attempts) == (2, 2)
    assert await bench.two.finish(lease, b"{}", ACCEPTED)
    status = await bench.reader.status(sent.id, TENANT)
    assert status is not None
    assert (status.state, status.attempts) == (State.FINISHED, 2)
    assert await bench.reader.dead_letters() == []
    await bench.assert_nothing_left()


async def test_every_worker_that_had_it_leaves_it_to_the_others(bench: Bench) -> None:
    await bench.producer.submit(entry())
    await bench.one.retry(await bench.took())
    await bench.two.retry(await bench.took(bench.two))
    for name in ("one", "two", "on"):  # names are not mistaken for parts of others
        assert (await worker(bench, name).take(0) is not None) == (name == "on")


async def test_it_comes_back_if_there_is_no_other_worker(bench: Bench) -> None:
    alone = worker(bench, "alone", left_to_others_seconds=0.3)
    await bench.producer.submit(entry())
    lease = await bench.took(alone)
    await alone.retry(lease)
    assert await alone.take(0) is None
    again = await alone.take(PATIENCE_SECONDS)
    assert again is not None
    assert (again.entry, again.attempts) == (lease.entry, 2)
    assert again.number != lease.number


async def test_the_pause_doubles_and_is_never_quite_the_same(bench: Bench) -> None:
    pauses = []
    for attempt in (1, 2):
        one, two = (worker(bench, f"{name}-{attempt}", retry_seconds=HOUR) for name in "ab")
        await bench.producer.submit(entry(priority=Priority.HIGH))
        lease = await bench.took(one)
        await one.retry(replace(lease, attempts=attempt))
        assert await two.take(0) is None
        pauses.append(await due_in(bench, lease) / HOUR)
    assert 0.74 < pauses[0] < 1.26
    assert 1.49 < pauses[1] < 2.51
    assert 2 * pauses[0] != pytest.approx(pauses[1])


async def test_what_is_due_comes_before_all_that_wait(bench: Bench) -> None:
    first = entry(priority=Priority.LOW)
    await bench.producer.submit(first)
    await bench.one.retry(await bench.took())
    await bench.producer.submit(entry(priority=Priority.HIGH))
    assert (await bench.took()).entry.priority is Priority.HIGH  # it may not have the other
    await bench.producer.submit(entry(priority=Priority.HIGH))
    assert (await bench.took(bench.two)).entry == first


async def test_it_waits_in_its_priority_meanwhile(bench: Bench) -> None:
    slow = worker(bench, "slow", retry_seconds=HOUR)
    await bench.producer.submit(entry(priority=Priority.HIGH))
    await slow.retry(await bench.took(slow))
    await bench.producer.submit(entry())
    stats = await bench.reader.stats()
    assert stats["queue"]["by_priority"] == {"high": 1, "normal": 1, "low": 0}
    assert stats["running"] == 0
    assert (await bench.took()).entry.priority is Priority.NORMAL


async def test_an_idle_worker_comes_when_it_is_due(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not only when it looks by itself."""
    monkeypatch.setattr(consumer, "BLOCK_SECONDS", HOUR)
    one = worker(bench, "failing", retry_seconds=0.3)
    await bench.producer.submit(entry())
    lease = await bench.took(one)
    waiting = asyncio.create_task(bench.two.take(HOUR))
    await asyncio.sleep(0.1)  # until it waits at the bell
    await one.retry(lease)
    again = await asyncio.wait_for(waiting, PATIENCE_SECONDS)
    assert again is not None
    assert again.entry == lease.entry


async def test_it_can_be_cancelled_while_it_waits(bench: Bench) -> None:
    sent = entry()
    await bench.producer.submit(sent)
    await bench.one.retry(await bench.took())
    assert await bench.producer.cancel(sent.id, CANCELLED)
    assert await bench.two.take(0) is None
    status = await bench.reader.status(sent.id, TENANT)
    assert status is not None
    assert (status.state, status.attempts) == (State.CANCELLED, 1)
    await bench.assert_nothing_left()


async def test_a_lease_that_is_someone_elses_is_not_retried(bench: Bench) -> None:
    """It was reclaimed, or its submission was cancelled; or the command is sent again because its answer was lost."""
    await bench.producer.submit(entry())
    stalled = await bench.took()
    hasty = worker(bench, "hasty", heartbeat_seconds=0.0)
    [lease] = await until(hasty.reclaim)
    await bench.one.retry(stalled)
    assert await bench.two.take(0) is None
    await hasty.retry(lease)
    again = await bench.took(bench.two)
    await hasty.retry(lease)
    assert (again.attempts, await bench.leased()) == (3, 1)
    # Nor can they end what they do not have.
    for late in (lease, stalled):
        assert not await hasty.finish(late, b'{"late":1}', ACCEPTED)
    await bench.producer.cancel(again.entry.id, CANCELLED)
    await bench.two.retry(again)
    await bench.assert_nothing_left()


async def test_what_fails_everywhere_is_a_dead_letter(bench: Bench) -> None:
    sent = entry()
    await bench.producer.submit(sent)
    await bench.one.retry(await bench.took())
    await bench.two.retry(await bench.took(bench.two))
    three = worker(bench, "three")
    lease = await bench.took(three)
    assert lease.attempts == bench.settings.max_deliveries
    assert await three.finish(lease, failure(retryable=True), FAILED)
    [letter] = await bench.reader.dead_letters()
    assert (letter.id, letter.tenant, letter.kind, letter.workers) == (sent.id, TENANT, "lost", ["one", "two", "three"])
    assert abs(letter.time - time.time()) < PATIENCE_SECONDS
    stats = await bench.reader.stats()
    assert (stats["dead_letters"], stats["states"]) == (1, {"failed": 1})
    await bench.assert_nothing_left()


async def test_what_kills_its_workers_is_a_dead_letter(bench: Bench) -> None:
    """The worker that ends it did not run it."""
    sent = entry()
    await bench.producer.submit(sent)
    await bench.took()
    for name in ("b", "c", "d"):
        hasty = worker(bench, name, heartbeat_seconds=0.0)
        [lease] = await until(hasty.reclaim)
    assert lease.attempts == bench.settings.max_deliveries + 1
    assert await hasty.finish(lease, failure(retryable=True), FAILED)
    [letter] = await bench.reader.dead_letters()
    assert (letter.id, letter.workers) == (sent.id, ["one", "b", "c"])


async def test_failures_of_the_task_and_results_are_no_dead_letters(bench: Bench) -> None:
    for _ in range(2):
        await bench.producer.submit(entry())
    await bench.one.finish(await bench.took(), failure(retryable=False), FAILED)
    await bench.one.finish(await bench.took(), b"{}", ACCEPTED)
    assert await bench.reader.dead_letters() == []
    assert (await bench.reader.stats())["dead_letters"] == 0


async def test_a_new_attempt_by_its_key_starts_from_nothing(bench: Bench) -> None:
    """As many deliveries again, by the same workers."""
    first = await bench.producer.submit(entry(), idempotency=("key", "digest"))
    await bench.one.retry(await bench.took())
    last = await bench.took(bench.two)
    await bench.two.finish(last, failure(retryable=True), FAILED)
    assert await bench.producer.submit(entry(), idempotency=("key", "digest")) == first
    assert not await bench.two.finish(last, b'{"late":1}', ACCEPTED)
    lease = await bench.took()
    assert (lease.attempts, lease.total_attempts) == (1, 3)
    await bench.one.retry(lease)
    await bench.two.finish(await bench.took(bench.two), failure(retryable=True), FAILED)
    assert [letter.workers for letter in await bench.reader.dead_letters()] == [["one", "two"]] * 2
    await bench.assert_nothing_left()


async def test_the_last_dead_letters_are_kept(bench: Bench) -> None:
    ids = []
    for _ in range(1005):
        ids.append(await bench.producer.submit(entry()))
        await bench.one.finish(await bench.took(), failure(retryable=True), FAILED)
    assert [letter.id for letter in await bench.reader.dead_letters(3)] == ids[:-4:-1]
    assert [letter.id for letter in await bench.reader.dead_letters(2000)] == ids[:4:-1]
    assert (await bench.reader.stats())["dead_letters"] == 1005
