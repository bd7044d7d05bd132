"""The OpenAPI document of an application."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from sandbox_service.gateway import schema
from sandbox_service.gateway.state import Gateway

Document = dict[str, Any]
ABOUT = (
    "Programs written by language models in, verdicts and rewards out. Times are seconds, sizes bytes. "
    "Every refusal is an `application/problem+json` document; nothing of a refused request is queued."
)
KEY = {"type": "http", "scheme": "bearer", "description": "A key belongs to a tenant and has scopes."}


def of(app: FastAPI) -> Document:
    """The document, built once an application."""
    if app.openapi_schema is None:
        app.openapi_schema = _build(app, app.state.gateway)
    return app.openapi_schema


def _build(app: FastAPI, gateway: Gateway) -> Document:
    document = get_openapi(title=app.title, version=app.version, description=ABOUT, routes=app.routes)
    schemas = document["components"]["schemas"]
    for generated in ("HTTPValidationError", "ValidationError"):  # our refusals are problems
        schemas.pop(generated, None)
    schemas |= schema.components(gateway.admission)
    document["components"]["schemas"] = dict(sorted(schemas.items()))
    document["components"]["securitySchemes"] = {"key": KEY}
    # Without a keys file everyone is let in, so that a key is only what a client may send.
    security: list[dict[str, list[str]]] = [{"key": []}] if gateway.settings.keys_file else [{}, {"key": []}]
    for path, item in document["paths"].items():
        for operation in item.values():
            _mend(operation)
            if path.startswith("/v1/"):
                operation["security"] = security
    return document


def _mend(operation: Document) -> None:
    """Take out what the framework adds on its own account."""
    del operation["summary"]
    for parameter in operation.get("parameters", ()):
        parameter["schema"].pop("title")
        if "anyOf" in parameter["schema"]:  # a parameter may be absent, but never null
            parameter["schema"] |= parameter["schema"].pop("anyOf")[0]
    for status, answer in list(operation["responses"].items()):
        if "HTTPValidationError" in str(answer):
            del operation["responses"][status]
