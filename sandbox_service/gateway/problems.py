"""Every refusal is an `application/problem+json` document, whoever refuses."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from redis.exceptions import BusyLoadingError, ConnectionError, OutOfMemoryError, ReadOnlyError, TimeoutError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import Scope

from sandbox_service.contract import parse
from sandbox_service.contract.problem import Problem, ProblemError, printable
from sandbox_service.queue import IdempotencyConflict, QueueFull

MEDIA_TYPE = "application/problem+json"
KEY_IN_PATH = "^(/compat/k/)[^/]*"
AWAY_SECONDS = 2
"""After how long a client may ask again when Redis is away."""
# Redis cannot serve us; any other error of it is a mistake of ours, and a 500.
REDIS_AWAY = (ConnectionError, TimeoutError, BusyLoadingError, OutOfMemoryError, ReadOnlyError)

KINDS = (ProblemError, HTTPException, RequestValidationError, QueueFull, IdempotencyConflict, *REDIS_AWAY)
"""Every exception that a route can raise."""


def response(error: ProblemError, instance: str | None = None) -> Response:
    """The answer that tells of a problem; `instance` is the path of the request."""
    problem = Problem(
        title=HTTPStatus(error.status).phrase,
        status=error.status,
        detail=printable(error.detail),
        instance=instance,
        code=error.code,
        retryable=error.retryable,
        field=error.field and printable(error.field),
    )
    return Response(parse.dumps(problem.model_dump()), error.status, error.headers, MEDIA_TYPE)


def instance(scope: Scope) -> str:
    """The path as it was sent, which is always printable; a key in it is not shown."""
    path = str(scope.get("raw_path", b"/").decode("ascii", "replace"))
    return re.sub(KEY_IN_PATH, r"\1***", path)


def internal() -> ProblemError:
    """The problem of an exception that nobody foresaw; what it says is for the log alone."""
    return ProblemError(500, "internal_error", "the gateway failed; its log says why", retryable=True)


def unavailable(detail: str) -> ProblemError:
    """The problem of a request that cannot be served now."""
    return ProblemError(503, "unavailable", detail, retryable=True, headers={"Retry-After": str(AWAY_SECONDS)})


def not_found(detail: str, code: str = "not_found") -> ProblemError:
    """The problem of a thing that is not there."""
    return ProblemError(404, code, detail)


def install(app: FastAPI) -> None:
    """Let every exception that a route can raise be answered as a problem."""
    for kind in KINDS:
        app.add_exception_handler(kind, handle)


async def handle(request: Request, error: Exception) -> Response:
    """The answer to a request that a route ended with one of `KINDS`."""
    return response(of(request, error), instance(request.scope))


def of(request: Request, error: Exception) -> ProblemError:
    """The problem that one of `KINDS` is."""
    match error:
        case ProblemError():
            return error
        case RequestValidationError():
            return _parameter(error)
        case HTTPException():
            return _http(request, error)
        case QueueFull():
            headers = {"Retry-After": str(error.retry_after)}
            return ProblemError(429, "queue_full", "the queue is full", retryable=True, headers=headers)
        case IdempotencyConflict():
            detail = "this key was used with another body"
            return ProblemError(422, "idempotency_conflict", detail, field="Idempotency-Key")
    return unavailable("the queue cannot be reached")


def _parameter(error: RequestValidationError) -> ProblemError:
    first: dict[str, Any] = error.errors()[0]
    name = "Idempotency-Key" if first["loc"][0] == "header" else str(first["loc"][-1])
    return ProblemError(422, "invalid_parameter", str(first["msg"]), field=name)


def _http(request: Request, error: HTTPException) -> ProblemError:
    if error.status_code == 405:
        headers = {"Allow": ", ".join(allowed_methods(request))}
        return ProblemError(405, "method_not_allowed", f"{request.method} is not offered here", headers=headers)
    if error.status_code == 404:
        return not_found("there is nothing at this path")
    return ProblemError(error.status_code, "http_error", str(error.detail), headers=dict(error.headers or {}))


def allowed_methods(request: Request) -> list[str]:
    """The methods of all routes at this path; the router itself names those of the first one only."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    here = [route for route in routes if route.matches(request.scope)[0] != Match.NONE]
    return sorted({method for route in here for method in route.methods or ()})
