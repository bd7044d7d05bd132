"""`openapi`: print the OpenAPI document of the HTTP API."""

from __future__ import annotations

from sandbox_service.cli import options


def main(argv: list[str]) -> int:
    """Print the document."""
    options.parser("openapi", "Print the OpenAPI document of the HTTP API.").parse_args(argv)

    from sandbox_service.gateway.openapi import text

    print(text(), end="")
    return 0
