"""Rewards on real sandboxes: what is measured, analysed and scored, and who is charged."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from sandbox_service import languages, policy
from sandbox_service.contract import parse
from sandbox_service.contract.data import data_dir
from sandbox_service.contract.result import Component, Result
from sandbox_service.executor import NamespaceExecutor
from sandbox_service.worker.pipeline import Pipeline
from sandbox_service.worker.tools import Tools

pytestmark = pytest.mark.asyncio(loop_scope="module")
DOUBLE = '"""Doubles."""\n\n\ndef double(n: int) -> int:\n    return 2 * n\n\n\nprint(double(int(input())))\n'
ENDLESS = "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass"
TASK = {"type": "stdio", "cases": [{"stdin": "1", "expected": "2", "group": "a"}, {"stdin": "3", "expected": "6"}]}


@pytest.fixture(scope="module")
def shared() -> Iterator[Path]:
    # Users of sandboxes cannot reach what pytest's own folders hold.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pipeline(shared: Path) -> AsyncIterator[Pipeline]:
    async with _pipeline(shared) as made:
        yield made


class _pipeline:  # noqa: N801
    def __init__(self, shared: Path | None) -> None:
        self._executor, self._shared = NamespaceExecutor(shared=shared), shared

    async def __aenter__(self) -> Pipeline:
        await self._executor.start()
        policies, known = policy.load(data_dir("policies")), languages.load(data_dir("runner_images"))
        return Pipeline(self._executor, policies, known, tools=Tools(self._shared))

    async def __aexit__(self, *exc: object) -> None:
        await self._executor.stop()


async def evaluate(pipeline: Pipeline, *parts: dict[str, Any], **body: Any) -> Result:
    whole: dict[str, Any] = {"language": "python", "code": DOUBLE, "task": TASK, "reward": {"components": list(parts)}}
    submission = parse.submission({name: value for name, value in (whole | body).items() if value is not None})
    return await pipeline.evaluate("sub_x", submission, attempts=1, queued_seconds=0.0)


def named(result: Result) -> dict[str, Component]:
    assert result.infra_error is None, result.infra_error
    return {component.name: component for component in result.components}


def scorer(code: str) -> dict[str, Any]:
    return {"name": "custom", "language": "python", "code": f"import json, sys\nr = json.load(sys.stdin)\n{code}"}


async def test_an_efficiency_beside_a_reference(pipeline: Pipeline) -> None:
    slow = "x = sum(range(10_000_000))\nprint(2 * int(input()))"
    part = {"name": "efficiency", "reference": {"code": slow}, "best_of": 2}
    found = named(await evaluate(pipeline, part))["efficiency"]
    assert found.value > 0.7
    assert "the least of 2 runs" in (found.detail or "")
    assert named(await evaluate(pipeline, part, code=slow))["efficiency"].value == pytest.approx(0.5, abs=0.15)


async def test_a_wrong_program_is_not_efficient(pipeline: Pipeline) -> None:
    part = {"name": "efficiency", "baseline_cpu_seconds": 1}
    found = named(await evaluate(pipeline, part, code="print(1)"))["efficiency"]
    assert (found.value, found.detail) == (0.0, "not every case was accepted each time")


@pytest.mark.parametrize("reference", ["print(0)", "1/0"])
async def test_a_reference_that_fails_is_nobodys_reward(pipeline: Pipeline, reference: str) -> None:
    result = await evaluate(pipeline, {"name": "efficiency", "reference": {"code": reference}})
    assert (result.state, result.reward) == ("failed", None)
    assert result.infra_error
    assert (result.infra_error.kind, result.infra_error.retryable) == ("task_error", False)


async def test_compliance(pipeline: Pipeline) -> None:
    code = '''import os  # noqa


def f(a, b: int):
    """Doc."""
    try:
        return a
    except Exception:
        pass


def _g() -> None:
    try:
        print(1)
    except ValueError as error:
        raise KeyError from error


class C:
    def h(self, x: int) -> int:
        return x if x else 1 if x > 2 else 3


print(2 * int(input()))
'''
    checks = ["rules", "type_hints", "docstrings", "exceptions", "logging", "complexity"]
    part = {"name": "compliance", "checks": checks, "select": ["F"], "max_complexity": 2}
    found = named(await evaluate(pipeline, part, code=code))["compliance"]
    # Of 17 lines one has a finding, whatever its comment says; of f a and what it returns lack hints, _g and h lack
    # none; of the module, f, C and C.h one has a docstring; f's handler is too broad; two prints; h has three ways.
    lines = sum(1 for line in code.splitlines() if line.strip())
    assert found.detail == (
        f"rules {lines - 1}/{lines}, type_hints 4/6, docstrings 1/4, exceptions 1/2, logging 0/2, complexity 2/3"
    )
    assert found.value == pytest.approx(((lines - 1) / lines + 4 / 6 + 1 / 4 + 1 / 2 + 0 + 2 / 3) / 6)


@pytest.mark.parametrize("code", ["def f(:", "x = " + "(" * 5000 + ")" * 5000, "x = " + "-" * 200_000 + "1", "\0"])
async def test_a_text_that_cannot_be_analysed_is_not_compliant(pipeline: Pipeline, code: str) -> None:
    part = {"name": "compliance", "checks": ["docstrings"]}
    assert named(await evaluate(pipeline, part, code=code))["compliance"].value == 0.0


async def test_without_ruff_there_is_no_reward() -> None:
    async with _pipeline(None) as bare:
        result = await evaluate(bare, {"name": "compliance"})
    assert result.reward is None
    assert result.infra_error
    assert (result.infra_error.kind, result.infra_error.retryable) == ("not_on_this_worker", True)
    assert "sandbox-service[tools]" in result.infra_error.message


async def test_impact(pipeline: Pipeline) -> None:
    base = {
        "a.py": "def f(x):\n    return x\n",
        "b.py": "from a import f\n\n\ndef g():\n    return f(1)\n",
        "main.py": "import a\n\nprint(2 * a.f(int(input())))\n",
    }
    after = base | {
        "a.py": "def f(x, y):\n    return x\n",
        "main.py": "import a\n\nprint(2 * a.f(int(input()), 0))\n",
    }
    cases = [{"stdin": "1", "expected": "2", "group": "main.py"}, {"stdin": "1", "expected": "1", "group": "c.py"}]
    result = await evaluate(
        pipeline,
        {"name": "impact", "base": base},
        code=None,
        files=after,
        entrypoint="main.py",
        task={"type": "stdio", "cases": cases},
    )
    found = named(result)["impact"]
    assert (found.value, found.detail) == (0.75, "tests 1/1, adapted 1/2, not: b.py::g")


async def test_a_scoring_program(pipeline: Pipeline) -> None:
    code = "print(r['passed'] / r['total'] / 2 if 'double' in r['text'] and r['metadata'] == {'k': 1} else 0)"
    result = await evaluate(pipeline, scorer(code), metadata={"k": 1})
    assert (result.verdict, result.reward) == ("accepted", 0.5)


@pytest.mark.parametrize(
    ("said", "value"), [("print(7)", 1.0), ("print(-1)", 0.0), ("print('why'); print(0.25)", 0.25)]
)
async def test_what_a_scoring_program_says_is_cut(pipeline: Pipeline, said: str, value: float) -> None:
    assert named(await evaluate(pipeline, scorer(said)))["custom"].value == value


async def test_who_breaks_the_scoring_program_is_charged(pipeline: Pipeline) -> None:
    code = "print(float(r['cases'][0]['stdout'] or 1))"
    found = named(await evaluate(pipeline, scorer(code), code="print('x')"))["custom"]
    assert (found.value, found.detail) == (0.0, "the scoring program could not read this result")


@pytest.mark.parametrize("code", ["1 / 0", "print('much')", "print('nan')", ENDLESS])
async def test_a_broken_scoring_program_is_nobodys_reward(pipeline: Pipeline, code: str) -> None:
    result = await evaluate(pipeline, scorer(code))
    assert result.reward is None
    assert result.infra_error
    assert (result.infra_error.kind, result.infra_error.retryable) == ("task_error", False)


async def test_steps(pipeline: Pipeline) -> None:
    steps = [{"code": "print(2)"}, {"files": {"main.py": DOUBLE}}, {"code": "def f(:"}]
    part = {"name": "steps", "rule": "discounted", "discount": 0.5}
    result = await evaluate(pipeline, part, steps=steps)
    assert [(step.verdict, step.reward, step.passed) for step in result.steps] == [
        ("wrong_answer", 0.5, 1),
        ("accepted", 1.0, 2),
        ("runtime_error", 0.0, 0),
    ]
    assert result.reward == pytest.approx((0.5 * 0.25 + 1 * 0.5 + 0) / 1.75)
    assert (result.verdict, result.passed) == ("accepted", 2)


async def test_a_compile_error_is_worth_what_does_not_need_a_program(pipeline: Pipeline) -> None:
    parts = [{"name": "compile"}, {"name": "tests"}, {"name": "efficiency", "baseline_cpu_seconds": 1}]
    result = await evaluate(pipeline, *parts, {"name": "length", "target": 50, "limit": 51}, language="c", code="int(")
    assert {name: each.value for name, each in named(result).items()} == {
        "compile": 0.0,
        "tests": 0.0,
        "efficiency": 0.0,
        "length": 1.0,
    }
    assert result.reward == 1.0


async def test_an_answer(pipeline: Pipeline) -> None:
    task = {"type": "answer", "response": "<answer>42</answer>", "expected": 42, "mode": "numeric", "extract": "tagged"}
    parts = [{"name": "tests", "weight": 0.9}, {"name": "format", "tags": ["think"], "weight": 0.1}]
    result = await evaluate(pipeline, *parts, language=None, code=None, task=task)
    assert (result.verdict, result.reward, result.passed, result.total) == ("accepted", 0.9, 1, 1)
    assert result.cases[0].cpu_seconds is None


async def test_a_formula_needs_its_tool() -> None:
    task = {"type": "answer", "response": "x + y", "expected": "y + x", "mode": "math"}
    async with _pipeline(None) as bare:
        result = await evaluate(bare, language=None, code=None, task=task, reward="binary")
        same = await evaluate(bare, language=None, code=None, task=task | {"response": "$y+x$"}, reward="binary")
    assert result.infra_error
    assert result.infra_error.kind == "not_on_this_worker"
    assert same.reward == 1.0


FORMULAS = [
    (r"\boxed{\frac{1}{2}}", "0.5", 1.0),
    (r"\boxed{y + x}", "x+y", 1.0),
    (r"\boxed{2\sqrt{2}}", r"\sqrt{8}", 1.0),
    (r"\boxed{(x+1)^2}", "x^2+2x+1", 1.0),
    (r"\boxed{\{1, 2\}}", r"\{2, 1\}", 1.0),
    (r"\boxed{x}", "y", 0.0),
    (r"\boxed{0.3333}", r"\frac{1}{3}", 0.0),
    (r"\boxed{9^{9^{9^{9}}}}", "1", 0.0),
    (r"\boxed{__import__('os').system('echo same')}", "1", 0.0),
    (r"\boxed{" + "(" * 900 + "1" + ")" * 900 + "}", "2", 0.0),
    ("1/2", "0.5", 0.0),
]


@pytest.mark.full
@pytest.mark.parametrize(("response", "expected", "reward"), FORMULAS)
async def test_formulas(pipeline: Pipeline, response: str, expected: str, reward: float) -> None:
    task = {"type": "answer", "response": response, "expected": expected, "mode": "math", "extract": "boxed"}
    result = await evaluate(pipeline, language=None, code=None, task=task, reward="binary")
    assert (result.infra_error, result.reward) == (None, reward)


async def test_a_reward_of_the_policy_and_of_a_domain(tmp_path: Path) -> None:
    text = (data_dir("policies") / "default.yaml").read_text()
    short = "{components: [{name: tests}, {name: length, target: 1, limit: 2, weight: 0.5}], require: [tests]}"
    (tmp_path / "default.yaml").write_text(f"{text}\nrewards: {{short: {short}}}\ndomains: {{poems: short}}\n")
    default = policy.load(tmp_path)["default"]
    assert default.reward(None, "poems") == default.rewards["short"] == default.reward("short", "code")
    assert default.reward("binary", "poems") == "binary"
    assert default.reward(None, "code") is None
