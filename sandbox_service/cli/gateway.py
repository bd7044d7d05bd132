"""`gateway`: run a gateway alone."""

from __future__ import annotations

import argparse
import asyncio
import signal
import socket

from sandbox_service.cli import options, redis
from sandbox_service.cli.errors import CliError


def main(argv: list[str]) -> int:
    """Serve until SIGTERM."""
    given = _parser().parse_args(argv)

    import uvloop

    from sandbox_service.gateway.server import build
    from sandbox_service.gateway.settings import GatewaySettings

    settings = GatewaySettings(
        redis_url=redis.needed(),
        host=given.host,
        port=given.port,
        keys_file=given.keys,
        allowed_hosts=tuple(given.allow_host),
        queue=options.queue_settings(given),
    )
    options.configure_log(given)
    try:
        server = build(settings)
    except ValueError as error:
        raise CliError(str(error)) from None
    # uvicorn handles these itself, and raises them once more when it has drained: that is no failure of ours.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    sockets = None if given.listener is None else [socket.socket(fileno=given.listener)]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(server.serve(sockets))
    return 0 if server.started else 1


def _parser() -> argparse.ArgumentParser:
    parser = options.parser("gateway", "Run a gateway alone, on the Redis that SANDBOX_REDIS_URL names.")
    options.add_listen(parser)
    options.add_queue(parser)
    options.add_log(parser)
    # `up` listens itself and hands the socket over: no connection is refused while a gateway starts again.
    parser.add_argument("--listener", type=int, help=argparse.SUPPRESS)
    return parser
