"""Parts of the contract that are not built yet: they say so, instead of being not found."""

from __future__ import annotations

from fastapi import FastAPI, Response

from sandbox_service.contract.problem import ProblemError

PATHS = (
    "/v1/sessions",
    "/v1/sessions/{rest:path}",
    "/compat/{rest:path}",
)
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]


def add(app: FastAPI) -> None:
    """Add the routes; the OpenAPI document leaves them out."""
    for path in PATHS:
        app.add_api_route(path, not_offered, methods=METHODS, include_in_schema=False)


async def not_offered() -> Response:
    """Refuse."""
    raise ProblemError(501, "not_offered", "this is part of the contract but not offered yet")
