"""Words for the OpenAPI document that several routes share."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from sandbox_service.gateway import problems
from sandbox_service.gateway.body import JSON, JSON_LINES

Responses = dict[int | str, dict[str, Any]]

PROBLEM = {"content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
SECONDS = {"type": "string", "pattern": "^[0-9]+$"}
RETRY_AFTER = {"Retry-After": {"required": True, "schema": SECONDS, "description": "Seconds."}}
HEADERS = {
    401: {"WWW-Authenticate": {"required": True, "schema": {"type": "string"}}},
    429: RETRY_AFTER,
    503: RETRY_AFTER,
}
WHY = {
    400: "The Host header is foreign, or the body is no JSON.",
    401: "No key, or an unknown one.",
    403: "The key lacks the scope.",
    404: "Unknown, another tenant's, or older than results are kept (`result_expired`).",
    408: "The body paused for too long.",
    413: "The body is over the cap.",
    415: "The body's type is not offered.",
    422: "A field or parameter is wrong; `field` names it.",
    429: "The queue is full.",
    500: "The gateway failed.",
    503: "Redis is away.",
}
BODY = (408, 413, 415, 422, 429)
"""What can be wrong where there is a body."""


def refusals(*statuses: int) -> Responses:
    """The problems that a route may answer; those that any route may are added."""
    return {status: _refusal(status) for status in sorted({400, 500, *statuses})}


def answer(status: int, described: dict[str, Any]) -> Responses:
    """One answer that is no refusal."""
    return {status: described}


def _refusal(status: int) -> dict[str, Any]:
    described = {"description": WHY.get(status, HTTPStatus(status).phrase), **PROBLEM}
    return described | ({"headers": HEADERS[status]} if status in HEADERS else {})


def location(path: str) -> dict[str, Any]:
    """The header that says where to go on, below a path."""
    schema = {"type": "string", "pattern": f"^{path}/[a-z]{{3}}_[0-9A-Z]{{26}}$"}
    return {"headers": {"Location": {"required": True, "schema": schema}}}


def lines(schema: str) -> dict[str, Any]:
    """An answer of JSON lines, each of a named schema."""
    return {"content": {JSON_LINES: {"schema": {"type": "string", "contentSchema": _ref(schema)}}}}


def _ref(schema: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{schema}"}


def body(schema: str, *, lines_of: str | None = None) -> dict[str, Any]:
    """A request body of a named schema; with `lines_of`, JSON lines of another are taken as well."""
    content: dict[str, Any] = {JSON: {"schema": _ref(schema)}}
    if lines_of is not None:
        content[JSON_LINES] = {"schema": _ref(lines_of)}
    return {"requestBody": {"required": True, "content": content}}
