"""The OpenAPI document without a running service, for the committed copy in `docs/openapi.json`."""

from __future__ import annotations

import json

from sandbox_service.gateway import description
from sandbox_service.gateway.app import create_app
from sandbox_service.gateway.settings import GatewaySettings


def document() -> description.Document:
    """The document of a gateway with default settings; Redis is not asked."""
    return description.of(create_app(GatewaySettings(redis_url="redis://localhost")))


def text() -> str:
    """The document as the committed copy holds it."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"
