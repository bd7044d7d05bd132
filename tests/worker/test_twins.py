"""Identical submissions: run once, each with a result of its own; and which are not identical."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from sandbox_service import policy
from sandbox_service.contract.data import data_dir
from sandbox_service.contract.parse import dumps
from sandbox_service.contract.result import CaseResult, CompileResult, Result
from sandbox_service.contract.run import Preload
from sandbox_service.executor import Executor, ExecutorError, Sandbox
from sandbox_service.queue import ResultCache
from sandbox_service.worker import loop
from sandbox_service.worker.twins import Twins, repeatable
from tests.queue.bench import entry, until
from tests.worker.staff import Staff

CHANCE = "cat /proc/sys/kernel/random/uuid"
"""Whoever prints the same has not run twice."""


async def test_the_second_gets_what_the_first_came_to_as_its_own(staff: Staff) -> None:
    async with staff.worker("w1"):
        first = await staff.result(await staff.submit(CHANCE, metadata={"step": 1}))
    id = await staff.submit(CHANCE, metadata={"step": 2}, domain="other", priority="low")
    async with staff.worker("w2"):
        second = await staff.result(id)
    assert (first["cached"], second["cached"]) == (False, True)
    assert second["cases"] == first["cases"]
    assert (second["id"], second["metadata"], second["domain"]) == (id, {"step": 2}, "other")
    assert (second["verdict"], second["reward"], second["attempts"]) == ("accepted", 1.0, 1)
    assert second["policy"] == first["policy"]
    assert second["timing"]["run_seconds"] == 0
    assert 0 < second["timing"]["total_seconds"] == second["timing"]["queued_seconds"]


async def test_who_must_not_share_runs(staff: Staff) -> None:
    async with staff.worker("w1"):
        ids = [await staff.submit(CHANCE, cache=cache) for cache in (False, True, False)]
        results = [await staff.result(id) for id in ids]
        theirs = await staff.result(await staff.submit(CHANCE, tenant="other"), "other")
    assert [result["cached"] for result in (*results, theirs)] == [False] * 4
    assert len({result["cases"][0]["stdout"] for result in (*results, theirs)}) == 4


async def test_a_time_limit_is_met_anew_each_time(staff: Staff) -> None:
    async with staff.worker("w1", slots=2):
        ids = [await staff.submit("while :; do :; done", limits={"cpu_seconds": 0.2}) for _ in range(3)]
        results = [await staff.result(id) for id in ids]
    assert [(result["verdict"], result["cached"]) for result in results] == [("time_limit_exceeded", False)] * 3


async def test_those_in_flight_run_once_and_keep_their_leases(staff: Staff) -> None:
    ids = [await staff.submit(f"sleep 2; {CHANCE}", metadata={"n": number}) for number in range(5)]
    async with staff.worker("w1", slots=2), staff.worker("w2", slots=1):  # w2 would take what seems lost
        results = [await staff.result(id) for id in ids]
    assert [(result["id"], result["metadata"]["n"], result["attempts"]) for result in results] == [
        (id, number, 1) for number, id in enumerate(ids)
    ]
    assert len({result["cases"][0]["stdout"] for result in results}) <= 2  # once a worker
    assert sum(result["cached"] for result in results) >= 3


async def test_who_waits_takes_no_slot_and_is_not_harmed_by_the_end_of_the_first(staff: Staff) -> None:
    ids = [await staff.submit("sleep 100") for _ in range(4)]
    async with staff.worker("w1", slots=2):
        await until(lambda: _all_run(staff, ids))
        assert (await staff.result(await staff.submit("echo other")))["verdict"] == "accepted"
        for id in ids:
            await until(lambda id=id: _is_running(staff, id))
            await staff.producer.cancel(id, b'{"state":"cancelled"}')
        assert [(await staff.result(id))["state"] for id in ids] == ["cancelled"] * 4
        assert (await staff.result(await staff.submit("echo more")))["verdict"] == "accepted"


class FirstFails:
    """An executor whose first sandbox cannot be made, once that is known to be waited for."""

    def __init__(self, executor: Executor) -> None:
        self._executor, self.told, self._opened = executor, asyncio.Event(), 0

    async def open(self, *, strict: bool = False, preload: Preload | None = None) -> Sandbox:
        self._opened += 1
        if self._opened > 1:
            return await self._executor.open(strict=strict, preload=preload)
        await self.told.wait()
        raise ExecutorError("sandbox_start", "broken by the test", retryable=False)


async def test_our_failure_is_not_shared(staff: Staff) -> None:
    ids = [await staff.submit("echo hello") for _ in range(3)]
    executor = FirstFails(staff.executor)
    async with staff.worker("w1", executor, slots=2):
        await until(lambda: _all_run(staff, ids))
        executor.told.set()
        results = [await staff.result(id) for id in ids]
    assert sorted(result["state"] for result in results) == ["failed", "finished", "finished"]
    assert [result["attempts"] for result in results] == [1, 1, 1]


async def test_a_worker_that_goes_leaves_those_who_wait_to_others(staff: Staff) -> None:
    ids = [await staff.submit(f"sleep 1; {CHANCE}") for _ in range(3)]
    with suppress(asyncio.CancelledError):
        async with staff.worker("w1", slots=2) as work:
            await until(lambda: _all_run(staff, ids))
            work.cancel()
    async with staff.worker("w2", left_to_others_seconds=0.0):
        results = [await staff.result(id) for id in ids]
    assert [result["verdict"] for result in results] == ["accepted"] * 3


LOOP: dict[str, Any] = {"code": "while :; do :; done", "limits": {"cpu_seconds": 1.0}}


async def test_those_who_waited_in_vain_have_no_right_of_way(staff: Staff) -> None:
    """A program can see to it that its result is none for others: a thousand of them must not go before everybody."""
    low = [await staff.submit(**LOOP, priority="low") for _ in range(8)]
    async with staff.worker("w1", slots=2):
        await until(lambda: _all_run(staff, low[:4]))
        high = await staff.submit("echo other", priority="high")
        assert (await staff.result(high))["verdict"] == "accepted"
        assert sum([await staff.state(id) == "finished" for id in low]) <= 3
        results = [await staff.result(id) for id in low]
    assert [(result["verdict"], result["attempts"]) for result in results] == [("time_limit_exceeded", 1)] * 8


async def test_a_batch_that_is_cancelled_takes_those_along_who_wait(staff: Staff) -> None:
    batch, ids = await staff.submit_batch(["sleep 3"] * 6)
    async with staff.worker("w1", slots=2):
        await until(lambda: _all_run(staff, ids))
        count = await staff.producer.cancel_batch(batch, lambda id, payload: b'{"state":"cancelled"}')
        results = [await staff.result(id) for id in ids]
    assert count == 5
    assert sorted(result["state"] for result in results) == ["cancelled"] * 5 + ["finished"]


async def test_beyond_a_number_each_runs_by_itself(staff: Staff, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "MOST_ASIDE", 2)
    ids = [await staff.submit("sleep 100") for _ in range(4)]
    async with staff.worker("w1", slots=3):
        await until(lambda: _all_run(staff, ids))
        other = await staff.submit("echo other")
        assert (await staff.result(other))["verdict"] == "accepted"
        for id in ids:
            await staff.producer.cancel(id, b'{"state":"cancelled"}')


async def test_what_was_not_evaluated_wears_no_worker_out(staff: Staff) -> None:
    async with staff.worker("w1", recycle_after=4) as work:
        for _ in range(12):
            assert (await staff.result(await staff.submit("echo the same")))["verdict"] == "accepted"
        assert not work.done()


async def _all_run(staff: Staff, ids: list[str]) -> bool:
    return all([await staff.state(id) == "running" for id in ids])


async def _is_running(staff: Staff, id: str) -> bool:
    return await staff.state(id) == "running"


# ---- what is identical ----


@pytest.fixture
def twins(staff: Staff) -> Twins:
    return _twins(staff, b"here")


def _twins(staff: Staff, place: bytes) -> Twins:
    return Twins(ResultCache(staff.redis, staff.settings), policy.load(data_dir("policies")), place)


CASES = [{"stdin": "1", "expected": "2"}]
BODY: dict[str, Any] = {
    "language": "cpp",
    "files": {"a.cpp": "x", "b.cpp": "y"},
    "task": {"type": "stdio", "cases": CASES},
}
OTHERS: dict[str, dict[str, Any]] = {
    "language": {"language": "c"},
    "content": {"files": {"a.cpp": "x", "b.cpp": "z"}},
    "names": {"files": {"a.cpp": "x", "c.cpp": "y"}},
    "order": {"files": {"b.cpp": "y", "a.cpp": "x"}},
    "bytes": {"files": {"a.cpp": "x", "b.cpp": {"base64": "eA=="}}},
    "entrypoint": {"entrypoint": "a.cpp"},
    "flags": {"compile_flags": ["-O0"]},
    "stdin": {"task": {"type": "stdio", "cases": [{"stdin": "2", "expected": "2"}]}},
    "expected": {"task": {"type": "stdio", "cases": [{"stdin": "1", "expected": "1"}]}},
    "compare": {"task": {"type": "stdio", "cases": CASES, "compare": {"mode": "exact"}}},
    "more cases": {"task": {"type": "stdio", "cases": CASES * 2}},
    "limits": {"limits": {"cpu_seconds": 1}},
    "compiler's limits": {"limits": {"compile": {"cpu_seconds": 1}}},
    "reward": {"reward": "binary"},
    "stopping": {"stop_on_first_failure": True},
    "policy": {"policy": "strict"},
    "artifacts": {"artifacts": ["*.txt"]},
    "extract": {"extract": "fenced"},
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_what_may_change_the_result_makes_another(twins: Twins, other: dict[str, Any]) -> None:
    digests = {_digest(twins, BODY), _digest(twins, BODY | other)}
    assert len(digests) == 2
    assert None not in digests


def test_another_tenant_or_place_is_another(twins: Twins, staff: Staff) -> None:
    digest = _digest(twins, BODY)
    assert twins.digest(entry(tenant="other", payload=dumps(BODY)), BODY) not in (digest, None)
    assert _digest(_twins(staff, b"there"), BODY) not in (digest, None)


@pytest.mark.parametrize(
    "same", [{"metadata": {"a": 1}}, {"domain": "other"}, {"priority": "high"}, {"cache": True}], ids=repr
)
def test_what_changes_no_result_makes_no_other(twins: Twins, same: dict[str, Any]) -> None:
    assert _digest(twins, BODY) == _digest(twins, BODY | same)


FAST = {"components": [{"name": "efficiency", "baseline_cpu_seconds": 1}]}
SCORED = {"components": [{"name": "custom", "language": "python", "code": ""}]}


@pytest.mark.parametrize(
    "alone",
    [{"cache": False}, {"reward": "of-the-policy"}, {"policy": "unknown"}, {"reward": FAST}, {"reward": SCORED}],
    ids=repr,
)
def test_these_are_never_shared(twins: Twins, alone: dict[str, Any]) -> None:
    assert _digest(twins, BODY | alone) is None


def test_a_policy_may_forbid_it(staff: Staff) -> None:
    policies = policy.load(data_dir("policies"))
    policies["default"] = policies["default"].model_copy(update={"cache": False})
    assert _digest(Twins(ResultCache(staff.redis, staff.settings), policies, b"here"), BODY) is None


def _digest(twins: Twins, body: dict[str, Any]) -> str | None:
    return twins.digest(entry(payload=dumps(body)), body)


# ---- what would come to the same ----

ACCEPTED = CaseResult(id="0", verdict="accepted")
FINISHED = Result(id="", state="finished", verdict="accepted", reward=1.0, cases=[ACCEPTED])


@pytest.mark.parametrize(
    "update",
    [
        {"state": "failed"},
        {"state": "cancelled"},
        {"rejudged": True},
        {"cases": [ACCEPTED, CaseResult(id="1", verdict="accepted", near_limit=True)]},
        {"cases": [CaseResult(id="0", verdict="time_limit_exceeded")]},
        {"compile": CompileResult(ok=False, message="used more than 30 s of CPU time")},
        {"compile": CompileResult(ok=False, exit_code=1, message="ran out of memory: the limit is 1 bytes")},
        {"compile": CompileResult(ok=False, message="killed by signal 9 (SIGKILL)")},
    ],
    ids=repr,
)
def test_what_may_come_to_something_else_is_not_kept(update: dict[str, Any]) -> None:
    assert not repeatable(FINISHED.model_copy(update=update))


@pytest.mark.parametrize(
    "compiled",
    [None, CompileResult(ok=True, exit_code=0), CompileResult(ok=False, exit_code=1, message="ended with exit code 1")],
    ids=repr,
)
def test_what_comes_to_the_same_is_kept(compiled: CompileResult | None) -> None:
    assert repeatable(FINISHED.model_copy(update={"compile": compiled}))
