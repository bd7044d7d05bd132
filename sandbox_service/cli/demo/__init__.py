"""`demo`: score programs whose verdicts are known, and compare."""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox_service.cli import options

if TYPE_CHECKING:
    from sandbox_service.cli.demo.problems import Problem

PROBLEMS = Path(__file__).parent / "problems.jsonl"
LOG_TAIL_BYTES = 4000
INTERRUPTED = 130


def main(argv: list[str]) -> int:
    """Run the demo; exit code 1 if a verdict or a reward is not the known one."""
    began = time.monotonic()
    given = _parser().parse_args(argv)

    from sandbox_service.cli.demo import problems

    chosen = problems.load(given.problems)
    if given.url:
        return asyncio.run(_score(given, chosen, given.url, began))

    from sandbox_service.cli.service import queue

    with tempfile.TemporaryDirectory(prefix="sandbox-demo-") as folder, queue(Path(folder)) as (redis_url, _):
        return asyncio.run(_with_a_service(given, chosen, Path(folder), redis_url, began))


def _parser() -> argparse.ArgumentParser:
    parser = options.parser(
        "demo",
        "Score programs whose verdicts are known and compare. Starts a service of its own and ends it again, unless "
        "--url names one. Exit code 1 if a verdict or a reward is not the known one.",
    )
    parser.add_argument(
        "--problems", type=Path, default=PROBLEMS, metavar="FILE", help="other problems than those that come along"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("demo-results.json"), metavar="FILE", help="the results (%(default)s)"
    )
    parser.add_argument("--url", help="a service that runs already (key: SANDBOX_KEY)")
    return parser


async def _with_a_service(
    given: argparse.Namespace, chosen: Sequence[Problem], folder: Path, redis_url: str, began: float
) -> int:
    """Score on a service of our own, on a free port; gone without a trace at the end."""
    from sandbox_service.cli.errors import CliError
    from sandbox_service.cli.service import Service, ServiceSettings
    from sandbox_service.cli.up import ended_by_signals

    with tempfile.TemporaryFile() as log:
        service = Service(ServiceSettings(folder, port=0, log=log), redis_url)
        try:
            with ended_by_signals(service):
                async with service.running():
                    return await _score(given, chosen, service.url, began)
        except asyncio.CancelledError:  # by a signal
            return INTERRUPTED
        except CliError as error:
            log.seek(0)
            said = log.read()[-LOG_TAIL_BYTES:].decode("utf-8", "replace")
            raise CliError(f"{error}\n{said}".rstrip()) from None


async def _score(given: argparse.Namespace, chosen: Sequence[Problem], url: str, began: float) -> int:
    from rich.console import Console

    from sandbox_service import AsyncClient
    from sandbox_service.cli.demo import problems, report

    console = Console(highlight=False, markup=False)
    async with AsyncClient(url) as client:
        offered = {str(language["id"]) for language in await client.languages()}
        console.print(f"service at {url} ready after {time.monotonic() - began:.1f} s")
        runnable = [problem for problem in chosen if problem.submission["language"] in offered]
        started = time.monotonic()
        results = await report.score(client, runnable, console, began)
        seconds = time.monotonic() - started
    answers = [problems.Answer(problem, result) for problem, result in zip(runnable, results, strict=True)]
    given.out.write_text(json.dumps([answer.document() for answer in answers], indent=1) + "\n")
    report.show(console, answers, seconds, left_out=[problem for problem in chosen if problem not in runnable])
    console.print(f"results: {given.out}")
    return 0 if answers and all(answer.difference is None for answer in answers) else 1
