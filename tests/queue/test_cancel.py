"""Cancelling what waits, what runs and what has ended."""

from __future__ import annotations

import asyncio

from sandbox_service.contract.verdict import State
from sandbox_service.queue import Consumer
from sandbox_service.queue.finish import Finish
from sandbox_service.queue.keys import Keys
from tests.queue.bench import ACCEPTED, CANCELLED, PATIENCE_SECONDS, TENANT, Bench, entries, entry


async def test_what_waits_is_cancelled_and_never_runs(bench: Bench) -> None:
    sent = entry()
    await bench.producer.submit(sent)
    assert await bench.producer.cancel(sent.id, CANCELLED)
    status = await bench.reader.status(sent.id, TENANT)
    assert status is not None
    assert (status.state, status.result) == (State.CANCELLED, CANCELLED)
    assert await bench.one.take(0) is None
    await bench.assert_nothing_left()


async def test_what_runs_is_cancelled_and_its_worker_hears_of_it(bench: Bench) -> None:
    before, sent = entry(), entry()
    await bench.producer.submit(before)
    await bench.producer.submit(sent)
    await bench.took()
    await bench.producer.cancel(before.id, CANCELLED)
    # Only what is cancelled after its start is a worker told, and only of what ran.
    waiting = entry()
    async with Consumer(bench.redis, bench.settings, "late") as late:
        lease = await bench.took(late)
        await bench.producer.submit(waiting)
        assert await bench.producer.cancel(waiting.id, CANCELLED)
        assert await bench.producer.cancel(sent.id, CANCELLED)
        async with asyncio.timeout(PATIENCE_SECONDS):
            heard = await anext(late.cancelled())
        assert heard == sent.id
        assert not await late.finish(lease, b'{"late":1}', ACCEPTED)
    status = await bench.reader.status(sent.id, TENANT)
    assert status is not None
    assert (status.state, status.result) == (State.CANCELLED, CANCELLED)


async def test_what_has_ended_is_not_cancelled(bench: Bench) -> None:
    sent = entry()
    await bench.producer.submit(sent)
    await bench.one.finish(await bench.took(), b'{"ok":1}', ACCEPTED)
    assert not await bench.producer.cancel(sent.id, CANCELLED)
    assert not await bench.producer.cancel("sub_unknown", CANCELLED)
    status = await bench.reader.status(sent.id, TENANT)
    assert status is not None
    assert (status.state, status.result) == (State.FINISHED, b'{"ok":1}')


async def test_what_starts_while_its_batch_is_cancelled_is_left_running(bench: Bench) -> None:
    """It was looked at before it started, and ended after."""
    sent = entry()
    await bench.producer.submit(sent)
    lease = await bench.took()
    finish = Finish(bench.redis, Keys.under(bench.settings.prefix), bench.settings)
    assert not await finish.cancelled(sent.id, CANCELLED, only_from=State.QUEUED)
    assert await bench.one.finish(lease, b"{}", ACCEPTED)


async def test_of_a_batch_only_what_has_not_started_is_cancelled(bench: Bench) -> None:
    sent = entries(6, "bat_1")
    await bench.producer.submit_batch("bat_1", TENANT, sent)
    running, ended = await bench.took(), await bench.took()
    await bench.one.finish(ended, b"{}", ACCEPTED)
    assert await bench.producer.cancel_batch("bat_1", lambda id, _: id.encode()) == 4
    status = await bench.reader.batch("bat_1", TENANT)
    assert status is not None
    assert status.states == {"running": 1, "finished": 1, "cancelled": 4}
    assert status.verdicts == {"accepted": 1}
    assert await bench.one.finish(running, b"{}", ACCEPTED)
    assert await bench.producer.cancel_batch("bat_1", lambda id, _: id.encode()) == 0
    lines = await bench.reader.batch_lines("bat_1", TENANT, 0, 100)
    assert [index for _, index, _ in lines] == [1, 2, 3, 4, 5, 0]
    assert lines[1][2] == sent[2].id.encode()
    assert await bench.one.take(0) is None
    await bench.assert_nothing_left()
