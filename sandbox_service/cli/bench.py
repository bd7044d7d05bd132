"""`bench`: how many programs a second, beside the same programs without a sandbox in the same run."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox_service.cli import options
from sandbox_service.cli.errors import CliError

if TYPE_CHECKING:
    import httpx

PYTHON = "/usr/bin/python3"
CODE, STDIN, EXPECTED = "print(int(input())*2)\n", "21\n", "42\n"
SUBMISSION = {
    "language": "python",
    "code": CODE,
    "task": {"type": "stdio", "cases": [{"stdin": STDIN, "expected": EXPECTED}]},
    "cache": False,
}
SOLUTION = """
def below_zero(operations):
    balance = 0
    for operation in operations:
        balance += operation
        if balance < 0:
            return True
    return False
"""
TESTS = """
def check(candidate):
    assert candidate([]) == False
    assert candidate([1, 2, -3, 1, 2, -3]) == False
    assert candidate([1, 2, -4, 5, 6]) == True
    assert candidate([1, -1, 2, -2, 5, -5, 4, -4]) == False
    assert candidate([1, -1, 2, -2, 5, -5, 4, -5]) == True
    assert candidate([1, -2, 2, -2, 5, -5, 4, -4]) == True


check(below_zero)
"""
BATCHES: dict[str, dict[str, Any]] = {
    "one batch": SUBMISSION,
    "assertions, in one process": {"language": "python", "code": SOLUTION + TESTS, "cache": False},
    "assertions, apart": {
        "language": "python",
        "code": SOLUTION,
        "task": {"type": "assertions", "code": TESTS},
        "cache": False,
    },
}


@dataclass(frozen=True, slots=True)
class Row:
    """One way of running the program: `seconds` for each run, and for all of them together."""

    name: str
    clients: int
    runs: int
    runs_per_second: float
    times_naive: float
    p50_ms: float | None
    p99_ms: float | None


def main(argv: list[str]) -> int:
    """Measure and print a table; `--json` keeps the figures."""
    parser = options.parser(
        "bench",
        "Run one small Python program many times: as a plain subprocess, and through a service of our own over HTTP. "
        "Machines are noisy: compare the ratios, which are of one run.",
    )
    parser.add_argument("--runs", type=options.positive, default=400, help="of each way (%(default)s)")
    parser.add_argument("--clients", type=options.positive, default=64, help="at once (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    given = parser.parse_args(argv)

    from sandbox_service.cli.service import Service, ServiceSettings, queue

    async def measure(folder: Path, redis_url: str) -> list[Row]:
        service = Service(ServiceSettings(folder, port=0, options=("--log-level", "WARNING")), redis_url)
        async with service.running():
            return await _measure(service.url, given)

    with tempfile.TemporaryDirectory(prefix="sandbox-bench-") as folder, queue(Path(folder)) as (redis_url, _):
        rows = asyncio.run(measure(Path(folder), redis_url))
    _show(rows)
    if given.json:
        given.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    return 0


async def _measure(url: str, given: argparse.Namespace) -> list[Row]:
    import httpx

    naive = await asyncio.to_thread(_naive, given.runs)
    rows = [Row("plain subprocess", os.cpu_count() or 1, given.runs, naive, 1.0, None, None)]
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=url, timeout=120, limits=limits, trust_env=False) as http:
        for clients in (1, given.clients):
            times, seconds = await _at_once(lambda: _one(http), given.runs if clients > 1 else given.runs // 4, clients)
            rate = len(times) / seconds
            cuts = statistics.quantiles(times, n=100, method="inclusive")
            rows.append(
                Row("one request each", clients, len(times), rate, rate / naive, cuts[49] * 1e3, cuts[98] * 1e3)
            )
        for name, submission in BATCHES.items():
            rate = given.runs / await _batch(http, submission, given.runs)
            rows.append(Row(name, 1, given.runs, rate, rate / naive, None, None))
    return rows


def _naive(runs: int) -> float:
    """Runs a second of what a trainer does without a sandbox: a temporary file and a subprocess, one a core."""

    def one(_: int) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(CODE)
            file.flush()
            done = subprocess.run([PYTHON, file.name], input=STDIN, capture_output=True, text=True, check=True)
        if done.stdout != EXPECTED:
            raise CliError(f"{PYTHON} printed {done.stdout!r}")

    began = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, range(runs)))
    return runs / (time.perf_counter() - began)


async def _at_once(step: Callable[[], Awaitable[None]], runs: int, clients: int) -> tuple[list[float], float]:
    """Seconds of each run, and of all, with so many clients under way at once."""
    times: list[float] = []
    numbers = iter(range(runs))

    async def client() -> None:
        for _ in numbers:
            began = time.perf_counter()
            await step()
            times.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    return times, time.perf_counter() - began


async def _one(http: httpx.AsyncClient) -> None:
    answer = (await http.post("/v1/submissions?wait=60", json=SUBMISSION)).json()
    _must_be_accepted(answer)


async def _batch(http: httpx.AsyncClient, submission: dict[str, Any], runs: int) -> float:
    began = time.perf_counter()
    created = (await http.post("/v1/batches", json={"submissions": [{}] * runs, "defaults": submission})).json()
    async with http.stream("GET", f"/v1/batches/{created['id']}/results") as lines:
        answers = [json.loads(line) async for line in lines.aiter_lines() if line]
    for answer in answers:
        _must_be_accepted(answer)
    if len(answers) != runs:
        raise CliError(f"{len(answers)} results for {runs} submissions")
    return time.perf_counter() - began


def _must_be_accepted(answer: dict[str, object]) -> None:
    if answer.get("verdict") != "accepted":
        raise CliError(f"a right program was not accepted: {json.dumps(answer)[:500]}")


def _show(rows: list[Row]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("way", "clients", "runs", "runs/s", "x plain subprocess", "p50 ms", "p99 ms")
    for row in rows:
        latency = ["-" if value is None else f"{value:.1f}" for value in (row.p50_ms, row.p99_ms)]
        cells = [row.name, str(row.clients), str(row.runs), f"{row.runs_per_second:.0f}", f"{row.times_naive:.2f}"]
        table.add_row(*cells, *latency)
    Console().print(table)
