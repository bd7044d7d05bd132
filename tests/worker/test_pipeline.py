"""The stages of a submission, on real sandboxes."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from sandbox_service import languages, policy
from sandbox_service.contract import parse
from sandbox_service.contract.data import data_dir
from sandbox_service.contract.result import Result
from sandbox_service.contract.verdict import State, Verdict
from sandbox_service.executor import NamespaceExecutor
from sandbox_service.results import encode
from sandbox_service.worker.pipeline import Pipeline

pytestmark = pytest.mark.asyncio(loop_scope="module")
DOUBLE = "print(int(input()) * 2)\n"
CPP_DOUBLE = '#include <cstdio>\nint main() { int n; std::scanf("%d", &n); std::printf("%d\\n", 2 * n); }\n'


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pipeline() -> AsyncIterator[Pipeline]:
    executor = NamespaceExecutor()
    await executor.start()
    known = languages.load(data_dir("runner_images"))
    yield Pipeline(executor, policy.load(data_dir("policies")), known)
    await executor.stop()


async def evaluate(pipeline: Pipeline, **body: Any) -> Result:
    submission = parse.submission({"language": "python"} | body)
    return await pipeline.evaluate("sub_x", submission, attempts=1, queued_seconds=0.5)


def stdio(*cases: tuple[str, str], **more: Any) -> dict[str, Any]:
    return {"type": "stdio", "cases": [{"stdin": stdin, "expected": expected} for stdin, expected in cases]} | more


async def test_accepted(pipeline: Pipeline) -> None:
    result = await evaluate(pipeline, code=DOUBLE, task=stdio(("21\n", "42\n")), metadata={"step": 1}, domain="math")
    assert (result.state, result.verdict, result.reward) == (State.FINISHED, Verdict.ACCEPTED, 1.0)
    assert (result.passed, result.total, result.cases[0].stdout) == (1, 1, "42\n")
    assert (result.metadata, result.domain, result.attempts) == ({"step": 1}, "math", 1)
    assert result.policy
    assert result.policy.name == "default"
    assert result.isolation
    assert "user_ns" in result.isolation.enforced
    assert result.timing
    assert result.timing.total_seconds >= 0.5 + result.timing.run_seconds


async def test_the_verdict_is_that_of_the_first_case_that_fails(pipeline: Pipeline) -> None:
    code = "n = int(input())\nif n == 2: raise SystemExit(3)\nprint(n)"
    task = stdio(("1", "1"), ("2", "2"), ("3", "4"))
    result = await evaluate(pipeline, code=code, task=task)
    assert [item.verdict for item in result.cases] == ["accepted", "runtime_error", "wrong_answer"]
    assert (result.verdict, result.reward) == (Verdict.RUNTIME_ERROR, pytest.approx(1 / 3))


async def test_stop_on_first_failure(pipeline: Pipeline) -> None:
    task = stdio(("1", "2"), ("1", "3"), ("2", "4"))
    result = await evaluate(pipeline, code=DOUBLE, task=task, stop_on_first_failure=True)
    assert [item.verdict for item in result.cases] == ["accepted", "wrong_answer", "skipped"]
    assert (result.passed, result.total, result.reward) == (1, 3, pytest.approx(1 / 3))


async def test_weights(pipeline: Pipeline) -> None:
    cases = [{"stdin": "1", "expected": "2", "weight": 3}, {"stdin": "1", "expected": "0", "weight": 1, "group": "b"}]
    result = await evaluate(pipeline, code=DOUBLE, task={"type": "stdio", "cases": cases}, reward="weighted")
    assert result.reward == 0.75
    assert [(item.weight, item.group) for item in result.cases] == [(3.0, None), (1.0, "b")]


@pytest.mark.parametrize(("code", "verdict", "reward"), [("", "accepted", 1.0), ("exit(1)", "runtime_error", 0.0)])
async def test_run(pipeline: Pipeline, code: str, verdict: str, reward: float) -> None:
    result = await evaluate(pipeline, code=code)
    assert (result.verdict, result.reward, result.cases[0].id) == (verdict, reward, "0")


async def test_arguments_as_they_are(pipeline: Pipeline) -> None:
    args = ["two words", "$HOME;*", {"base64": base64.b64encode(b"\xff").decode()}, ""]
    code = "import os, sys\nprint([os.fsencode(arg) for arg in sys.argv[1:]])"
    result = await evaluate(pipeline, code=code, task={"type": "run", "args": args})
    assert result.cases[0].stdout == "[b'two words', b'$HOME;*', b'\\xff', b'']\n"


async def test_compiled_once_for_all_cases(pipeline: Pipeline) -> None:
    result = await evaluate(pipeline, language="cpp", code=CPP_DOUBLE, task=stdio(("1", "2"), ("4", "8")))
    assert result.verdict == Verdict.ACCEPTED
    assert result.compile
    assert result.compile.ok
    assert result.compile.cpu_seconds
    assert result.compile.cpu_seconds > max(item.cpu_seconds or 0 for item in result.cases)


async def test_a_compile_error_skips_every_case(pipeline: Pipeline) -> None:
    result = await evaluate(pipeline, language="c", code="int main( {", task=stdio(("", ""), ("", "")))
    assert (result.verdict, result.reward, result.total, result.passed) == (Verdict.COMPILE_ERROR, 0.0, 2, 0)
    assert [item.verdict for item in result.cases] == ["skipped", "skipped"]
    assert result.compile
    assert not result.compile.ok
    assert "error" in result.compile.stderr


async def test_a_compiler_over_its_limit_is_a_compile_error(pipeline: Pipeline) -> None:
    code = "#include <vector>\nstruct A { char c[1 << 28]; };\nint main() {}"
    limits = {"compile": {"memory_bytes": 16 << 20}}
    result = await evaluate(pipeline, language="cpp", code=code, limits=limits)
    assert result.verdict == Verdict.COMPILE_ERROR
    assert result.compile
    assert "memory" in (result.compile.message or "")


async def test_a_file_of_the_programs_own_name_is_not_run(pipeline: Pipeline) -> None:
    files = {
        "main.c": '#include <stdio.h>\nint main(void) { puts("compiled"); }',
        "program": "#!/bin/sh\necho planted\n",
    }
    result = await evaluate(pipeline, language="c", files=files, task=stdio(("", "compiled")))
    assert result.verdict == Verdict.ACCEPTED


async def test_no_code_in_the_text(pipeline: Pipeline) -> None:
    result = await evaluate(pipeline, code="I cannot help.", extract="fenced", task=stdio(("", "")))
    assert (result.verdict, result.reward) == (Verdict.COMPILE_ERROR, 0.0)
    assert result.compile
    assert result.compile.message == "no_code"


async def test_extracted_code(pipeline: Pipeline) -> None:
    code = f"Sure:\n```python\n{DOUBLE}```\n"
    assert (await evaluate(pipeline, code=code, extract="fenced", task=stdio(("2", "4")))).reward == 1.0


async def test_a_broken_task_is_nobodys_reward(pipeline: Pipeline) -> None:
    """Not even of a program that fails before its output would be compared."""
    task = stdio(("", "("), compare={"mode": "regex"})
    result = await evaluate(pipeline, code="raise SystemExit(1)", task=task)
    assert (result.state, result.verdict, result.reward) == (State.FAILED, None, None)
    assert result.infra_error
    assert (result.infra_error.kind, result.infra_error.retryable) == ("task_error", False)


async def test_a_language_of_another_worker_is_nobodys_reward(pipeline: Pipeline) -> None:
    result = await evaluate(pipeline, language="cobol", code="")
    assert (result.state, result.reward) == (State.FAILED, None)
    assert result.infra_error
    assert (result.infra_error.kind, result.infra_error.retryable) == ("not_on_this_worker", True)


async def test_artifacts(pipeline: Pipeline) -> None:
    code = "import os\nos.mkdir('out')\nopen('out/a.txt', 'w').write('abc')\nopen('b', 'w').write('no')"
    result = await evaluate(pipeline, code=code, artifacts=["out/*.txt"])
    assert {name: base64.b64decode(item.base64) for name, item in result.artifacts.items()} == {"out/a.txt": b"abc"}


async def test_many_large_outputs_do_not_fill_the_worker(pipeline: Pipeline) -> None:
    task = stdio(*[("", "") for _ in range(12)])
    result = await evaluate(pipeline, code="print('x' * 1000000)", task=task)
    assert sum(len(item.stdout) for item in result.cases) <= 8 << 20
    assert result.cases[-1].stdout_truncated
    assert not result.cases[0].stdout_truncated


@pytest.mark.parametrize("byte", ["\\0", "\\377"])
async def test_outputs_that_grow_when_they_are_written_down_have_to_fit(pipeline: Pipeline, byte: str) -> None:
    """A byte may take six in JSON: one output of four mebibytes has no room, but the small one beside it has."""
    code = f"head -c 4000000 /dev/zero | tr '\\\\0' '{byte}'; echo small >&2"
    result = await evaluate(pipeline, language="bash", code=code, limits={"output_bytes": 4 << 20})
    (case,) = result.cases
    assert (case.stdout, case.stdout_truncated, case.stderr, case.stderr_truncated) == ("", True, "small\n", False)
    assert len(encode(result)) < 10_000


async def test_a_compiler_that_talks_too_much(pipeline: Pipeline) -> None:
    code = "\n".join(f"int f{number}() {{ return x{number}; }}" for number in range(1000))
    result = await evaluate(pipeline, language="c", code=code)
    assert result.compile is not None
    assert result.verdict == "compile_error"
    assert 60_000 < len(result.compile.stderr) < 70_000
    assert "bytes more]" in result.compile.stderr


@pytest.mark.parametrize("language", ["c", "cpp"])
async def test_memory_that_is_written_and_never_read(pipeline: Pipeline, language: str) -> None:
    """It counts, whatever an optimizer could make of it."""
    code = "#include <stdlib.h>\n#include <string.h>\n"
    code += "int main() { void *p = malloc(96 << 20); if (p) memset(p, 1, 96 << 20); _Exit(0); }"
    result = await evaluate(pipeline, language=language, code=code, limits={"memory_bytes": 64 << 20})
    if result.isolation and "memory" not in result.isolation.degraded:
        assert result.verdict == "memory_limit_exceeded"


@pytest.mark.parametrize(
    ("change", "warm"),
    [({}, True), ({"preload": "none"}, True), ({"preload": "numpy"}, True), ({"warm": False}, False)],
)
async def test_a_policy_says_whether_python_is_warm(pipeline: Pipeline, change: dict[str, Any], warm: bool) -> None:
    pipeline._policies["default"] = pipeline._policies["default"].model_copy(update=change)
    result = await evaluate(pipeline, language="python", code="print(2)", task=stdio(("", "2\n")))
    assert result.isolation
    assert (result.verdict, result.isolation.warm) == ("accepted", warm)


@pytest.mark.parametrize(("code", "preload"), [("print(2)", "stdlib"), ("print(2)  # numpy", "numpy")])
async def test_numpy_is_read_ahead_for_those_who_name_it(pipeline: Pipeline, code: str, preload: str) -> None:
    await evaluate(pipeline, language="python", code=code, task=stdio(("", "2\n")))
    assert isinstance(pipeline._executor, NamespaceExecutor)
    assert preload in {economy.preload for economy, pool in pipeline._executor._idle.items() if pool}
