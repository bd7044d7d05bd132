"""`bench`: how many programs a second, beside the same programs without a sandbox in the same call."""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

from sandbox_service.cli import options
from sandbox_service.cli.bench.workloads import RL_STEP, WORKLOADS
from sandbox_service.cli.errors import CliError

APIS = ("sandbox-service", "sandboxfusion", "go-judge")
USUAL = ("w1", "w2", "w3", "w3-cached", "together", "apart")


def main(argv: list[str]) -> int:
    """Measure and print a table."""
    given = _parser().parse_args(argv)
    if given.api != "sandbox-service" and (not given.url or set(given.workloads) - {"w1"}):
        raise CliError(f"--api {given.api} wants --url, and the workload w1 alone")
    from sandbox_service.cli.bench import report
    from sandbox_service.cli.bench.measure import Measurement

    async def measured() -> list[report.Row]:
        async with AsyncExitStack() as stack:
            url = given.url or await _own_service(stack, given.workers)
            return await Measurement(url, given).all()

    try:
        rows = asyncio.run(measured())
    except ConnectionError as error:
        raise CliError(str(error)) from None
    report.show(rows)
    if given.json:
        report.write_json(rows, given.json)
    if given.png:
        report.draw(rows, given.png)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = options.parser(
        "bench",
        "Send programs whose verdicts are known, and count. Beside them, in the same call, run the same program as a "
        "plain subprocess. Machines are noisy: compare the ratios, which are of one call.",
    )
    about = [f"{name}: {workload.about}" for name, workload in WORKLOADS.items()]
    about.append(f"{RL_STEP}: 512 prompts, 8 rollouts each, 40 %% of them the same, 10 tests")
    parser.add_argument(
        "workloads", nargs="*", type=_workload, default=USUAL, metavar="WORKLOAD", help="; ".join(about)
    )
    parser.add_argument("--runs", type=options.positive, default=400, help="of each way (%(default)s)")
    parser.add_argument("--clients", type=options.positive, default=64, help="at once (%(default)s)")
    parser.add_argument("--batch", type=options.positive, default=256, help="submissions of a batch (%(default)s)")
    parser.add_argument("--rate", type=options.positive, help="open loop instead: so many arrivals a second, at random")
    parser.add_argument("--policy", default="default", help="of all submissions (%(default)s)")
    parser.add_argument("--cache", action="store_true", help="let results be taken from the cache")
    parser.add_argument("--scale", type=options.positive, default=1, help=f"{RL_STEP} with one in so many prompts")
    parser.add_argument("--workers", type=options.positive, default=1, help="worker processes of our own service")
    parser.add_argument("--url", help="another service than one of our own; key: SANDBOX_KEY")
    parser.add_argument("--api", choices=APIS, default=APIS[0], help="what is spoken there (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    parser.add_argument("--png", type=Path, metavar="FILE", help="draw them here; wants matplotlib")
    return parser


def _workload(text: str) -> str:
    if text in WORKLOADS or text == RL_STEP:
        return text
    raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join([*WORKLOADS, RL_STEP])}")


async def _own_service(stack: AsyncExitStack, workers: int) -> str:
    from sandbox_service.cli.service import Service, ServiceSettings, queue

    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sandbox-bench-")))
    redis_url, _ = stack.enter_context(queue(folder))
    settings = ServiceSettings(
        folder, port=0, workers=min(workers, os.cpu_count() or 1), options=("--log-level", "WARNING")
    )
    service = Service(settings, redis_url)
    await stack.enter_async_context(service.running())
    return service.url
