"""Routes of the compatibility endpoints: who asks, what was sent, and refusals in the original's form."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import FastAPI, Request, Response
from pydantic import BaseModel, PlainValidator, ValidationError
from pydantic_core import PydanticCustomError
from starlette.requests import ClientDisconnect

from sandbox_service.contract import parse
from sandbox_service.contract.problem import ProblemError, invalid
from sandbox_service.gateway import body, problems
from sandbox_service.gateway.compat.ask import Asker, Unanswered
from sandbox_service.gateway.edge import GONE
from sandbox_service.gateway.state import gateway_of

M = TypeVar("M", bound=BaseModel)
Answer = Callable[[Asker, Any], Awaitable[Response]]
"""Makes an answer of who asks and the body that was sent, parsed; of a GET the body is null."""
Refuse = Callable[[ProblemError], Response]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise PydanticCustomError("text", "must be a string")
    return value


Text = Annotated[str, PlainValidator(_text)]
"""A string; models write lone surrogates, which pydantic's own does not take."""

DANGEROUS = frozenset(
    {"callback_url", "webhook", "webhook_url", "copyIn", "copyOut", "copyOutDir", "mounts", "volumes", "devices"}
    | {"network", "network_mode", "enable_network", "networking", "allow_network", "internet", "proxy"}
    | {"privileged", "capabilities", "user", "uid", "image", "docker_image", "env", "environment"}
)
"""Fields by which other services let a request read from, write to or reach what is outside the sandbox."""


@dataclass(frozen=True, slots=True)
class Routes:
    """Adds the routes of one service below a prefix."""

    app: FastAPI
    prefix: str
    unanswered: Unanswered

    def add(self, method: str, path: str, answer: Answer, refuse: Refuse = problems.response) -> None:
        """Add a route; `refuse` makes the answer to what cannot be done, in the form of the original."""

        async def endpoint(request: Request) -> Response:
            try:
                asker = Asker(gateway_of(request), tenant(request), request, self.unanswered)
                return await answer(asker, None if method == "GET" else await _content(request))
            except ClientDisconnect:
                return Response(status_code=GONE)
            except problems.KINDS as error:
                return refuse(problems.of(request, error))

        self.app.add_api_route(self.prefix + path, endpoint, methods=[method], include_in_schema=False)


def tenant(request: Request) -> str:
    """The tenant of a request, by the key in its path or in its header.

    Raises:
        ProblemError: 401, 403; also of a key in a path that may do more than submit: paths end up in logs of others.
    """
    keys, key = gateway_of(request).keys, request.path_params.get("key")
    if key is None:
        return keys.tenant(request.headers.get("authorization"), "submit")
    return keys.tenant(f"Bearer {key}", "submit", alone=True)


async def _content(request: Request) -> dict[str, Any]:
    settings = gateway_of(request).settings
    body.media_type(request, [body.JSON])
    content = parse.loads(await body.read(request, settings.body_bytes, settings.body_idle_seconds))
    if not isinstance(content, dict):
        raise ProblemError(422, "invalid_field", "the body is an object", field="body")
    return content


def refuse_dangerous(content: dict[str, Any]) -> None:
    """Let what asks for nothing outside the sandbox pass.

    Raises:
        ProblemError: 422, naming the field.
    """
    if refused := DANGEROUS & content.keys():
        name = min(refused)
        raise ProblemError(422, "refused_field", f"{name} reaches outside the sandbox and is refused", field=name)


def checked(model: type[M], content: Any, prefix: str = "") -> M:
    """A body as a model.

    Raises:
        ProblemError: 422, naming the field.
    """
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise invalid(error, prefix) from None


def json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer."""
    return Response(parse.dumps(value), status, headers, body.JSON)
