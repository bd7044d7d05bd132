"""Time limits that were met while the machine was short of CPU time are looked at again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandbox_service import languages, policy
from sandbox_service.contract import parse
from sandbox_service.contract.data import data_dir
from sandbox_service.contract.limits import Limits
from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.result import Isolation, Result
from sandbox_service.contract.run import Preload, RunRequest
from sandbox_service.executor import Executor, NamespaceExecutor, Sandbox
from sandbox_service.worker.pipeline import Pipeline
from sandbox_service.worker.rejudging import Gate, Machine, Rejudging
from tests.queue.bench import PATIENCE_SECONDS

pytestmark = pytest.mark.asyncio(loop_scope="module")
LIMITS, _ = policy.load(data_dir("policies"))["default"].resolve(Limits(cpu_seconds=1.0, wall_seconds=5.0))
KEPT_FROM_IT = Outcome(None, 9, 1.01, 3.0, killed_by="cpu")
WAITED = Outcome(None, 9, 0.6, 5.0, killed_by="wall")
STEADY = Outcome(None, 9, 1.01, 1.05, killed_by="cpu")
JUST_OVER, FAR_OVER = Outcome(0, None, 1.09, 1.09), Outcome(0, None, 1.2, 1.2)
FINE = Outcome(0, None, 0.5, 0.5)


class Told(Machine):
    """A machine of which is told what its kernel says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "pressure").mkdir()
        self.says(0.0, 0.0)
        super().__init__(folder)

    def says(self, stalled: float | None, stolen: float) -> None:
        """The seconds that the kernel has counted so far."""
        pressure = self.folder / "pressure/cpu"
        if stalled is None:
            pressure.unlink(missing_ok=True)
        else:
            averages = "avg10=0.00 avg60=0.00 avg300=0.00"
            pressure.write_text(f"some {averages} total={int(stalled * 1e6)}\nfull {averages} total=0\n")
        (self.folder / "stat").write_text(f"cpu  1 0 1 1 0 0 0 {int(stolen * 100)} 0 0\ncpu0 1 0 1 1 0 0 0 0 0 0\n")


@pytest.fixture
def told(tmp_path: Path) -> Told:
    return Told(tmp_path)


def short(told: Told) -> None:
    told.says(1000.0, 0.0)


def robbed(told: Told) -> None:
    told.says(0.0, 1000.0)


def unknown(told: Told) -> None:
    told.says(None, 0.0)


def idle(_: Told) -> None:
    pass


async def judged(told: Told, first: Outcome, meanwhile: Callable[[Told], None]) -> bool:
    """Whether a run that came to `first` is made again."""
    outcomes = [first, FINE]

    async def once() -> tuple[Outcome, bytes]:
        meanwhile(told)
        return outcomes.pop(0), b""

    outcome, _, again = await Rejudging(told).run(once, LIMITS)
    assert outcome is (FINE if again else first)
    return again


@pytest.mark.parametrize("meanwhile", [short, robbed, unknown])
@pytest.mark.parametrize("first", [KEPT_FROM_IT, WAITED, JUST_OVER], ids=["kept from it", "waited", "just over"])
async def test_who_may_have_been_kept_from_the_cpu_runs_again(
    told: Told, first: Outcome, meanwhile: Callable[[Told], None]
) -> None:
    assert await judged(told, first, meanwhile)


async def test_on_an_idle_machine_only_who_was_just_over(told: Told) -> None:
    assert await judged(told, JUST_OVER, idle)
    for first in (KEPT_FROM_IT, WAITED):
        assert not await judged(told, first, idle)


FINAL = {
    "steady": STEADY,
    "far over": FAR_OVER,
    "fine": FINE,
    "failed": replace(FINE, exit_code=1),
    "memory": replace(KEPT_FROM_IT, out_of_memory=True),
    "output": replace(KEPT_FROM_IT, killed_by="output"),
    "asleep": replace(WAITED, cpu_seconds=0.09),
    "too much output": replace(WAITED, stdout_truncated=True),
    "violation": replace(WAITED, security_violation=True),
}


@pytest.mark.parametrize("first", FINAL.values(), ids=FINAL)
async def test_what_the_machine_had_no_part_in_is_final(told: Told, first: Outcome) -> None:
    assert not await judged(told, first, short)


async def test_no_more_than_a_share_of_the_time_is_spent_alone(told: Told) -> None:
    rejudging = Rejudging(told)

    async def once() -> tuple[Outcome, bytes]:
        short(told)
        return replace(WAITED, wall_seconds=60.0), b""

    assert not (await rejudging.run(once, LIMITS))[2]
    assert (await rejudging.run(lambda: _after(once, WAITED), LIMITS))[2]
    rejudging._spent = 60.0  # as if that had taken a minute
    assert not (await rejudging.run(lambda: _after(once, WAITED), LIMITS))[2]


async def _after(once: Any, outcome: Outcome) -> tuple[Outcome, bytes]:
    await once()
    return outcome, b""


async def test_this_machine_can_be_looked_at() -> None:
    machine = Machine()
    assert machine.look() is machine.look()
    assert machine.short_since(machine.look()) in (True, False)


# ---- the gate ----


async def test_alone_is_alone() -> None:
    gate, inside, seen = Gate(), [], []

    async def go(name: str, kind: Any) -> None:
        async with kind():
            inside.append(name)
            for _ in range(3):
                await asyncio.sleep(0)
                seen.append(tuple(inside))
            inside.remove(name)

    kinds = [gate.alone if number % 3 == 0 else gate.together for number in range(12)]
    names = [f"{'alone' if kind == gate.alone else 'together'} {number}" for number, kind in enumerate(kinds)]
    async with asyncio.timeout(PATIENCE_SECONDS):
        await asyncio.gather(*map(go, names, kinds))
    assert all(len(them) == 1 for them in seen if any(name.startswith("alone") for name in them))
    assert any(len(them) > 1 for them in seen)
    assert {name for them in seen for name in them} == set(names)


async def test_who_gives_up_waiting_holds_nobody_up() -> None:
    gate = Gate()
    async with gate.together():
        waiting = asyncio.create_task(_enter(gate.alone))
        behind = asyncio.create_task(_enter(gate.together))
        await asyncio.sleep(0)
        assert not behind.done()
        waiting.cancel()
        await asyncio.wait_for(behind, PATIENCE_SECONDS)
    await asyncio.wait_for(_enter(gate.alone), PATIENCE_SECONDS)


async def _enter(kind: Any) -> None:
    async with kind():
        pass


# ---- all of it ----


class Second:
    """A sandbox whose second run is given another stdin: a program that would be done the second time."""

    def __init__(self, sandbox: Sandbox, runs: list[bytes], then: Callable[[], None]) -> None:
        self._sandbox, self._runs, self._then = sandbox, runs, then

    @property
    def isolation(self) -> Isolation:
        return self._sandbox.isolation

    async def run(self, request: RunRequest) -> Outcome:
        self._runs.append(request.stdin)
        outcome = await self._sandbox.run(replace(request, stdin=b"0") if len(self._runs) == 2 else request)
        self._then()
        return outcome

    async def close(self, *, reuse: bool = True) -> None:
        await self._sandbox.close(reuse=reuse)


class Seconds:
    """An executor of such sandboxes."""

    def __init__(self, executor: Executor, then: Callable[[], None]) -> None:
        self._executor, self._then = executor, then
        self.runs: list[bytes] = []

    async def open(self, *, strict: bool = False, preload: Preload | None = None) -> Sandbox:
        return Second(await self._executor.open(strict=strict, preload=preload), self.runs, self._then)


async def evaluate(executor: Executor, machine: Machine) -> Result:
    pipeline = Pipeline(
        executor,
        policy.load(data_dir("policies")),
        languages.load(data_dir("runner_images")),
        rejudging=Rejudging(machine),
    )
    body = {
        "language": "bash",
        "code": "read seconds; for i in {1..30000}; do :; done; sleep $seconds; echo done",
        "limits": {"wall_seconds": 1},
        "task": {"type": "stdio", "cases": [{"stdin": "100", "expected": "done"}]},
    }
    return await pipeline.evaluate("sub_x", parse.submission(body), attempts=1, queued_seconds=0.0)


async def test_the_second_run_counts_and_the_result_says_so(executor: NamespaceExecutor, told: Told) -> None:
    seconds = Seconds(executor, lambda: short(told))
    result = await evaluate(seconds, told)
    assert (result.verdict, result.reward, result.rejudged) == ("accepted", 1.0, True)
    assert seconds.runs == [b"100"] * 2


async def test_else_there_is_one(executor: NamespaceExecutor, told: Told) -> None:
    seconds = Seconds(executor, lambda: idle(told))
    result = await evaluate(seconds, told)
    assert (result.verdict, result.rejudged) == ("time_limit_exceeded", False)
    assert len(seconds.runs) == 1
