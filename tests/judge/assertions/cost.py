"""What it costs to examine a solution apart from its tests: CPU time beside that of both in one process.

    python -m tests.judge.assertions.cost HUMANEVAL.jsonl [--rounds 3]

A row has `solution`, `entry_point` and `tests.code`, which defines `check(candidate)`. Not a test. Only ratios within
one call compare.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from sandbox_service.contract.run import File, RunRequest
from sandbox_service.contract.task import AssertionsTask
from sandbox_service.executor import NamespaceExecutor
from sandbox_service.judge import apart, report
from sandbox_service.worker.channel import converse, pipes
from tests.executor.measure import used_cpu
from tests.executor.place import LIMITS, PYTHON

Row = dict[str, Any]
FILE = b"main.py"


async def measure(rows: list[Row], rounds: int) -> None:
    """Print a table."""
    async with AsyncExitStack() as stack:
        executor = NamespaceExecutor()
        await executor.start()
        stack.push_async_callback(executor.stop)
        one, other = await executor.open(), await executor.open()
        for sandbox in (one, other):
            stack.push_async_callback(sandbox.close)
        tools = await apart.load("python", other.run, LIMITS)

        async def together(row: Row) -> tuple[float, float]:
            code = f"{row['solution']}\n{row['tests']['code']}\ncheck({row['entry_point']})\n"
            outcome = await one.run(RunRequest([PYTHON, FILE], LIMITS, {"main.py": File(code.encode())}, warm=True))
            assert outcome.exit_code == 0, outcome.stderr
            return outcome.cpu_seconds, 0.0

        async def examined(row: Row) -> tuple[float, float]:
            ours, theirs = pipes()
            task = AssertionsTask(type="assertions", code=row["tests"]["code"], entry_point=row["entry_point"])
            command, files = tools.host_command([PYTHON, FILE]), {"main.py": File(row["solution"].encode())}
            host = RunRequest(command, LIMITS, files, warm=True, kept=tools.kept, channel=ours)
            files = {"task.json": File(apart.task_file(task, "main.py"))}
            examiner = RunRequest(tools.examiner, LIMITS, files, warm=True, kept=tools.kept, channel=theirs)
            outcome, said = await converse(one.run(host), other.run(examiner))
            assert outcome is not None
            found = apart.findings(report.parse(said.stdout), outcome, LIMITS)
            assert all(finding.verdict == "accepted" for finding in found), (row, found)
            return outcome.cpu_seconds, said.cpu_seconds

        for name, run in {"in one process": together, "apart": examined}.items():
            await series(name, run, rows, rounds)


async def series(name: str, run: Callable[[Row], Awaitable[tuple[float, float]]], rows: list[Row], rounds: int) -> None:
    """Run all rows, and print a line of the table."""
    for row in rows[:3]:
        await run(row)
    before, all_costs = used_cpu(), []
    for _ in range(rounds):
        all_costs += [await run(row) for row in rows]
    total = (used_cpu() - before) / len(all_costs) * 1e3
    programs = [sum(costs) * 1e3 for costs in all_costs]
    solution, examiner = (statistics.mean(costs) * 1e3 for costs in zip(*all_costs, strict=True))
    print(
        f"{name:15} CPU ms: solution {solution:5.1f}, examiner {examiner:5.1f}, both at the median"
        f" {statistics.median(programs):5.1f}; with all around them {total:5.1f}"
    )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.rows.read_text().splitlines()]
    asyncio.run(measure(rows, given.rounds))


if __name__ == "__main__":
    main()
