"""`replay`: evaluate submissions once more, and tell what is not as it was."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox_service.cli import options
from sandbox_service.cli.errors import CliError

if TYPE_CHECKING:
    from sandbox_service import Client, Result
    from sandbox_service.contract.replay import Replay


def main(argv: list[str]) -> int:
    """Replay; exit code 1 if a verdict or a reward changed, or one could not be had."""
    given = _parser().parse_args(argv)

    from rich.console import Console

    from sandbox_service import Client
    from sandbox_service.contract.replay import compare

    bodies = _lines(given.submissions)
    with Client(given.url, patience=options.PATIENCE_SECONDS) as client:
        before = _before(client, given.what)
        if len(before) != len(bodies):
            raise CliError(f"{len(before)} results and {len(bodies)} submissions: they must be the same, in order")
        after = client.score([body | {"cache": False} for body in bodies])
    found = [compare(*pair) for pair in zip(before, after, strict=True)]
    Console().print(_table([result.id for result in before], found))
    return 1 if any(each.outcome not in ("same", "toolchain_changed") for each in found) else 0


def _parser() -> argparse.ArgumentParser:
    about = "Evaluate submissions once more; the service keeps results, not programs: say where they are."
    parser = options.parser("replay", about)
    what = "a submission's id, or results as `score --out` wrote them"
    parser.add_argument("what", metavar="ID|RESULTS.jsonl", help=what)
    parser.add_argument(
        "--submissions",
        type=Path,
        required=True,
        metavar="FILE",
        help="what was sent, one JSON object a line, in order",
    )
    options.add_url(parser)
    return parser


def _before(client: Client, what: str) -> list[Result]:
    if what.startswith("sub_") and not Path(what).exists():
        return [client.result(what, wait=0)]
    from sandbox_service.client import _wire

    return [_wire.result(row) for row in _lines(Path(what))]


def _lines(path: Path) -> list[dict[str, Any]]:
    from sandbox_service.contract import parse

    rows = [parse.loads(line) for line in path.read_bytes().splitlines() if line.strip()]
    if not all(isinstance(row, dict) for row in rows):
        raise CliError(f"{path}: each line is a JSON object")
    return rows


def _table(ids: Sequence[str], found: Sequence[Replay]) -> Any:
    from rich.table import Table

    from sandbox_service.cli.screen import number, visible

    shown = Table("submission", "outcome", "changes", "CPU time", "memory")
    for id, each in zip(ids, found, strict=True):
        changes = "; ".join(f"{change.what}: {change.before} -> {change.after}" for change in each.changes)
        figures = (number(each.figures[name], "x") for name in ("cpu_seconds", "memory_bytes"))
        shown.add_row(id, each.outcome, visible(changes), *figures)
    return shown
