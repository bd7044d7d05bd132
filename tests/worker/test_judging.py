"""Functions, test texts and checkers on real sandboxes: who is judged, by what, and who is charged."""

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
from sandbox_service.worker.pipeline import Pipeline

pytestmark = pytest.mark.asyncio(loop_scope="module")
RIGHT = "def f(x):\n    return x * 2\n"
CALLS = [{"args": [1], "expected": 2}, {"args": [2], "expected": 4}, {"args": [3], "expected": 6}]
ASSERTS = "assert f(1) == 2\nassert f(2) == 4\nassert f(3) == 6\n"
CPP_ASSERTS = "#include <assert.h>\nint main() {\n  assert(f(1) == 2);\n  assert(f(2) == 4);\n}\n"


def policies() -> policy.Policies:
    """The default, with little time for those that judge, and one for each way to show evidence."""
    default = policy.load(data_dir("policies"))["default"]
    caps = default.caps.model_copy(update={"cpu_seconds": 3.0, "wall_seconds": 20.0})
    defaults = default.defaults.model_copy(update={"cpu_seconds": 2.0})
    quick = default.model_copy(update={"caps": caps, "defaults": defaults})
    shown = {
        name: quick.model_copy(update={"name": name, "reveal": name}) for name in ("nothing", "actual", "expected")
    }
    return {"default": quick} | shown


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pipeline() -> AsyncIterator[Pipeline]:
    executor = NamespaceExecutor()
    await executor.start()
    yield Pipeline(executor, policies(), languages.load(data_dir("runner_images")))
    await executor.stop()


async def evaluate(pipeline: Pipeline, code: str, task: dict[str, Any], **body: Any) -> Result:
    submission = parse.submission({"language": "python", "code": code, "task": task} | body)
    return await pipeline.evaluate("sub_x", submission, attempts=1, queued_seconds=0.0)


def function(**more: Any) -> dict[str, Any]:
    return {"type": "function", "entry_point": "f", "cases": CALLS} | more


def assertions(code: str = ASSERTS, **more: Any) -> dict[str, Any]:
    return {"type": "assertions", "code": code} | more


def checked(code: str, language: str = "python", expected: str = "4\n") -> dict[str, Any]:
    compare = {"mode": "checker", "language": language, "code": code}
    return {"type": "stdio", "cases": [{"stdin": "2\n", "expected": expected}], "compare": compare}


def verdicts(result: Result) -> list[str]:
    assert result.state is State.FINISHED, result
    return [str(case.verdict) for case in result.cases]


# ---- functions ----


async def test_functions(pipeline: Pipeline) -> None:
    assert (await evaluate(pipeline, RIGHT, function())).reward == 1.0
    wrong = await evaluate(pipeline, "def f(x):\n    return min(x * 2, 4)\n", function())
    assert verdicts(wrong) == ["accepted", "accepted", "wrong_answer"]
    assert wrong.cases[2].message == "the value differs from the expected one; got 4"
    assert wrong.reward == pytest.approx(2 / 3)


async def test_a_function_that_raises_is_shown_as_python_shows_it(pipeline: Pipeline) -> None:
    result = await evaluate(pipeline, "def f(x):\n    return [][x]\n", function())
    assert verdicts(result) == ["runtime_error"] * 3
    assert result.cases[0].exit_code == 1
    assert 'File "main.py", line 2, in f' in result.cases[0].stderr.replace("/work/", "")
    assert result.cases[0].stderr.endswith("IndexError: list index out of range\n")


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("import os; os._exit(0)", "wrong_answer"),
        ("raise SystemExit(0)", "wrong_answer"),
        ("raise SystemExit(3)", "runtime_error"),
        ("while True: pass", "time_limit_exceeded"),
        ("return bytearray(1 << 40)", "runtime_error"),
        ("return 'x' * (9 << 20)", "output_limit_exceeded"),
        ("return iter(int, 1)", "output_limit_exceeded"),
        ("import os\n    while True: os.write(4, bytes(1 << 16))", "output_limit_exceeded"),
        ("import os; os.write(4, b'2\\n' * 9); os._exit(0)", "wrong_answer"),
        ("import os; os.closerange(3, 64); return 2 * x", "runtime_error"),
    ],
)
async def test_functions_that_do_not_return(pipeline: Pipeline, body: str, verdict: str) -> None:
    result = await evaluate(pipeline, f"def f(x):\n    {body}\n", function(cases=[{"args": [3], "expected": 6}]))
    assert verdicts(result) == [verdict]
    assert result.reward == 0.0


async def test_each_call_has_a_process_of_its_own(pipeline: Pipeline) -> None:
    code = "calls = []\ndef f(x):\n    calls.append(x)\n    return len(calls) * 2\n"
    assert verdicts(await evaluate(pipeline, code, function())) == ["accepted", "wrong_answer", "wrong_answer"]


async def test_what_a_function_prints_is_its_output(pipeline: Pipeline) -> None:
    result = await evaluate(pipeline, "def f(x):\n    print('at', x)\n    return x * 2\n", function())
    assert [case.stdout for case in result.cases] == ["at 1\n", "at 2\n", "at 3\n"]
    assert result.reward == 1.0


async def test_skipping_after_the_first_failure(pipeline: Pipeline) -> None:
    for task in (function(), assertions()):
        result = await evaluate(pipeline, "def f(x):\n    return 4\n", task, stop_on_first_failure=True)
        assert verdicts(result) == ["wrong_answer", "skipped", "skipped"]
        assert (result.verdict, result.total) == ("wrong_answer", 3)


# ---- test texts ----


async def test_test_texts(pipeline: Pipeline) -> None:
    right = await evaluate(pipeline, RIGHT, assertions())
    assert (right.reward, right.total, verdicts(right)) == (1.0, 3, ["accepted"] * 3)
    wrong = await evaluate(pipeline, "def f(x):\n    return 4\n", assertions(), reward="fraction")
    assert verdicts(wrong) == ["wrong_answer", "accepted", "wrong_answer"]
    assert wrong.reward == pytest.approx(1 / 3)
    assert wrong.cases[0].cpu_seconds is not None
    assert wrong.cases[1].cpu_seconds is None  # all share the one run


@pytest.mark.parametrize(
    ("body", "verdict", "message"),
    [
        ("while True: pass", "time_limit_exceeded", "used more than 2 s of CPU time"),
        ("hoard = [bytes(1 << 20) for _ in range(1 << 20)]", "memory_limit_exceeded", "ran out of memory"),
        ("print('x' * (2 << 20)); input()", "output_limit_exceeded", "wrote more than"),
        ("import os; os.kill(os.getpid(), 11)", "runtime_error", "killed by signal 11 (SIGSEGV)"),
        ("import os; os._exit(0)", "runtime_error", "the program ended before its tests did"),
        ("import os; os._exit(3)", "runtime_error", "ended with exit code 3"),
        ("raise ValueError('no')", "runtime_error", "raised ValueError"),
    ],
)
async def test_why_the_program_was_gone(pipeline: Pipeline, body: str, verdict: str, message: str) -> None:
    """What passed before has passed; the rest has the verdict of what became of the run."""
    code = f"def f(x):\n    if x == 1:\n        return 2\n    {body}\n"
    result = await evaluate(pipeline, code, assertions())
    assert verdicts(result)[:2] == ["accepted", verdict]
    assert message in str(result.cases[1].message)
    assert Verdict.ACCEPTED not in [case.verdict for case in result.cases[1:]]
    assert result.reward == 0.0


@pytest.mark.parametrize("code", ["import sys; sys.exit(0)", "syntax error here", "raise KeyError"])
async def test_a_program_that_defines_nothing(pipeline: Pipeline, code: str) -> None:
    result = await evaluate(pipeline, code, assertions())
    assert verdicts(result) == ["runtime_error"] * 3


async def test_no_code(pipeline: Pipeline) -> None:
    result = await evaluate(pipeline, "no program", assertions(), extract="fenced")
    assert (result.verdict, result.reward, verdicts(result)) == ("compile_error", 0.0, ["skipped"])


@pytest.mark.parametrize(("reveal", "message"), [
    ("nothing", "the assertion does not hold"),
    ("actual", "the assertion does not hold; got 5"),
    ("expected", "the assertion does not hold; got 5; expected assert f(1) == 2"),
])  # fmt: skip
async def test_evidence_is_shown_as_the_policy_says(pipeline: Pipeline, reveal: str, message: str) -> None:
    result = await evaluate(pipeline, "def f(x):\n    return 5\n", assertions(), policy=reveal)
    assert result.cases[0].message == message


@pytest.mark.parametrize(
    "text", ["assert f(1) ==\n", "while True: pass\nassert f(1) == 2\n", "import os\nos._exit(0)\n"]
)
async def test_a_broken_test_text_is_nobodys_reward(pipeline: Pipeline, text: str) -> None:
    result = await evaluate(pipeline, RIGHT, assertions(text))
    assert (result.state, result.verdict, result.reward) == (State.FAILED, None, None)
    assert result.infra_error is not None
    assert (result.infra_error.kind, result.infra_error.retryable) == ("task_error", False)


async def test_who_makes_the_tests_come_to_no_end_is_charged(pipeline: Pipeline) -> None:
    text = "assert f(1) == 2\nvalue = f(2)\nwhile value == 7: pass\nassert f(3) == 6\n"
    assert (await evaluate(pipeline, RIGHT, assertions(text))).reward == 1.0
    result = await evaluate(pipeline, "def f(x):\n    return 2 if x == 1 else 7\n", assertions(text))
    assert verdicts(result) == ["accepted", "wrong_answer"]


async def test_a_program_that_does_not_leave_does_not_keep_the_others(pipeline: Pipeline) -> None:
    """Its tests are over, and it stays; its room is made anew."""
    code = "import threading\n" + RIGHT + "threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()\n"
    result = await evaluate(pipeline, code, assertions(), limits={"cpu_seconds": 3})
    assert result.reward == 1.0
    assert (await evaluate(pipeline, RIGHT, assertions())).reward == 1.0


# ---- one program ----


async def test_cpp_test_texts(pipeline: Pipeline) -> None:
    right = await evaluate(pipeline, "int f(int x) { return x * 2; }", assertions(CPP_ASSERTS), language="cpp")
    assert (right.reward, verdicts(right)) == (1.0, ["accepted"] * 2)
    wrong = await evaluate(pipeline, "int f(int x) { return 4; }", assertions(CPP_ASSERTS), language="cpp")
    assert verdicts(wrong) == ["wrong_answer", "accepted"]
    gone = "#include <cstdlib>\nint f(int x) { if (x == 2) std::exit(0); return x * 2; }"
    result = await evaluate(pipeline, gone, assertions(CPP_ASSERTS), language="cpp")
    assert verdicts(result) == ["accepted", "runtime_error"]
    broken = await evaluate(pipeline, "int f(int x) { return y; }", assertions(CPP_ASSERTS), language="cpp")
    assert (broken.verdict, verdicts(broken)) == ("compile_error", ["skipped"] * 2)
    assert broken.compile is not None
    assert "y" in broken.compile.stderr
    assert "assert" not in broken.compile.stderr


async def test_the_test_text_is_not_there_when_the_program_runs(pipeline: Pipeline) -> None:
    look = '#include <cstdlib>\nint f(int x) { std::system("ls -a > seen; ls / >> seen"); return x * 2; }'
    task = assertions(CPP_ASSERTS)
    result = await evaluate(pipeline, look, task, language="cpp", artifacts=["seen"])
    seen = base64.b64decode(result.artifacts["seen"].base64).decode().split()
    assert {"main.cpp", "program", "seen"} <= set(seen)
    assert not [name for name in seen if name.endswith((".c", ".h"))]


async def test_a_lie_in_a_header(pipeline: Pipeline) -> None:
    lie = "struct Yes { bool operator==(int) const { return true; } };"
    files = {"main.cpp": '#include "lie.h"\nYes f(int x) { return {}; }', "lie.h": lie}
    body = {"language": "cpp", "files": files, "task": assertions(CPP_ASSERTS)}
    result = await pipeline.evaluate("sub_x", parse.submission(body), attempts=1, queued_seconds=0.0)
    assert result.state is State.FINISHED
    assert (result.reward, result.passed) == (0.0, 0)


async def test_c_test_texts(pipeline: Pipeline) -> None:
    right = await evaluate(pipeline, "int f(int x) { return x * 2; }", assertions(CPP_ASSERTS), language="c")
    assert (right.reward, verdicts(right)) == (1.0, ["accepted"] * 2), right.compile
    wrong = await evaluate(pipeline, "int f(int x) { return 4; }", assertions(CPP_ASSERTS), language="c")
    assert verdicts(wrong) == ["wrong_answer", "accepted"]


async def test_cpp_with_files_and_flags(pipeline: Pipeline) -> None:
    files = {
        "main.cpp": '#include "two.h"\nint f(int x) { return two() * x; }',
        "two.h": "int two();",
        "two.cpp": "int two() { return 2; }",
    }
    body = {"language": "cpp", "files": files, "compile_flags": ["-O1", "-std=c++20"], "task": assertions(CPP_ASSERTS)}
    result = await pipeline.evaluate("sub_x", parse.submission(body), attempts=1, queued_seconds=0.0)
    assert (result.reward, result.verdict) == (1.0, "accepted"), result.compile


# ---- checkers ----

NEAR = "import sys\ngiven, right = (int(open(name).read()) for name in sys.argv[2:4])\n"


async def test_checkers(pipeline: Pipeline) -> None:
    task = checked(NEAR + "sys.exit(0 if abs(given - right) < 2 else 1)\n")
    assert (await evaluate(pipeline, "print(int(input()) + 3)", task)).reward == 1.0
    assert verdicts(await evaluate(pipeline, "print(9)", task)) == ["wrong_answer"]
    charged = await evaluate(pipeline, "print('four')", task)
    assert verdicts(charged) == ["wrong_answer"]
    assert charged.cases[0].message == "the checker could not read this output"


async def test_points(pipeline: Pipeline) -> None:
    task = checked(NEAR + "print('points', given / right)\nsys.exit(7)\n")
    result = await evaluate(pipeline, "print(1)", task)
    assert (result.cases[0].score, result.reward, result.verdict) == (0.25, 0.25, "wrong_answer")
    assert (await evaluate(pipeline, "print(1)", task, reward="binary")).reward == 0.0


async def test_a_checker_of_another_language_for_a_function(pipeline: Pipeline) -> None:
    code = "#include <fstream>\nint main(int, char **names) { int given, right; std::ifstream(names[2]) >> given;"
    code += "std::ifstream(names[3]) >> right; return given % 2 != right % 2; }"
    compare = {"mode": "checker", "language": "cpp", "code": code}
    assert (await evaluate(pipeline, "def f(x):\n    return 8\n", function(compare=compare))).reward == 1.0
    assert (await evaluate(pipeline, "def f(x):\n    return 7\n", function(compare=compare))).reward == 0.0


@pytest.mark.parametrize("code", ["raise ValueError", "import sys; sys.exit(3)", "not Python at all"])
async def test_a_broken_checker_is_nobodys_reward(pipeline: Pipeline, code: str) -> None:
    result = await evaluate(pipeline, "print(4)", checked(code))
    assert (result.state, result.reward) == (State.FAILED, None)
    assert result.infra_error is not None
    assert (result.infra_error.kind, result.infra_error.retryable) == ("task_error", False)
