"""The application: settings in, ASGI application out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.routing import BaseRoute

from sandbox_service.gateway import compat, problems
from sandbox_service.gateway.edge import Edge
from sandbox_service.gateway.express import Express
from sandbox_service.gateway.routes import batches, later, pages, service, submissions, trust
from sandbox_service.gateway.settings import GatewaySettings, host_names
from sandbox_service.gateway.state import Gateway


def create_app(settings: GatewaySettings) -> FastAPI:
    """Build a gateway; it connects to Redis when it starts.

    Raises:
        ValueError: a policy, a language or the keys file is not valid.
    """
    gateway = Gateway(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with gateway.running():
            yield
            gateway.waits.close()

    routes: list[BaseRoute] = []  # filled below, before the first request has the layers built
    app = FastAPI(
        title="sandbox-service",
        version="1",
        generate_unique_id_function=lambda route: route.name,
        lifespan=lifespan,
        openapi_url=None,  # see routes/pages.py
        redirect_slashes=False,
        middleware=[
            Middleware(Edge, metrics=gateway.metrics, hosts=host_names(settings)),
            Middleware(Express, gateway=gateway, routes=routes),
        ],
    )
    app.state.gateway = gateway
    problems.install(app)
    for part in (submissions, batches, trust, service, pages, compat, later):
        part.add(app)
    routes += app.routes
    return app
