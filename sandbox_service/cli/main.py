"""Finds the command and says in one line what went wrong."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from sandbox_service.cli.errors import CliError, explain

COMMANDS = {
    "up": "run everything on this machine: queue, gateway and workers",
    "demo": "score programs whose verdicts are known, and compare",
    "doctor": "try every layer for real: what works, what is missing, how to mend it",
    "submit": "run one program and show its result",
    "score": "score a file of submissions, or a dataset",
    "validate": "find tasks that are flaky, broken or too easy",
    "replay": "evaluate submissions once more, and compare",
    "languages": "what a service can run",
    "policy": "check policies, or show what one comes to",
    "gateway": "run a gateway alone (needs a Redis)",
    "worker": "run a worker alone (needs a Redis)",
    "bench": "measure how many programs a second, beside a plain subprocess",
    "openapi": "print the OpenAPI document of the HTTP API",
}
USAGE_ERROR, FAILURE, INTERRUPTED = 2, 1, 130


def main(argv: list[str] | None = None) -> int:
    """Run a command.

    Args:
        argv: the arguments without the program's name; default those of this process.

    Returns:
        The exit code: 0 fine, 1 failure, 2 wrong usage.
    """
    name, *rest = (sys.argv[1:] if argv is None else argv) or ["--help"]
    if name in ("-h", "--help", "help"):
        print(_help())
        return 0
    if name == "--version":
        return _version()
    if name not in COMMANDS:
        print(f"sandbox-service: there is no command {name!r}; see `sandbox-service --help`", file=sys.stderr)
        return USAGE_ERROR
    return _run(name, rest)


def _run(name: str, argv: list[str]) -> int:
    try:
        return int(import_module(f"sandbox_service.cli.{name}").main(argv) or 0)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has gone; let the interpreter not try again at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except Exception as error:
        message = explain(error)
        if message is None:
            raise
        print(f"sandbox-service {name}: {message}", file=sys.stderr)
        return USAGE_ERROR if isinstance(error, CliError) and error.usage else FAILURE


def _help() -> str:
    commands = "\n".join(f"  {name:10} {what}" for name, what in COMMANDS.items())
    return (
        "usage: sandbox-service COMMAND ...\n\n"
        "Programs written by language models in, verdicts and rewards out.\n\n"
        f"{commands}\n\n`sandbox-service COMMAND --help` explains a command."
    )


def _version() -> int:
    from importlib.metadata import version

    print(version("sandbox-service"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
