"""Tasks that are not worth training on, and results that no longer hold: planted, and found on real sandboxes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from sandbox_service import languages, policy
from sandbox_service.contract import parse
from sandbox_service.contract.data import data_dir
from sandbox_service.contract.replay import compare
from sandbox_service.contract.result import InfraError, Result
from sandbox_service.contract.validation import Validation, ValidationRequest, expand, judge
from sandbox_service.executor import NamespaceExecutor
from sandbox_service.worker.pipeline import Pipeline

pytestmark = pytest.mark.asyncio(loop_scope="module")
DOUBLE, TRIPLE = "print(2 * int(input()))", "print(3 * int(input()))"
TASK = {"type": "stdio", "cases": [{"stdin": "1", "expected": "2"}, {"stdin": "4", "expected": "8"}]}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def executor() -> AsyncIterator[NamespaceExecutor]:
    executor = NamespaceExecutor()
    await executor.start()
    yield executor
    await executor.stop()


def pipeline(executor: NamespaceExecutor, **versions: str) -> Pipeline:
    known = languages.load(data_dir("runner_images"))
    return Pipeline(executor, policy.load(data_dir("policies")), known, versions=versions)


async def evaluate(place: Pipeline, body: dict[str, Any]) -> Result:
    return await place.evaluate("sub_x", parse.submission(body), attempts=1, queued_seconds=0.0)


async def validate(executor: NamespaceExecutor, task: dict[str, Any], reference: str, *wrong: str) -> Validation:
    submission = {"language": "python", "task": task}
    request = ValidationRequest.model_validate(
        {"id": "t", "submission": submission, "reference": reference, "wrong": list(wrong), "repeats": 3}
    )
    programs = expand(request)
    results = [await evaluate(pipeline(executor), body) for _, body in programs]
    return judge(request, [role for role, _ in programs], results)


def kinds(found: Validation) -> list[tuple[str, int | None]]:
    assert found.valid == (not found.faults)
    return [(fault.kind, fault.program) for fault in found.faults]


async def test_a_task_that_is_sound(executor: NamespaceExecutor) -> None:
    found = await validate(executor, TASK, DOUBLE, TRIPLE, "print(1)")
    assert (kinds(found), found.runs) == ([], 12)


async def test_a_reference_that_fails(executor: NamespaceExecutor) -> None:
    assert kinds(await validate(executor, TASK, TRIPLE)) == [("reference_fails", None)]


async def test_a_wrong_program_that_passes(executor: NamespaceExecutor) -> None:
    weak = {"type": "stdio", "cases": [{"stdin": "0", "expected": "0"}]}
    assert kinds(await validate(executor, weak, DOUBLE, "print(1)", TRIPLE)) == [("wrong_passes", 1)]


async def test_an_empty_program_that_passes(executor: NamespaceExecutor) -> None:
    assert kinds(await validate(executor, {"type": "run"}, "print(1)")) == [("empty_passes", None)]


async def test_a_flaky_task(executor: NamespaceExecutor) -> None:
    """It expects what only half of all runs print: of twelve cases, each three times, hardly all are the same."""
    cases = [{"expected": "1"} for _ in range(12)]
    found = await validate(executor, {"type": "stdio", "cases": cases}, "import random; print(random.randrange(2))")
    assert ("flaky", None) in kinds(found)


async def test_what_we_failed_is_not_held_against_a_task(executor: NamespaceExecutor) -> None:
    request = ValidationRequest.model_validate({"submission": {}, "reference": DOUBLE, "repeats": 1})
    lost = Result(id="", state="failed", infra_error=InfraError(kind="x", message="lost", retryable=True))
    found = judge(request, [role for role, _ in expand(request)], [lost, lost])
    assert kinds(found) == [("not_judged", None), ("not_judged", None)]


async def test_an_answer_has_its_response_for_a_program(executor: NamespaceExecutor) -> None:
    task = {"type": "answer", "expected": 42, "mode": "numeric"}
    request = ValidationRequest.model_validate(
        {"submission": {"task": task}, "reference": "it is 42", "wrong": ["43"], "repeats": 1}
    )
    programs = expand(request)
    results = [await evaluate(pipeline(executor), body) for _, body in programs]
    assert judge(request, [role for role, _ in programs], results).valid


# ---- replay ----

BODY = {"language": "python", "code": DOUBLE, "task": TASK}


async def test_the_same_again(executor: NamespaceExecutor) -> None:
    before, after = [await evaluate(pipeline(executor, python="3.11.2"), BODY) for _ in range(2)]
    found = compare(before, after)
    assert (found.outcome, found.changes) == ("same", [])
    assert found.figures["cpu_seconds"]
    assert before.toolchain == "python 3.11.2"


async def test_a_changed_toolchain_is_told_from_a_changed_verdict(executor: NamespaceExecutor) -> None:
    before = await evaluate(pipeline(executor, python="3.11.2"), BODY)
    newer = await evaluate(pipeline(executor, python="3.13.0"), BODY)
    other = await evaluate(pipeline(executor, python="3.11.2"), BODY | {"code": "print(2)"})
    both = await evaluate(pipeline(executor, python="3.13.0"), BODY | {"code": "print(2)"})
    assert [compare(before, after).outcome for after in (newer, other, both)] == [
        "toolchain_changed",
        "verdict_changed",
        "both_changed",
    ]
    assert [change.what for change in compare(before, newer).changes] == ["toolchain"]
    assert {"verdict", "reward", "case 1"} <= {change.what for change in compare(before, other).changes}


async def test_another_image_is_another_toolchain(executor: NamespaceExecutor) -> None:
    before = await evaluate(pipeline(executor), BODY)
    assert before.isolation
    isolation = before.isolation.model_copy(update={"image": "another"})
    found = compare(before, before.model_copy(update={"isolation": isolation}))
    assert (found.outcome, [change.what for change in found.changes]) == ("toolchain_changed", ["image"])


async def test_what_we_failed_is_not_compared(executor: NamespaceExecutor) -> None:
    before = await evaluate(pipeline(executor), BODY)
    lost = Result(id="", state="failed", infra_error=InfraError(kind="x", message="lost", retryable=True))
    assert compare(before, lost).outcome == "not_judged"
