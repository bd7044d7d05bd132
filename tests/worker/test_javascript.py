"""JavaScript on real sandboxes: the usual ways to read standard input, small limits, test texts run apart."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from sandbox_service import languages, policy
from sandbox_service.contract import parse
from sandbox_service.contract.data import data_dir
from sandbox_service.contract.result import Result
from sandbox_service.contract.verdict import State
from sandbox_service.executor import NamespaceExecutor
from sandbox_service.worker.pipeline import Pipeline

pytestmark = pytest.mark.asyncio(loop_scope="module")
LINES = "3\n1 2\n3 4\n5 6"
SUM = "21\n"
PROGRAMS = {
    "readFileSync(0)": """
        const [n, ...rest] = require('fs').readFileSync(0, 'utf8').split(/\\s+/).map(Number);
        console.log(rest.slice(0, 2 * n).reduce((a, b) => a + b, 0));""",
    "readFileSync('/dev/stdin')": """
        const text = require('fs').readFileSync('/dev/stdin', 'utf8');
        console.log(text.split('\\n').slice(1).join(' ').split(' ').reduce((a, b) => a + +b, 0));""",
    "readline events": """
        const rl = require('readline').createInterface({input: process.stdin, output: process.stdout, terminal: false});
        let n, sum = 0;
        rl.on('line', (line) => { if (n === undefined) n = +line; else for (const x of line.split(' ')) sum += +x; });
        rl.on('close', () => console.log(sum));""",
    "readline for await": """
        (async () => {
          let sum = -3;
          for await (const line of require('readline').createInterface({input: process.stdin}))
            for (const x of line.split(' ')) sum += +x;
          console.log(sum);
        })();""",
    "process.stdin": """
        let text = '';
        process.stdin.setEncoding('utf8');
        process.stdin.on('data', (part) => { text += part; });
        process.stdin.on('end', () => console.log(text.split(/\\s+/).slice(1).reduce((a, b) => a + +b, 0)));""",
    "process.stdin in turns": """
        (async () => {
          const parts = []; for await (const part of process.stdin) parts.push(part);
          const numbers = Buffer.concat(parts).toString().match(/\\d+/g).map(Number);
          process.stdout.write(numbers.slice(1).reduce((a, b) => a + b) + '\\n', () => process.exit(0));
        })();""",
    "fs.promises": """
        require('fs').promises.readFile('/dev/stdin', 'utf8').then((text) =>
          console.log(text.match(/\\d+/g).slice(1).reduce((a, b) => a + +b, 0)));""",
    "an import": """
        import { readFileSync } from 'node:fs';
        console.log(readFileSync(0, 'utf8').match(/\\d+/g).slice(1).reduce((a, b) => a + +b, 0));""",
}
MUCH = """
const rows = []; for (let i = 0; i < 20000; i++) rows.push(`${i} ` + 'x'.repeat(90));
console.log(rows.join('\\n'));
"""
GARBAGE = """
const live = []; for (let i = 0; i < 400000; i++) live.push({a: i, b: 'x' + i});
let s = 0;
for (let r = 0; r < 30; r++) { const t = []; for (let i = 0; i < 100000; i++) t.push([i, r]); s += t.length; }
console.log(s + live.length);
"""
CODE = "assert.strictEqual(f(1), 2);\nassert.strictEqual(f(2), 4);\nassert.strictEqual(f(3), 6);"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pipeline() -> AsyncIterator[Pipeline]:
    executor = NamespaceExecutor()
    await executor.start()
    yield Pipeline(executor, policy.load(data_dir("policies")), languages.load(data_dir("runner_images")))
    await executor.stop()


async def evaluate(pipeline: Pipeline, code: str, task: dict[str, Any], **body: Any) -> Result:
    submission = parse.submission({"language": "javascript", "code": code, "task": task} | body)
    result = await pipeline.evaluate("sub_x", submission, attempts=1, queued_seconds=0.0)
    assert result.state is State.FINISHED, result
    return result


def stdio(stdin: str, expected: str) -> dict[str, Any]:
    return {"type": "stdio", "cases": [{"stdin": stdin, "expected": expected}], "compare": {"mode": "exact"}}


def verdicts(result: Result) -> list[str]:
    return [str(case.verdict) for case in result.cases]


@pytest.mark.parametrize("name", PROGRAMS)
async def test_standard_input(pipeline: Pipeline, name: str) -> None:
    more = {"entrypoint": "main.mjs"} if name == "an import" else {}
    result = await evaluate(pipeline, PROGRAMS[name], stdio(LINES, SUM), **more)
    assert verdicts(result) == ["accepted"], result.cases


async def test_much_output_arrives(pipeline: Pipeline) -> None:
    result = await evaluate(pipeline, MUCH, {"type": "run"}, limits={"output_bytes": 4 << 20})
    assert result.cases[0].exit_code == 0
    assert result.cases[0].stdout_truncated or len(result.cases[0].stdout) > 1_800_000


async def test_few_threads(pipeline: Pipeline) -> None:
    code = "require('fs').promises.readFile('main.js').then((x) => console.log(x.length > 9));"
    result = await evaluate(pipeline, code, stdio("", "true\n"), limits={"processes": 8})
    assert verdicts(result) == ["accepted"], result.cases


async def test_garbage_does_not_count_for_long(pipeline: Pipeline) -> None:
    """What lives are about 60 MiB."""
    result = await evaluate(pipeline, GARBAGE, stdio("", "3400000\n"), limits={"memory_bytes": 200 << 20})
    assert verdicts(result) == ["accepted"], result.cases


async def test_too_much_memory(pipeline: Pipeline) -> None:
    code = "const a = []; for (;;) a.push(new Array(1000).fill(a.length));"
    result = await evaluate(pipeline, code, stdio("", ""), limits={"memory_bytes": 128 << 20})
    assert verdicts(result) == ["memory_limit_exceeded"], result.cases


async def test_a_test_text(pipeline: Pipeline) -> None:
    task = {"type": "assertions", "code": CODE}
    right = await evaluate(pipeline, "const f = (x) => x * 2;", task)
    assert (right.reward, verdicts(right)) == (1.0, ["accepted"] * 3), right.cases
    wrong = await evaluate(pipeline, "const f = (x) => Math.min(x * 2, 4);", task)
    assert (wrong.reward, verdicts(wrong)) == (0.0, ["accepted", "accepted", "wrong_answer"])
    assert wrong.cases[2].message == "the assertion does not hold; got 4"


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        ("const f = () => process.exit(0);", "runtime_error"),
        ("const f = () => { for (;;); };", "time_limit_exceeded"),
        ("for (;;);", "time_limit_exceeded"),
        ("const f = () => { const a = []; for (;;) a.push(new Array(1000).fill(0)); };", "memory_limit_exceeded"),
        ("const f = () => 'x'.repeat(40e6);", "output_limit_exceeded"),
        ("setInterval(() => {}, 10); const f = () => new Promise(() => {});", "wrong_answer"),
        ("const f = ", "runtime_error"),
    ],
)
async def test_how_a_solution_may_end(pipeline: Pipeline, code: str, verdict: str) -> None:
    task = {"type": "assertions", "code": CODE}
    result = await evaluate(pipeline, code, task, limits={"cpu_seconds": 2.0, "memory_bytes": 200 << 20})
    assert verdicts(result) == [verdict] * 3, result.cases


async def test_a_solution_that_never_says_anything(pipeline: Pipeline) -> None:
    code = "const f = () => require('fs').readSync(3, Buffer.alloc(9));"
    limits = {"cpu_seconds": 1.0, "wall_seconds": 3.0}
    result = await evaluate(pipeline, code, {"type": "assertions", "code": CODE}, limits=limits)
    assert verdicts(result) == ["time_limit_exceeded"] * 3, result.cases


async def test_a_test_text_that_cannot_be_run(pipeline: Pipeline) -> None:
    submission = parse.submission(
        {"language": "javascript", "code": "", "task": {"type": "assertions", "code": "assert(f(1) === )"}}
    )
    result = await pipeline.evaluate("sub_x", submission, attempts=1, queued_seconds=0.0)
    assert (result.state, result.reward) == (State.FAILED, None)
    assert result.infra_error
    assert "Unexpected token" in result.infra_error.message
