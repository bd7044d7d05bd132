"""The route that is asked all the time, past FastAPI, which takes longer over a request than all else in here."""

from __future__ import annotations

from typing import Any

from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox_service.gateway import problems
from sandbox_service.gateway.routes import submissions
from sandbox_service.gateway.routes.params import IdempotencyKey, Wait
from sandbox_service.gateway.state import Gateway


class Express:
    """An ASGI layer that answers `POST /v1/submissions` and hands on everything else.

    The route stands in the application as well, for the document that describes it. Here it is asked with the same
    parameters, checked by the same types.

    Args:
        app: what is inside.
        gateway: whose submissions they are.
        routes: of the application; the route is named by the metrics.
    """

    def __init__(self, app: ASGIApp, gateway: Gateway, routes: list[BaseRoute]) -> None:
        self._app, self._gateway = app, gateway
        self._route = next(route for route in routes if getattr(route, "endpoint", None) is submissions.submit)
        self._wait, self._key = TypeAdapter[float](Wait), TypeAdapter[str | None](IdempotencyKey)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection of ASGI."""
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] != submissions.PATH:
            await self._app(scope, receive, send)
            return
        scope["route"] = self._route
        request = Request(scope, receive)
        try:
            response = await self._submit(request)
        except problems.KINDS as error:
            response = await problems.handle(request, error)
        await response(scope, receive, send)

    async def _submit(self, request: Request) -> Any:
        tenant = self._gateway.keys.tenant(request.headers.get("authorization"), "submit")
        wait = _checked(self._wait, ("query", "wait"), request.query_params.get("wait", 0.0))
        key = _checked(self._key, ("header", "Idempotency-Key"), request.headers.get("idempotency-key"))
        return await submissions.submit(request, tenant, wait, key)


def _checked(adapter: TypeAdapter[Any], where: tuple[str, str], value: Any) -> Any:
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        errors = [{**one, "loc": where} for one in error.errors(include_url=False)]
        raise RequestValidationError(errors) from None
