"""`worker`: run a worker alone."""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import replace

from sandbox_service.cli import options, redis
from sandbox_service.cli.errors import CliError


def main(argv: list[str]) -> int:
    """Work until SIGTERM, or until it has worked long enough, then finish what was begun."""
    given = _parser().parse_args(argv)

    import uvloop

    from sandbox_service.worker.main import run_worker
    from sandbox_service.worker.settings import WorkerSettings

    settings = WorkerSettings(redis_url=redis.needed(), queue=options.queue_settings(given))
    if given.slots:
        settings = replace(settings, slots=given.slots)
    if given.recycle_after:
        settings = replace(settings, recycle_after=given.recycle_after)
    options.configure_log(given)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(run_worker(settings))
    except ValueError as error:
        raise CliError(str(error)) from None
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = options.parser("worker", "Run a worker alone, on the Redis that SANDBOX_REDIS_URL names.")
    parser.add_argument("--slots", type=options.positive, metavar="N", help="runs at once (default: one a core)")
    options.add_queue(parser)
    parser.add_argument(
        "--recycle-after", type=options.positive, metavar="N", help="end after about so many runs (default: 20000)"
    )
    options.add_log(parser)
    return parser
