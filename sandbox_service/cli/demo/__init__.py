"""`demo`: score programs whose verdicts are known, and compare."""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox_service.cli import options

if TYPE_CHECKING:
    from sandbox_service.cli.demo.problems import Problem

PROBLEMS = Path(__file__).parent / "problems.jsonl"


def main(argv: list[str]) -> int:
    """Run the demo; exit code 1 if a verdict or a reward is not the known one."""
    began = time.monotonic()
    given = _parser().parse_args(argv)

    from sandbox_service.cli.demo import problems

    chosen = problems.load(given.problems)
    return asyncio.run(_demo(given, chosen, began))


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


async def _demo(given: argparse.Namespace, chosen: Sequence[Problem], began: float) -> int:
    from rich.console import Console

    from sandbox_service import AsyncClient
    from sandbox_service.cli.demo import problems, report

    console = Console(highlight=False, markup=False)
    async with _service(given.url) as url, AsyncClient(url) as client:
        console.print(f"service at {url} ready after {time.monotonic() - began:.1f} s")
        offered = {str(language["id"]) for language in await client.languages()}
        runnable = [problem for problem in chosen if problem.submission["language"] in offered]
        started = time.monotonic()
        results = await report.score(client, runnable, console, began)
        seconds = time.monotonic() - started
    answers = [problems.Answer(problem, result) for problem, result in zip(runnable, results, strict=True)]
    given.out.write_text(json.dumps([answer.document() for answer in answers], indent=1) + "\n")
    report.show(console, answers, seconds, left_out=[problem for problem in chosen if problem not in runnable])
    console.print(f"results: {given.out}")
    return 0 if answers and all(answer.difference is None for answer in answers) else 1


@asynccontextmanager
async def _service(url: str | None) -> AsyncIterator[str]:
    """The service that is named, or one of our own on a free port, gone without a trace at the end."""
    if url:
        yield url
        return

    from sandbox_service.cli.errors import CliError
    from sandbox_service.cli.service import Service, ServiceSettings, queue
    from sandbox_service.cli.up import ended_by_signals

    with tempfile.TemporaryDirectory(prefix="sandbox-demo-") as folder, tempfile.TemporaryFile() as log:
        settings = ServiceSettings(Path(folder), port=0, log=log)
        with queue(settings.data_dir) as (redis_url, _):
            service = Service(settings, redis_url)
            with ended_by_signals(service):
                try:
                    async with service.running():
                        yield service.url
                except CliError as error:
                    log.seek(0)
                    said = log.read()[-4000:].decode("utf-8", "replace")
                    raise CliError(f"{error}\n{said}".rstrip()) from None
