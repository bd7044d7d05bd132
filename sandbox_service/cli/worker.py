"""`worker`: run a worker alone."""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
from dataclasses import replace
from pathlib import Path

from sandbox_service.cli import options, redis
from sandbox_service.cli.errors import CliError


def main(argv: list[str]) -> int:
    """Work until SIGTERM, or until it has worked long enough, then finish what was begun."""
    given = _parser().parse_args(argv)
    if given.healthy:
        return asyncio.run(_healthy(redis.needed()))

    import uvloop

    from sandbox_service.worker.main import run_worker
    from sandbox_service.worker.settings import ContainerSettings, WorkerSettings

    containers = ContainerSettings.from_environment(os.environ)
    settings = WorkerSettings(redis_url=redis.needed(), queue=options.queue_settings(given), containers=containers)
    if given.slots:
        settings = replace(settings, slots=given.slots)
    if given.recycle_after:
        settings = replace(settings, recycle_after=given.recycle_after)
    if given.root:
        settings = replace(settings, root=given.root)
    options.configure_log(given)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(run_worker(settings))
    except ValueError as error:
        raise CliError(str(error)) from None
    return 0


async def _healthy(url: str) -> int:
    """0 if a worker of this host gives signs of life."""
    from sandbox_service.queue import QueueSettings, WorkerRegistry, connect

    connection = connect(url)
    try:
        workers = await WorkerRegistry(connection, QueueSettings()).list()
    finally:
        await connection.aclose()
    own = [worker for worker in workers if worker.host == socket.gethostname() and worker.state != "lost"]
    return int(not own)


def _parser() -> argparse.ArgumentParser:
    parser = options.parser("worker", "Run a worker alone, on the Redis that SANDBOX_REDIS_URL names.")
    parser.add_argument("--slots", type=options.positive, metavar="N", help="runs at once (default: one a core)")
    options.add_queue(parser)
    parser.add_argument(
        "--recycle-after", type=options.positive, metavar="N", help="end after about so many runs (default: 20000)"
    )
    parser.add_argument("--healthy", action="store_true", help="only say, by the exit code, whether one works here")
    parser.add_argument(
        "--root", type=Path, metavar="DIR", help="programs have those of an unpacked image, not this machine's own"
    )
    options.add_log(parser)
    return parser
