"""Runs a gateway under uvicorn and drains it on SIGTERM."""

from __future__ import annotations

import socket

import uvicorn

from sandbox_service.gateway.app import create_app
from sandbox_service.gateway.settings import GatewaySettings, check_bind
from sandbox_service.gateway.waits import Waits


class Server(uvicorn.Server):
    """uvicorn waits for open answers before it tells the application that it ends; ours have to hear of it first."""

    def __init__(self, config: uvicorn.Config, waits: Waits) -> None:
        super().__init__(config)
        self._waits = waits

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the listener, let waits and streams end, then stop."""
        self._waits.close()
        await super().shutdown(sockets)


def build(settings: GatewaySettings) -> Server:
    """A server that is ready to `run()`, or to `serve()` in a loop that is there already.

    On SIGTERM or SIGINT waits and streams end at once, and other requests within `drain_seconds`.

    Raises:
        ValueError: the settings, a policy, a language or the keys file is not valid.
    """
    check_bind(settings)
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        http="httptools",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=settings.drain_seconds,
    )
    return Server(config, app.state.gateway.waits)
