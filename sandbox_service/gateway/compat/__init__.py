"""The interfaces of other services, translated into submissions of ours: a trainer changes one URL.

What differs from the originals stands in `docs/compat.md`.
"""

from __future__ import annotations

from fastapi import FastAPI

from sandbox_service.gateway.compat import nemo_gym, openrlhf, piston, sandboxfusion
from sandbox_service.gateway.compat.ask import Unanswered
from sandbox_service.gateway.compat.route import Routes

PREFIXES = ("/compat", "/compat/k/{key}")
"""The second for clients that cannot send a header."""


def add(app: FastAPI) -> None:
    """Add the routes; the OpenAPI document is about our own interface, and leaves them out."""
    unanswered = Unanswered()
    for prefix in PREFIXES:
        for name, part in {
            "sandboxfusion": sandboxfusion,
            "piston": piston,
            "openrlhf": openrlhf,
            "nemo-gym": nemo_gym,
        }.items():
            part.add(Routes(app, f"{prefix}/{name}", unanswered))
