"""Many submissions, several workers, some of which die."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

from sandbox_service.contract.verdict import Priority
from sandbox_service.queue import Consumer, Lease
from tests.queue.bench import ACCEPTED, CANCELLED, PATIENCE_SECONDS, TENANT, Bench, entries, entry


async def test_200_with_4_workers_end_once_each(bench: Bench) -> None:
    batch = [replace(sent, priority=list(Priority)[sent.index % 3]) for sent in entries(200, "bat_1")]
    won: list[str] = []

    async def work(worker: Consumer) -> None:
        while len(won) < len(batch):
            lease = await worker.take(0.2)
            if lease and await worker.finish(lease, lease.entry.id.encode(), ACCEPTED):
                won.append(lease.entry.id)

    async with Consumer(bench.redis, bench.settings, "3") as three, Consumer(bench.redis, bench.settings, "4") as four:
        workers = [asyncio.create_task(work(worker)) for worker in (bench.one, bench.two, three, four)]
        await bench.producer.submit_batch("bat_1", TENANT, batch)
        await asyncio.wait_for(asyncio.gather(*workers), PATIENCE_SECONDS)
    assert sorted(won) == sorted(sent.id for sent in batch)
    lines = await bench.reader.batch_lines("bat_1", TENANT, 0, 1000)
    assert [cursor for cursor, _, _ in lines] == list(range(1, 201))
    assert sorted((index, result) for _, index, result in lines) == [(e.index, e.id.encode()) for e in batch]
    await bench.assert_nothing_left()


async def test_with_workers_that_die_stall_and_overlap_each_ends_once(bench: Bench) -> None:
    """Workers forget leases, finish them late, hand them back; some submissions are cancelled on the way."""
    chance = random.Random(2)
    settings = replace(bench.settings, heartbeat_seconds=0.02)
    won: list[str] = []
    late: list[tuple[Consumer, Lease]] = []

    async def end(worker: Consumer, lease: Lease) -> None:
        if await worker.finish(lease, f"{lease.entry.id} {chance.random()}".encode(), ACCEPTED):
            won.append(lease.entry.id)

    async def handle(worker: Consumer, lease: Lease) -> None:
        fate = chance.random()
        if fate < 0.15:
            late.append((worker, lease))
        elif fate < 0.25:
            await worker.release(lease)
        elif fate > 0.35:
            await end(worker, lease)
        # else it died

    async def work(worker: Consumer) -> None:
        while len(won) < len(sent):
            leases = await worker.reclaim()
            if lease := await worker.take(0.05):
                leases.append(lease)
            for lease in leases:
                await handle(worker, lease)
            if late and chance.random() < 0.5:
                await end(*late.pop(0))

    sent = [entry() for _ in range(50)] + entries(150, "bat_1")
    async with asyncio.timeout(2 * PATIENCE_SECONDS):
        for one in sent[:50]:
            await bench.producer.submit(one)
        await bench.producer.submit_batch("bat_1", TENANT, sent[50:])
        workers = [asyncio.create_task(work(Consumer(bench.redis, settings, f"w{number}"))) for number in range(4)]
        for one in sent[::10]:
            if await bench.producer.cancel(one.id, CANCELLED):
                won.append(one.id)
        await asyncio.gather(*workers)
    assert sorted(won) == sorted(one.id for one in sent)
    for worker, lease in late:
        assert not await worker.finish(lease, b"too late", ACCEPTED)
    assert await bench.one.take(0) is None
    assert len(await bench.reader.batch_lines("bat_1", TENANT, 0, 1000)) == 150
    leftovers = Consumer(bench.redis, settings, "cleaner")
    while await bench.leased():
        assert await leftovers.reclaim(limit=100) == []
        await asyncio.sleep(0.01)
    await bench.assert_nothing_left()
