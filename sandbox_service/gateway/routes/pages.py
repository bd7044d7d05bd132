"""Pages for people, and the OpenAPI document. They load nothing from elsewhere."""

from __future__ import annotations

import html
from typing import Any

from fastapi import FastAPI, Request, Response
from starlette.responses import HTMLResponse

from sandbox_service.contract import parse
from sandbox_service.gateway import description
from sandbox_service.gateway.body import JSON

LINKS = ("/docs", "/openapi.json", "/v1/languages", "/v1/policies", "/v1/workers", "/v1/stats", "/metrics", "/readyz")
PAGE = "<!doctype html><meta charset=utf-8><title>{title}</title><h1>{title}</h1>{body}"


def add(app: FastAPI) -> None:
    """Add the routes; the OpenAPI document does not list itself."""
    for path, endpoint in (("/", home), ("/docs", docs), ("/openapi.json", openapi)):
        app.add_api_route(path, endpoint, include_in_schema=False)


async def home() -> Response:
    """Where to go from here."""
    links = "".join(f'<li><a href="{link}">{link}</a>' for link in LINKS)
    return HTMLResponse(PAGE.format(title="sandbox-service", body=f"<p>The operator page comes later.<ul>{links}</ul>"))


async def openapi(request: Request) -> Response:
    """The OpenAPI document."""
    return Response(parse.dumps(description.of(request.app)), media_type=JSON)


async def docs(request: Request) -> Response:
    """The operations of the document in a readable form."""
    document = description.of(request.app)
    sections = [
        _operation(method, path, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
    ]
    body = '<p>In full: <a href="/openapi.json">/openapi.json</a>' + "".join(sections)
    return HTMLResponse(PAGE.format(title="sandbox-service: operations", body=body))


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    takes = [f"{one['in']} <code>{_text(one['name'])}</code>" for one in operation.get("parameters", ())]
    takes += [f"body {_text(kind)}" for kind in operation.get("requestBody", {}).get("content", ())]
    answers = [f"<li>{status}: {_text(one['description'])}" for status, one in operation["responses"].items()]
    return (
        f"<h2><code>{method.upper()} {_text(path)}</code></h2><p>{_text(operation.get('description', ''))}"
        f"<p>Takes: {', '.join(takes) or 'nothing'}<ul>{''.join(answers)}</ul>"
    )


def _text(value: str) -> str:
    return html.escape(value)
