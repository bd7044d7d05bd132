"""`languages`: what a service can run."""

from __future__ import annotations

from sandbox_service.cli import options


def main(argv: list[str]) -> int:
    """List the languages of a service."""
    parser = options.parser("languages", "What a service can run.")
    options.add_url(parser)
    given = parser.parse_args(argv)

    from rich.console import Console
    from rich.table import Table

    from sandbox_service import Client
    from sandbox_service.cli.screen import visible

    with Client(given.url, patience=options.PATIENCE_SECONDS) as client:
        found = client.languages()
    table = Table("id", "name", "version", "extensions", "tasks", "compile flags")
    for language in found:
        cells = [language.get(name) for name in ("id", "name", "version", "extensions", "tasks", "compile_flags")]
        table.add_row(*(visible(" ".join(cell) if isinstance(cell, list) else str(cell or "")) for cell in cells))
    Console().print(table)
    return 0
