"""`up`: run everything on this machine."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox_service.cli import options
from sandbox_service.cli.errors import CliError

if TYPE_CHECKING:
    from sandbox_service.cli.service import Service, ServiceSettings


def main(argv: list[str]) -> int:
    """Run until SIGTERM or an interrupt, then drain; a second one ends it at once."""
    given = _parser().parse_args(argv)
    settings = _settings(given)
    options.configure_log(given)

    from sandbox_service.cli.service import queue

    with queue(settings.data_dir) as (url, pid):
        asyncio.run(_serve(settings, url, pid))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = options.parser(
        "up",
        "Run queue, gateway and workers on this machine. The queue is the Redis that SANDBOX_REDIS_URL names, "
        "else a server of our own.",
    )
    options.add_listen(parser)
    parser.add_argument(
        "--workers", type=options.positive, default=1, metavar="N", help="worker processes; they share the cores (1)"
    )
    parser.add_argument("--data-dir", type=Path, default=_state_dir(), help="where the queue is kept (%(default)s)")
    options.add_queue(parser)
    options.add_log(parser)
    return parser


def _state_dir() -> Path:
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "sandbox-service"


def _settings(given: argparse.Namespace) -> ServiceSettings:
    from sandbox_service.cli.service import ServiceSettings
    from sandbox_service.gateway import auth
    from sandbox_service.gateway.settings import GatewaySettings, check_bind

    try:  # here, not only in the gateway: before anything is started
        check_bind(GatewaySettings(redis_url="", host=given.host, keys_file=given.keys))
        auth.load(given.keys)
    except ValueError as error:
        raise CliError(str(error), usage=True) from None
    keys = ["--keys", str(given.keys)] if given.keys else []
    hosts = [part for name in given.allow_host for part in ("--allow-host", name)]
    asked = {"--result-ttl": given.result_ttl, "--max-queued": given.max_queued}
    queue = [part for name, value in asked.items() if value is not None for part in (name, str(value))]
    log = ["--log-level", given.log_level, *(["--log-json"] if given.log_json else [])]
    return ServiceSettings(
        data_dir=given.data_dir,
        host=given.host,
        port=given.port,
        workers=given.workers,
        gateway_options=(*keys, *hosts),
        options=(*queue, *log),
    )


async def _serve(settings: ServiceSettings, redis_url: str, redis_pid: int | None) -> None:
    from sandbox_service.cli.service import Service

    service = Service(settings, redis_url)
    with ended_by_signals(service), suppress(asyncio.CancelledError):
        async with service.running():
            print(f"ready: {service.url}  (API documentation: {service.url}/docs)", flush=True)
            await _ended(redis_pid)
            raise CliError(f"the queue's server ended; its log is {settings.data_dir / 'queue' / 'redis.log'}")


@contextmanager
def ended_by_signals(service: Service) -> Iterator[None]:
    """SIGTERM or an interrupt cancels this task, so that the service ends in order; another one makes it hurry."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None  # noqa: S101

    def end() -> None:
        if not task.cancelling():
            task.cancel()
        else:
            service.hurry()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


async def _ended(pid: int | None) -> None:
    """Wait until a process ends; for ever without one."""
    ended = asyncio.Event()
    if pid is None:
        await ended.wait()
        return
    loop, descriptor = asyncio.get_running_loop(), os.pidfd_open(pid)
    loop.add_reader(descriptor, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
