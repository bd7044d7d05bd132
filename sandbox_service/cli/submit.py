"""`submit`: run one program and show its result."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox_service.cli import options
from sandbox_service.cli.errors import CliError

if TYPE_CHECKING:
    from sandbox_service import Client, Result


def main(argv: list[str]) -> int:
    """Run a program; exit code 0 if it was accepted."""
    given = _parser().parse_args(argv)

    from sandbox_service import Client, Verdict

    code, stdin = _read(given.file), _read(given.stdin) if given.stdin else b""
    with Client(given.url, patience=options.PATIENCE_SECONDS) as client:
        result = client.run(code, language=given.language or _language(client, given.file), stdin=stdin)
    _show(result, as_json=given.json)
    return 0 if result.verdict == Verdict.ACCEPTED else 1


def _parser() -> argparse.ArgumentParser:
    parser = options.parser("submit", "Run one program and show its result. Exit code 0 if it was accepted, else 1.")
    parser.add_argument("file", metavar="FILE", help="the program; - reads it from stdin")
    parser.add_argument("--language", help="an id that `languages` lists (default: by the file's extension)")
    parser.add_argument("--stdin", metavar="FILE", help="what the program reads; - for this command's own stdin")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    options.add_url(parser)
    return parser


def _read(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def _language(client: Client, name: str) -> str:
    extension = Path(name).suffix
    languages = client.languages()
    for language in languages:
        if extension and extension in language.get("extensions", []):
            return str(language["id"])
    known = ", ".join(str(language.get("id")) for language in languages)
    raise CliError(f"which language is {name}? say --language, one of: {known}", usage=True)


def _show(result: Result, *, as_json: bool) -> None:
    if as_json:
        from sandbox_service.contract import parse

        print(parse.dumps(result.model_dump()).decode())
        return

    from rich.console import Console
    from rich.table import Table

    from sandbox_service.cli.screen import number, verdict, visible

    table = Table.grid(padding=(0, 2))
    table.add_row("verdict", verdict(str(result.verdict or result.state)))
    table.add_row("reward", number(result.reward))
    for case in result.cases:
        table.add_row("exit code", str(case.exit_code if case.signal is None else f"signal {case.signal}"))
        table.add_row("cpu, wall", f"{number(case.cpu_seconds, ' s')}, {number(case.wall_seconds, ' s')}")
        table.add_row("memory", number(None if case.memory_bytes is None else case.memory_bytes / 2**20, " MiB"))
    for said in _said(result):
        table.add_row("message", visible(said))
    console = Console(highlight=False, markup=False)
    console.print(table)
    for title, text in _output(result):
        console.rule(title, align="left")
        console.print(visible(text), end="" if text.endswith("\n") else "\n", soft_wrap=True)


def _said(result: Result) -> list[str]:
    ours = f"{result.infra_error.message} ({result.infra_error.kind})" if result.infra_error else None
    compiler = result.compile.message if result.compile else None
    return [text for text in (ours, compiler, *(case.message for case in result.cases)) if text]


def _output(result: Result) -> list[tuple[str, str]]:
    parts = [("compiler", result.compile.stdout + result.compile.stderr)] if result.compile else []
    for case in result.cases:
        parts.append(("stdout (cut)" if case.stdout_truncated else "stdout", case.stdout))
        parts.append(("stderr (cut)" if case.stderr_truncated else "stderr", case.stderr))
    return [(title, text) for title, text in parts if text]
