"""What is queued, what is refused, and what was queued already."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from sandbox_service.contract.batch import MAX_BATCH
from sandbox_service.contract.verdict import State
from sandbox_service.queue import IdempotencyConflict, Producer, QueueFull
from sandbox_service.queue.producer import LATEST_RETRY_SECONDS, SOONEST_RETRY_SECONDS
from tests.queue.bench import ACCEPTED, FAILED, TENANT, Bench, entries, entry, failure


def limited(bench: Bench, **limits: int) -> Producer:
    return Producer(bench.redis, replace(bench.settings, **limits))


async def test_a_full_queue_refuses_by_count_until_something_ends(bench: Bench) -> None:
    producer = limited(bench, max_queued=3)
    for _ in range(3):
        await producer.submit(entry())
    with pytest.raises(QueueFull) as full:
        await producer.submit(entry())
    assert SOONEST_RETRY_SECONDS <= full.value.retry_after <= LATEST_RETRY_SECONDS
    lease = await bench.took()
    with pytest.raises(QueueFull):  # running counts too
        await producer.submit(entry())
    await bench.one.finish(lease, b"{}", ACCEPTED)
    await producer.submit(entry())


async def test_a_full_queue_refuses_by_bytes_until_something_ends(bench: Bench) -> None:
    producer = limited(bench, max_bytes=100)
    await producer.submit(entry(payload=b"x" * 60))
    with pytest.raises(QueueFull):
        await producer.submit(entry(payload=b"x" * 41))
    await producer.submit(entry(payload=b"x" * 40))
    await bench.finish_all()
    await producer.submit(entry(payload=b"x" * 100))


@pytest.mark.parametrize("limits", [{"max_queued": 9}, {"max_bytes": 90}])
async def test_of_a_batch_that_does_not_fit_nothing_is_queued(bench: Bench, limits: dict[str, int]) -> None:
    batch = entries(10, "bat_1", payload=b"x" * 10)
    before = sorted(await bench.redis.keys(bench.settings.prefix + ":*"))
    with pytest.raises(QueueFull):
        await limited(bench, **limits).submit_batch("bat_1", TENANT, batch, idempotency=("k", "d"))
    assert sorted(await bench.redis.keys(bench.settings.prefix + ":*")) == before
    assert await bench.one.take(0) is None
    await bench.producer.submit_batch("bat_1", TENANT, batch, idempotency=("k", "d"))


async def test_retry_after_follows_the_rate(bench: Bench) -> None:
    """120 ended within the last one or two minutes: one or two a second, and 30 have to end first."""
    producer = limited(bench, max_queued=120)
    await producer.submit_batch("bat_1", TENANT, entries(120, "bat_1"))
    assert await bench.finish_all() == 120
    await producer.submit_batch("bat_2", TENANT, entries(120, "bat_2"))
    with pytest.raises(QueueFull) as full:
        await producer.submit_batch("bat_3", TENANT, entries(30, "bat_3"))
    assert 15 <= full.value.retry_after <= 30


async def test_a_batch_as_large_as_the_contract_allows(bench: Bench) -> None:
    batch = entries(MAX_BATCH, "bat_1")
    await bench.producer.submit_batch("bat_1", TENANT, batch)
    status = await bench.reader.batch("bat_1", TENANT)
    assert status is not None
    assert (status.total, status.states) == (MAX_BATCH, {"queued": MAX_BATCH})
    assert (await bench.took()).entry == batch[0]


async def test_an_empty_batch_is_a_mistake(bench: Bench) -> None:
    with pytest.raises(ValueError, match="at least one"):
        await bench.producer.submit_batch("bat_1", TENANT, [])


async def test_a_request_that_is_sent_again_queues_nothing(bench: Bench) -> None:
    """As the client does whose connection broke before the answer came."""
    sent, batch = entry(), entries(2, "bat_1")
    for _ in range(2):
        assert await bench.producer.submit(sent) == sent.id
        assert await bench.producer.submit_batch("bat_1", TENANT, batch) == "bat_1"
    assert await bench.finish_all() == 3
    await bench.assert_nothing_left()


@pytest.mark.parametrize("ended", [False, True])
async def test_an_idempotency_key_gives_its_twin(bench: Bench, ended: bool) -> None:
    first = await bench.producer.submit(entry(), idempotency=("key", "digest"))
    if ended:
        await bench.finish_all()
    assert await bench.producer.submit(entry(), idempotency=("key", "digest")) == first
    with pytest.raises(IdempotencyConflict):
        await bench.producer.submit(entry(), idempotency=("key", "other"))
    assert await bench.finish_all() == (0 if ended else 1)
    await bench.assert_nothing_left()


async def test_an_idempotency_key_gives_its_twin_batch(bench: Bench) -> None:
    submit = bench.producer.submit_batch
    assert await submit("bat_1", TENANT, entries(2, "bat_1"), idempotency=("key", "digest")) == "bat_1"
    assert await submit("bat_2", TENANT, entries(2, "bat_2"), idempotency=("key", "digest")) == "bat_1"
    with pytest.raises(IdempotencyConflict):
        await submit("bat_3", TENANT, entries(2, "bat_3"), idempotency=("key", "other"))
    with pytest.raises(IdempotencyConflict):
        await bench.producer.submit(entry(), idempotency=("key", "of one alone"))
    assert await bench.finish_all() == 2
    await bench.assert_nothing_left()


async def test_idempotency_keys_belong_to_a_tenant(bench: Bench) -> None:
    pairs = [("a", "b:c"), ("a:b", "c"), ("a", "c")]
    ids = [await bench.producer.submit(entry(tenant=tenant), idempotency=(key, "d")) for tenant, key in pairs]
    assert len(set(ids)) == 3


async def test_twins_sent_at_the_same_time_are_one(bench: Bench) -> None:
    submit = bench.producer.submit
    ids = await asyncio.gather(*(submit(entry(), idempotency=("key", "digest")) for _ in range(20)))
    assert len(set(ids)) == 1
    assert await bench.finish_all() == 1


async def test_an_idempotency_key_lives_as_long_as_the_result(bench: Bench) -> None:
    producer = limited(bench, result_ttl_seconds=100)
    first = await producer.submit(entry(), idempotency=("key", "digest"))
    key = bench.key(f"idempotency:{len(TENANT)}:{TENANT}:key")
    assert await bench.redis.ttl(key) == -1
    await bench.finish_all()
    assert await bench.redis.ttl(key) == await bench.redis.ttl(bench.key(f"result:{first}"))
    for gone in (key, bench.key(f"result:{first}"), bench.key(f"submission:{first}")):
        await bench.redis.delete(gone)
    second = await producer.submit(entry(), idempotency=("key", "digest"))
    assert second != first


async def test_a_retryable_failure_is_tried_again_under_its_id(bench: Bench) -> None:
    first = await bench.producer.submit(entry(), idempotency=("key", "digest"))
    await bench.one.finish(await bench.took(), failure(retryable=True), FAILED)
    again = entry(payload=b'{"again":1}')
    assert await bench.producer.submit(again, idempotency=("key", "digest")) == first
    status = await bench.reader.status(first, TENANT)
    assert status is not None
    assert (status.state, status.attempts, status.result) == (State.QUEUED, 1, None)
    # While it is on its way it is a twin like any other, and nothing of it expires.
    assert await bench.producer.submit(entry(), idempotency=("key", "digest")) == first
    names = (f"submission:{first}", f"idempotency:{len(TENANT)}:{TENANT}:key")
    assert [await bench.redis.ttl(bench.key(name)) for name in names] == [-1, -1]

    lease = await bench.took()
    assert lease.entry == replace(again, id=first)
    assert (lease.attempts, lease.total_attempts) == (1, 2)
    assert await bench.one.finish(lease, b'{"ok":1}', ACCEPTED)
    status = await bench.reader.status(first, TENANT)
    assert status is not None
    assert (status.state, status.attempts, status.result) == (State.FINISHED, 2, b'{"ok":1}')
    await bench.assert_nothing_left()


@pytest.mark.parametrize("before", [False, True])
async def test_what_is_not_a_retryable_failure_is_not_tried_again(bench: Bench, before: bool) -> None:
    """Nor if an earlier attempt was one."""
    first = await bench.producer.submit(entry(), idempotency=("key", "digest"))
    if before:
        await bench.one.finish(await bench.took(), failure(retryable=True), FAILED)
        assert await bench.producer.submit(entry(), idempotency=("key", "digest")) == first
    await bench.one.finish(await bench.took(), failure(retryable=False), FAILED)
    assert await bench.producer.submit(entry(), idempotency=("key", "digest")) == first
    assert await bench.one.take(0) is None


async def test_a_worker_given_up_cannot_end_a_later_attempt(bench: Bench) -> None:
    first = await bench.producer.submit(entry(), idempotency=("key", "digest"))
    old = await bench.took()
    await bench.two.finish(old, failure(retryable=True), FAILED)
    await bench.producer.submit(entry(), idempotency=("key", "digest"))
    new = await bench.took()
    assert not await bench.one.finish(old, b'{"late":1}', FAILED)
    assert await bench.two.finish(new, b'{"new":1}', ACCEPTED)
    status = await bench.reader.status(first, TENANT)
    assert status is not None
    assert status.result == b'{"new":1}'
    await bench.assert_nothing_left()
