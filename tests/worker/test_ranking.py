"""Of two programs the one that needs less is ranked first, whatever else the machine does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import pytest_asyncio

from sandbox_service import languages, policy
from sandbox_service.contract import parse
from sandbox_service.contract.data import data_dir
from sandbox_service.executor import NamespaceExecutor
from sandbox_service.worker.pipeline import Pipeline

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.full]
COMPARISONS, ENOUGH = 100, 95
RATIO = 1.3
CPU_SECONDS = 0.2
TASK = {"type": "stdio", "cases": [{"expected": "done"}]}
ALLOCATE = "x = b'x' * {0}\nprint('done')"
BURN = "for _ in range({0}): pass\nprint('done')"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pipeline() -> AsyncIterator[Pipeline]:
    executor = NamespaceExecutor()
    await executor.start()
    yield Pipeline(executor, policy.load(data_dir("policies")), languages.load(data_dir("runner_images")))
    await executor.stop()


@contextmanager
def burnt(cores: int) -> Iterator[None]:
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(cores)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


async def worth(pipeline: Pipeline, code: str, part: dict[str, Any]) -> tuple[float, float]:
    """Of a program its efficiency, and the CPU time of its first run."""
    body = {"language": "python", "code": code, "task": TASK, "reward": {"components": [part]}}
    result = await pipeline.evaluate("sub_x", parse.submission(body), attempts=1, queued_seconds=0.0)
    assert result.reward is not None, result.infra_error
    return result.reward, result.cases[0].cpu_seconds or 0.0


async def rounds(pipeline: Pipeline) -> int:
    """How often a loop has to go round to take `CPU_SECONDS` here: the least of five."""
    part = {"name": "efficiency", "baseline_cpu_seconds": 1.0, "best_of": 1}
    each = [(await worth(pipeline, BURN.format(2_000_000), part))[1] for _ in range(5)]
    return round(2_000_000 * CPU_SECONDS / min(each))


async def ranked(pipeline: Pipeline, code: str, less: int, more: int, part: dict[str, Any]) -> int:
    """How often of all comparisons the program that needs less is worth more."""
    right = 0
    for _ in range(COMPARISONS):
        better, _ = await worth(pipeline, code.format(less), part)
        worse, _ = await worth(pipeline, code.format(more), part)
        right += better > worse
    return right


@pytest.mark.parametrize("cores", [0, 2])
async def test_cpu_time(pipeline: Pipeline, cores: int) -> None:
    less = await rounds(pipeline)
    part = {"name": "efficiency", "baseline_cpu_seconds": 0.5}
    with burnt(cores):
        right = await ranked(pipeline, BURN, less, round(less * RATIO), part)
    print(f"CPU time, {cores} cores burnt: {right} of {COMPARISONS}")
    assert right >= ENOUGH


@pytest.mark.parametrize("cores", [0, 2])
async def test_cpu_time_beside_a_reference(pipeline: Pipeline, cores: int) -> None:
    less = await rounds(pipeline)
    part = {"name": "efficiency", "reference": {"code": BURN.format(less)}}
    with burnt(cores):
        right = await ranked(pipeline, BURN, less, round(less * RATIO), part)
    print(f"CPU time beside a reference, {cores} cores burnt: {right} of {COMPARISONS}")
    assert right >= ENOUGH


@pytest.mark.parametrize("cores", [0, 2])
async def test_memory(pipeline: Pipeline, cores: int) -> None:
    part = {"name": "efficiency", "measure": "memory_bytes", "baseline_memory_bytes": 40 << 20}
    with burnt(cores):
        right = await ranked(pipeline, ALLOCATE, 40 << 20, round(RATIO * (40 << 20)), part)
    print(f"memory, {cores} cores burnt: {right} of {COMPARISONS}")
    assert right >= ENOUGH
