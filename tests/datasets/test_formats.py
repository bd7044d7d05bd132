"""Each dataset's published format, with rows of our own: right programs all pass, wrong ones never."""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from sandbox_service import languages, policy
from sandbox_service.contract import parse
from sandbox_service.contract.data import data_dir
from sandbox_service.datasets import DATASETS, FormatError, Problem, pass_at_k, problems, samples
from sandbox_service.executor import NamespaceExecutor
from sandbox_service.worker.pipeline import Pipeline

PROMPT = 'def double(n: int) -> int:\n    """Twice n."""\n'
CHECK = "def check(candidate):\n    assert candidate(1) == 2\n    assert candidate(4) == 8\n"
STDIN, WRONG = "print(2 * int(input()))", "print(3 * int(input()))"
CASES = [{"input": "1\n", "output": "2\n", "testtype": "stdin"}, {"input": "4\n", "output": "8\n", "testtype": "stdin"}]
PACKED = base64.b64encode(zlib.compress(pickle.dumps(json.dumps(CASES)))).decode()
HUMANEVAL = {
    "task_id": "HumanEval/0",
    "prompt": PROMPT,
    "canonical_solution": "    return 2 * n\n",
    "test": CHECK,
    "entry_point": "double",
}
ROWS: dict[str, list[dict[str, Any]]] = {
    "humaneval": [HUMANEVAL],
    "mbpp": [
        {"task_id": 1, "text": "", "code": "def d(n): return 2 * n", "test_list": ["assert d(1) == 2"],
         "test_setup_code": ""},
        {"task_id": 2, "prompt": "", "code": "def d(n): return 2 * n", "test_list": ["assert d(math.floor(1.5)) == 2"],
         "test_imports": ["import math"]},
    ],
    "evalplus": [HUMANEVAL, {"task_id": 3, "code": "def d(n): return 2 * n", "test": "assert d(2) == 4", "prompt": ""}],
    "apps": [
        {"problem_id": 1, "question": "", "solutions": json.dumps([STDIN]),
         "input_output": json.dumps({"inputs": ["1\n", ["4"]], "outputs": ["2\n", ["8"]]})},
        {"id": 2, "solutions": json.dumps(["class Solution:\n    def double(self, n): return 2 * n"]),
         "starter_code": "class Solution:\n", "input_output": json.dumps(
             {"fn_name": "double", "inputs": [[1], [4]], "outputs": [[2], [8]]})},
    ],
    "code_contests": [
        {"name": "1_A", "description": "", "public_tests": {"input": ["1\n"], "output": ["2\n"]}, "private_tests": {},
         "generated_tests": {"input": ["4\n"], "output": ["8\n"]}, "time_limit": {"seconds": 2, "nanos": 0},
         "memory_limit_bytes": 256000000, "solutions": {"language": [3, 1], "solution": [STDIN, "print 1"]},
         "incorrect_solutions": {"language": [3], "solution": [WRONG]}},
    ],
    "livecodebench": [
        {"question_id": "a", "public_test_cases": json.dumps(CASES[:1]), "private_test_cases": PACKED,
         "metadata": "{}", "starter_code": "", "solutions": [STDIN]},
        {"question_id": "b", "public_test_cases": json.dumps([{"input": "1\n[2]", "output": "[2, 1]"}]),
         "metadata": json.dumps({"func_name": "f"}), "starter_code": "class Solution:\n",
         "solutions": ["class Solution:\n    def f(self, a, b): return [*b, a]"]},
    ],
    "humanevalpack": [
        {"task_id": "Python/0", "prompt": PROMPT, "declaration": "def double(n):\n", "test": f"{CHECK}\ncheck(double)",
         "canonical_solution": "    return 2 * n\n", "buggy_solution": "    return 3 * n\n", "entry_point": "double"},
        {"task_id": "CPP/0", "declaration": "int twice(int n){\n", "canonical_solution": "    return 2 * n;\n}\n",
         "buggy_solution": "    return 3 * n;\n}\n", "entry_point": "twice",
         "test": "#undef NDEBUG\n#include<assert.h>\nint main(){\n    assert (twice(1) == 2);\n}\n"},
    ],
    "mbxp": [
        {"task_id": "MBJSP/1", "language": "javascript", "prompt": "function twice(n) {\n", "entry_point": "twice",
         "canonical_solution": "  return 2 * n;\n}\n", "test": "console.assert(twice(2) === 4);\n"},
    ],
}  # fmt: skip


def read(name: str, folder: Path) -> list[Problem]:
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS[name]))
    return problems(name, path)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pipeline() -> AsyncIterator[Pipeline]:
    executor = NamespaceExecutor()
    await executor.start()
    yield Pipeline(executor, policy.load(data_dir("policies")), languages.load(data_dir("runner_images")))
    await executor.stop()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("name", DATASETS)
async def test_right_programs_pass_and_wrong_ones_do_not(pipeline: Pipeline, name: str, tmp_path: Path) -> None:
    async def verdict(language: str, program: str, problem: Problem) -> str | None:
        submission = parse.submission(problem.submission(program, language))
        result = await pipeline.evaluate("sub_x", submission, attempts=1, queued_seconds=0.0)
        return result.verdict

    found = read(name, tmp_path)
    for problem in found:
        assert [await verdict(*program, problem) for program in problem.references] == ["accepted"]
        assert all([await verdict(*program, problem) != "accepted" for program in problem.buggy])
    assert any(problem.buggy for problem in found) == (name in ("code_contests", "humanevalpack"))


def test_samples_are_completions_or_whole_programs(tmp_path: Path) -> None:
    (problem,) = read("humaneval", tmp_path)
    path = tmp_path / "samples.jsonl"
    rows = [{"task_id": problem.id, "completion": "    return 0"}, {"task_id": problem.id, "solution": "x = 1"}]
    path.write_text("\n".join(map(json.dumps, rows)))
    assert [body["code"] for _, body in samples(path, {problem.id: problem})] == [f"{PROMPT}    return 0\n", "x = 1"]
    path.write_text('{"task_id": "other", "completion": ""}')
    with pytest.raises(FormatError, match="there is no problem 'other'"):
        list(samples(path, {problem.id: problem}))


class Hostile:
    def __reduce__(self) -> Any:
        return (print, ("run",))


@pytest.mark.parametrize("packed", [pickle.dumps(Hostile()), b"no pickle"])
def test_a_pickle_runs_nothing(packed: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    private = base64.b64encode(zlib.compress(packed)).decode()
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(ROWS["livecodebench"][0] | {"private_test_cases": private}))
    with pytest.raises(FormatError, match="row 1"):
        problems("livecodebench", path)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", DATASETS)
def test_another_format_is_told(name: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text('[{"task_id": "x"}]')
    with pytest.raises(FormatError, match=f"row 1, is not in the format of {name}"):
        problems(name, path)


def test_pass_at_k() -> None:
    # 1 - C(3, 2) / C(5, 2) = 0.7; none of two: 0; the third has too few samples
    assert pass_at_k([(5, 2), (2, 0), (1, 1)], 2) == pytest.approx((0.7 + 0) / 2)
    assert pass_at_k([(10, 3)], 1) == pytest.approx(0.3)
    assert pass_at_k([(1, 1)], 2) is None
