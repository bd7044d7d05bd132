"""Options that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox_service.queue import QueueSettings

PATIENCE_SECONDS = 10.0
"""Someone who types a command does not want to wait a minute to hear that nobody is there."""


def parser(name: str, about: str) -> argparse.ArgumentParser:
    """A parser for `sandbox-service NAME`."""
    return argparse.ArgumentParser(prog=f"sandbox-service {name}", description=about, allow_abbrev=False)


def add_url(parser: argparse.ArgumentParser) -> None:
    """Which service to talk to."""
    parser.add_argument("--url", help="the service (default SANDBOX_URL, else http://127.0.0.1:8000); key: SANDBOX_KEY")


def add_listen(parser: argparse.ArgumentParser) -> None:
    """Where a gateway listens, and whom it lets in."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", type=port, default=8000, help="TCP port (default 8000; 0: any free one)")
    keys = "YAML list of {tenant, key_sha256, scopes}; a tenant's weight and domain_weights, if any, at one of them"
    parser.add_argument("--keys", type=Path, metavar="FILE", help=keys)
    parser.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME", help="a name that may stand in a Host header"
    )


def add_queue(parser: argparse.ArgumentParser) -> None:
    """How much the queue takes, and how long it keeps results: the same for all processes that share a Redis."""
    parser.add_argument("--result-ttl", type=positive, metavar="SECONDS", help="how long results are kept (3600)")
    parser.add_argument("--max-queued", type=positive, metavar="N", help="the most that may wait or run (100000)")


def queue_settings(given: argparse.Namespace) -> QueueSettings:
    """The settings that `add_queue` asked for."""
    from sandbox_service.queue.settings import QueueSettings

    usual = QueueSettings()
    return QueueSettings(
        result_ttl_seconds=given.result_ttl or usual.result_ttl_seconds, max_queued=given.max_queued or usual.max_queued
    )


def add_log(parser: argparse.ArgumentParser) -> None:
    """How much is logged, to stderr."""
    parser.add_argument("--log-level", default="INFO", choices=["DEBUG", "INFO", "WARNING", "ERROR"])
    parser.add_argument("--log-json", action="store_true", help="log JSON lines")


def configure_log(options: argparse.Namespace) -> None:
    """Set up logging as asked."""
    from sandbox_service.telemetry import logging

    logging.configure(options.log_level, json_lines=options.log_json)


def port(text: str) -> int:
    """A TCP port.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    if text.isdigit() and int(text) < 65536:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no port (0 to 65535)")


def positive(text: str) -> int:
    """A whole number of at least 1.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    if text.isdigit() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least 1")
