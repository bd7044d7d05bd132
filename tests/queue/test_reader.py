"""What the gateway reads, and how it waits."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from redis.asyncio import Redis

from sandbox_service.contract.verdict import Priority, State, Verdict
from sandbox_service.queue import EmbeddedServer, QueueSettings, Reader, Summary, connect, follow
from tests.queue.bench import ACCEPTED, CANCELLED, PATIENCE_SECONDS, TENANT, Bench, entries, entry, until


async def test_a_submission_is_its_tenants_alone(bench: Bench) -> None:
    sent = entry()
    await bench.producer.submit(sent)
    assert await bench.reader.status(sent.id, "other") is None
    assert await bench.reader.status("sub_unknown", TENANT) is None
    assert await bench.reader.wait(sent.id, "other", 60) is None
    assert await bench.reader.wait("sub_unknown", TENANT, 60) is None
    status = await bench.reader.status(sent.id, TENANT)
    assert status is not None
    assert (status.state, status.attempts) == (State.QUEUED, 0)


async def test_waiting_ends_with_the_submission(bench: Bench) -> None:
    sent = entry()
    await bench.producer.submit(sent)
    waiting = [asyncio.create_task(bench.reader.wait(sent.id, TENANT, PATIENCE_SECONDS * 10)) for _ in range(20)]
    lease = await bench.took()
    await asyncio.sleep(0.05)
    assert not any(task.done() for task in waiting)
    await bench.one.finish(lease, b'{"ok":1}', ACCEPTED)
    for status in await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE_SECONDS):
        assert status is not None
        assert (status.state, status.result) == (State.FINISHED, b'{"ok":1}')


async def test_waiting_for_what_has_ended_ends_at_once(bench: Bench) -> None:
    sent = entry()
    await bench.producer.submit(sent)
    await bench.producer.cancel(sent.id, CANCELLED)
    status = await asyncio.wait_for(bench.reader.wait(sent.id, TENANT, 3600), PATIENCE_SECONDS)
    assert status is not None
    assert status.state is State.CANCELLED


async def test_waiting_ends_with_its_time(bench: Bench) -> None:
    sent = entry()
    await bench.producer.submit(sent)
    for seconds in (0, 0.05):
        status = await bench.reader.wait(sent.id, TENANT, seconds)
        assert status is not None
        assert status.state is State.QUEUED


async def test_no_end_is_missed_however_it_falls(bench: Bench) -> None:
    """Waits that start while the submission is being ended."""
    for _ in range(50):
        sent = entry()
        await bench.producer.submit(sent)
        lease = await bench.took()
        waiting = (bench.reader.wait(sent.id, TENANT, 3600) for _ in range(4))
        ended = bench.one.finish(lease, b"{}", ACCEPTED)
        statuses = await asyncio.wait_for(asyncio.gather(*waiting, ended), PATIENCE_SECONDS)
        assert all(status.state is State.FINISHED for status in statuses[:4])


@pytest.mark.parametrize("size", [10, 100_000])
async def test_a_result_is_told_with_its_announcement_unless_it_is_large(bench: Bench, size: int) -> None:
    sent, result = entry(), b"x" * size
    with bench.reader.watch(sent.id) as watch:
        await bench.producer.submit(sent)
        await bench.one.finish(await bench.took(), result, ACCEPTED)
        told = await asyncio.wait_for(bench.reader.told(watch, 3600), PATIENCE_SECONDS)
    assert told == (result if size == 10 else None)
    status = await bench.reader.status(sent.id, TENANT)
    assert status is not None
    assert status.result == result


async def test_nothing_is_told_in_time(bench: Bench) -> None:
    sent = entry()
    with bench.reader.watch(sent.id) as watch:
        await bench.producer.submit(sent)
        assert await bench.reader.told(watch, 0.05) is None


async def test_the_lines_of_a_batch_are_read_by_cursor_in_a_stable_order(bench: Bench) -> None:
    sent = entries(5, "bat_1")
    await bench.producer.submit_batch("bat_1", TENANT, sent)
    leases = [await bench.took() for _ in sent]
    read = bench.reader.batch_lines
    seen: list[tuple[int, int, bytes]] = []
    for number in (3, 0, 4):
        await bench.one.finish(leases[number], b"%d" % number, ACCEPTED)
        seen += await read("bat_1", TENANT, seen[-1][0] if seen else 0, 10)
    assert [(index, result) for _, index, result in seen] == [(3, b"3"), (0, b"0"), (4, b"4")]
    for number in (2, 1):
        await bench.one.finish(leases[number], b"%d" % number, ACCEPTED)
    whole = await read("bat_1", TENANT, 0, 10)
    assert [index for _, index, _ in whole] == [3, 0, 4, 2, 1]
    assert whole[:3] == seen
    for place, (cursor, _, _) in enumerate(whole):
        assert await read("bat_1", TENANT, cursor, 2) == whole[place + 1 : place + 3]
    assert await read("bat_1", "other", 0, 10) == []
    assert await read("bat_unknown", TENANT, 0, 10) == []
    assert await read("bat_1", TENANT, 0, 0) == []
    await bench.assert_nothing_left()


async def test_nothing_of_a_batch_expires_before_its_end(bench: Bench) -> None:
    sent = entries(2, "bat_1")
    await bench.producer.submit_batch("bat_1", TENANT, sent)
    first = await bench.took()
    await bench.one.finish(first, b"{}", ACCEPTED)
    names = [f"result:{first.entry.id}", f"submission:{first.entry.id}", "batch:bat_1", "batch:done:bat_1"]
    assert [await bench.redis.ttl(bench.key(name)) for name in names] == [-1] * 4
    await bench.finish_all()
    await bench.assert_nothing_left()


async def test_waiting_for_lines_of_a_batch(bench: Bench) -> None:
    await bench.producer.submit_batch("bat_1", TENANT, entries(3, "bat_1"))
    await bench.reader.wait_batch("bat_1", 0, 0.05)
    waiting = asyncio.create_task(bench.reader.wait_batch("bat_1", 1, 3600))
    await bench.one.finish(await bench.took(), b"{}", ACCEPTED)
    await asyncio.sleep(0.05)
    assert not waiting.done()
    await bench.one.finish(await bench.took(), b"{}", ACCEPTED)
    await asyncio.wait_for(waiting, PATIENCE_SECONDS)
    await asyncio.wait_for(bench.reader.wait_batch("bat_1", 1, 3600), PATIENCE_SECONDS)


async def test_a_batch_is_counted_by_state_and_verdict(bench: Bench) -> None:
    await bench.producer.submit_batch("bat_1", TENANT, entries(4, "bat_1"))
    wrong = Summary(State.FINISHED, Verdict.WRONG_ANSWER, {}, "c")
    await bench.one.finish(await bench.took(), b"{}", ACCEPTED)
    await bench.one.finish(await bench.took(), b"{}", wrong)
    await bench.one.release(await bench.took())
    lease = await bench.took(bench.two)
    status = await bench.reader.batch("bat_1", TENANT)
    assert status is not None
    assert status.states == {"queued": 1, "running": 1, "finished": 2}
    assert status.verdicts == {"accepted": 1, "wrong_answer": 1}
    assert await bench.reader.batch("bat_1", "other") is None
    assert await bench.reader.batch("bat_unknown", TENANT) is None
    await bench.two.finish(lease, b"{}", ACCEPTED)


async def test_each_gateway_hears_of_its_own_once(bench: Bench) -> None:
    heard: dict[str, list[Summary]] = {"a": [], "b": []}
    a = Reader(bench.redis, bench.settings, "a", heard["a"].append)
    b = Reader(bench.redis, bench.settings, "b", heard["b"].append)
    await bench.producer.submit(entry(origin="a"))
    await bench.finish_all()  # before it started
    async with a, b:
        for origin in ("a", "b", "a", "c"):
            await bench.producer.submit(entry(origin=origin))
        await bench.finish_all()

        async def all_heard() -> bool:
            return len(heard["a"]) >= 2 and len(heard["b"]) >= 1

        await until(all_heard)
        await asyncio.sleep(0.05)
    assert heard == {"a": [ACCEPTED, ACCEPTED], "b": [ACCEPTED]}


async def test_a_callback_that_fails_does_not_end_the_reader(bench: Bench) -> None:
    def fail(summary: Summary) -> None:
        raise ValueError(summary.language)

    bench.reader.on_finished = fail
    for _ in range(2):
        sent = entry()
        await bench.producer.submit(sent)
        await bench.finish_all()
        status = await asyncio.wait_for(bench.reader.wait(sent.id, TENANT, 3600), PATIENCE_SECONDS)
        assert status is not None
        assert status.state is State.FINISHED


async def test_stats(bench: Bench) -> None:
    for priority in (Priority.HIGH, Priority.LOW, Priority.LOW, Priority.LOW):
        await bench.producer.submit(entry(priority=priority))
    await bench.one.finish(await bench.took(), b"{}", ACCEPTED)
    await bench.took()
    stats = await bench.reader.stats()
    assert 0 <= stats["queue"].pop("oldest_seconds") < PATIENCE_SECONDS
    assert stats == {
        "queue": {"depth": 2, "by_priority": {"high": 0, "normal": 0, "low": 2}},
        "running": 1,
        "states": {"finished": 1},
        "verdicts": {"accepted": 1},
        "dead_letters": 0,
    }


async def test_stats_of_a_queue_that_nobody_has_used(redis: Redis, settings: QueueSettings) -> None:
    stats = await Reader(redis, settings).stats()
    assert stats["queue"] == {"depth": 0, "oldest_seconds": None, "by_priority": {"high": 0, "normal": 0, "low": 0}}


async def test_a_reader_that_fell_behind_wakes_all_that_wait(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """More was announced than one reading takes, so that some may be trimmed away unread."""
    monkeypatch.setattr(follow, "MOST_AT_ONCE", 10)
    sent = entry()
    await bench.producer.submit(sent)
    async with Reader(bench.redis, bench.settings) as reader:
        waiting = asyncio.create_task(reader.wait(sent.id, TENANT, 3600))
        lease = await bench.took()
        await asyncio.sleep(0.2)  # until it has looked and waits
        async with bench.redis.pipeline(transaction=True) as pipe:
            # As if the announcement of this one had been trimmed: the state changes without it.
            pipe.hset(bench.key(f"submission:{sent.id}"), "state", "finished")
            pipe.set(bench.key(f"result:{sent.id}"), b"{}", ex=60)
            for number in range(10):
                fields = {"id": f"sub_x{number}", "batch": "", "origin": "", "summary": "{}"}
                pipe.xadd(bench.key("events"), fields)
            await pipe.execute()
        status = await asyncio.wait_for(waiting, PATIENCE_SECONDS)
        assert status is not None
        assert status.state is State.FINISHED
        assert not await bench.one.finish(lease, b"late", ACCEPTED)


async def test_after_the_server_was_away_a_gap_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = EmbeddedServer(tmp_path / "redis")
    server.start()
    try:
        redis = connect(server.url)
        news = follow.follow(redis, "stream", await follow.newest(redis, "stream"))
        server.stop()
        waiting = asyncio.ensure_future(anext(news))

        async def noticed() -> bool:
            return "cannot read announcements" in caplog.text

        await until(noticed)
        server.start()
        assert await asyncio.wait_for(waiting, PATIENCE_SECONDS) == follow.News([], gap=True)
        await news.aclose()
        await redis.aclose()
    finally:
        server.stop()


async def test_waiting_outlives_a_restart_of_the_server(tmp_path: Path, settings: QueueSettings) -> None:
    server = EmbeddedServer(tmp_path / "redis")
    server.start()
    try:
        redis = connect(server.url)
        async with Bench(redis, settings) as bench:
            before, during, after = entry(), entry(), entry()
            for sent in (before, during, after):
                await bench.producer.submit(sent)
            waiting = [
                asyncio.create_task(bench.reader.wait(sent.id, TENANT, 3600)) for sent in (before, during, after)
            ]
            lease = await bench.took()
            await bench.one.finish(lease, b"1", ACCEPTED)
            held = await bench.took()
            server.stop()
            server.start()
            assert await bench.one.finish(held, b"2", ACCEPTED)
            assert await bench.one.finish(await bench.took(), b"3", ACCEPTED)
            statuses = await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE_SECONDS)
            assert [status and status.result for status in statuses] == [b"1", b"2", b"3"]
            await bench.assert_nothing_left()
        await redis.aclose()
    finally:
        server.stop()
