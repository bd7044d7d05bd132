"""`validate`: which tasks of a file are worth training on, and which belong in quarantine."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox_service.cli import options
from sandbox_service.cli.errors import CliError

if TYPE_CHECKING:
    from sandbox_service.contract.validation import Validation, ValidationRequest


def main(argv: list[str]) -> int:
    """Validate tasks; exit code 1 if one of them is not valid."""
    given = _parser().parse_args(argv)

    from rich.console import Console

    from sandbox_service import Client
    from sandbox_service.cli.progress import bar
    from sandbox_service.contract import validation

    asked = _read(given.file, given.repeats)
    expanded = [validation.expand(each) for each in asked]
    bodies = [body for each in expanded for _, body in each]
    with Client(given.url, patience=options.PATIENCE_SECONDS) as client:
        client.languages()  # is somebody there?
    with Client(given.url) as client, bar("validating", len(bodies)) as progress:
        results = iter(client.score(bodies, progress=progress))
    found = [
        validation.judge(request, [role for role, _ in each], [next(results) for _ in each])
        for request, each in zip(asked, expanded, strict=True)
    ]
    if given.quarantine:
        _write(given.quarantine, found)
    Console().print(_table(found))
    return 1 if any(not each.valid for each in found) else 0


def _parser() -> argparse.ArgumentParser:
    about = "Find tasks whose reference fails, that are flaky, or that a wrong or an empty program passes."
    parser = options.parser("validate", about)
    parser.add_argument(
        "file",
        type=Path,
        metavar="TASKS.jsonl",
        help="JSON lines of id, submission (a submission without its program), reference, wrong (a list)",
    )
    parser.add_argument("--repeats", type=options.positive, metavar="N", help="how often each program is run")
    parser.add_argument("--quarantine", type=Path, metavar="FILE", help="write there what is not valid, and why")
    options.add_url(parser)
    return parser


def _read(path: Path, repeats: int | None) -> list[ValidationRequest]:
    from pydantic import ValidationError

    from sandbox_service.contract import parse
    from sandbox_service.contract.problem import ProblemError, invalid
    from sandbox_service.contract.validation import ValidationRequest

    found = []
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row: Any = parse.loads(line)
            more = {"repeats": repeats} if repeats else {}
            request = ValidationRequest.model_validate({"id": f"line {number}"} | row | more)
        except (ProblemError, TypeError) as error:
            raise CliError(f"{path}, line {number}: {error}") from None
        except ValidationError as error:
            raise CliError(f"{path}, line {number}: {invalid(error)}") from None
        found.append(request)
    if not found:
        raise CliError(f"{path} holds no task")
    return found


def _write(path: Path, found: list[Validation]) -> None:
    from sandbox_service.contract import parse

    bad = [each.model_dump() for each in found if not each.valid]
    path.write_bytes(b"".join(parse.dumps(each) + b"\n" for each in bad))


def _table(found: list[Validation]) -> Any:
    from rich.table import Table

    from sandbox_service.cli.screen import visible

    shown = Table("task", "fault", "detail")
    for each in found:
        for fault in each.faults:
            shown.add_row(visible(each.id or ""), fault.kind, visible(fault.detail))
    shown.add_section()
    kinds = Counter(fault.kind for each in found for fault in each.faults)
    valid = sum(each.valid for each in found)
    shown.add_row(f"{valid} of {len(found)} valid", ", ".join(f"{n} {kind}" for kind, n in kinds.items()), "")
    return shown
