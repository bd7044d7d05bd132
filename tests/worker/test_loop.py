"""What a worker does with its leases: failures of ours, draining, ending after long work."""

from __future__ import annotations

import asyncio

from tests.queue.bench import PATIENCE_SECONDS, until
from tests.worker.staff import Broken, Staff

HOUR = 3600.0


async def test_what_fails_by_our_fault_is_run_by_another_worker(staff: Staff) -> None:
    patient = {"left_to_others_seconds": HOUR, "retry_seconds": 0.05}
    id = await staff.submit("echo hello")
    async with staff.worker("broken", Broken(retryable=True), **patient):
        await until(lambda: staff.redis.exists(f"{staff.settings.prefix}:returned"))
        async with staff.worker("sound", **patient):
            result = await staff.result(id)
    assert (result["state"], result["attempts"], result["reward"]) == ("finished", 2, 1.0)
    assert result["cases"][0]["stdout"] == "hello\n"
    assert result["infra_error"] is None
    assert await staff.reader.dead_letters() == []


async def test_after_the_last_attempt_the_failure_is_the_result(staff: Staff) -> None:
    id = await staff.submit("echo hello")
    async with staff.worker("broken", Broken(retryable=True), left_to_others_seconds=0.0, retry_seconds=0.01):
        result = await staff.result(id)
    assert (result["state"], result["attempts"], result["verdict"], result["reward"]) == ("failed", 3, None, None)
    assert (result["infra_error"]["kind"], result["infra_error"]["retryable"]) == ("sandbox_start", True)
    [letter] = await staff.reader.dead_letters()
    assert (letter.id, letter.kind, letter.workers) == (id, "sandbox_start", ["broken"] * 3)


async def test_what_would_fail_again_is_not_tried_again(staff: Staff) -> None:
    id = await staff.submit("echo hello")
    async with staff.worker("broken", Broken(retryable=False)):
        result = await staff.result(id)
    assert (result["state"], result["attempts"]) == ("failed", 1)
    assert await staff.reader.dead_letters() == []


async def test_a_worker_that_shall_drain_finishes_what_it_runs(staff: Staff) -> None:
    running, waiting = await staff.submit("sleep 2; echo done"), await staff.submit("echo later")
    async with staff.worker("w1") as work:
        await until(lambda: _is(staff, running, "running"))
        assert await staff.registry.drain("w1")
        assert await staff.workers() == {"w1": "draining"}
        assert (await staff.result(running))["cases"][0]["stdout"] == "done\n"
        await asyncio.wait_for(work, PATIENCE_SECONDS)
        assert await staff.workers() == {}
        assert await staff.state(waiting) == "queued"
    async with staff.worker("w2"):
        assert (await staff.result(waiting))["attempts"] == 1


async def test_a_worker_ends_in_order_after_so_many_evaluations(staff: Staff) -> None:
    ids = [await staff.submit(f"echo {number}") for number in range(5)]
    async with staff.worker("w1", recycle_after=3) as work:
        await asyncio.wait_for(work, PATIENCE_SECONDS)
    assert [await staff.state(id) for id in ids] == ["finished"] * 3 + ["queued"] * 2


async def _is(staff: Staff, id: str, state: str) -> bool:
    return await staff.state(id) == state
