"""The outermost layer: foreign hosts are turned away, requests counted, and no exception gets past."""

from __future__ import annotations

import logging
import time

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandbox_service.contract.problem import ProblemError
from sandbox_service.gateway import problems
from sandbox_service.telemetry.metrics import Metrics

UNMATCHED = "unmatched"
GONE = 499  # the client left before it was answered
logger = logging.getLogger(__name__)


class Edge:
    """An ASGI layer around the whole application.

    Args:
        app: what is inside.
        metrics: where requests are counted.
        hosts: names that a Host header may have; `None` allows any.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, hosts: frozenset[str] | None) -> None:
        self._app, self._metrics, self._hosts = app, metrics, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection of ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            self._check_host(scope)
            await self._app(scope, receive, watched)
        except ClientDisconnect:
            status = status or GONE
        except Exception as error:
            if status:  # too late to answer: the connection has to break
                raise
            await problems.response(_as_problem(error), problems.instance(scope))(scope, receive, watched)
        finally:
            route = getattr(scope.get("route"), "path", UNMATCHED)
            self._metrics.request(route, scope["method"], status or 500, time.perf_counter() - started)

    def _check_host(self, scope: Scope) -> None:
        """A foreign name in Host means that a page in someone's browser had its name point here."""
        host = Headers(scope=scope).get("host", "").lower()
        name = host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
        if self._hosts is not None and name not in self._hosts:
            raise ProblemError(400, "host_not_allowed", "this name is not among the allowed hosts", field="Host")


def _as_problem(error: Exception) -> ProblemError:
    if isinstance(error, ProblemError):
        return error
    logger.error("a request failed", exc_info=error)
    return problems.internal()
