"""What routes take from a request besides its body."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Header, Path, Query, Request

from sandbox_service.gateway.auth import Scope
from sandbox_service.gateway.state import gateway_of

_ULID = "[0-7][0-9A-HJKMNP-TV-Z]{25}"
MOST_WAIT_SECONDS = 60


def _needs(scope: Scope) -> Callable[[Request], Awaitable[str]]:
    async def tenant(request: Request) -> str:
        return gateway_of(request).keys.tenant(request.headers.get("authorization"), scope)

    return tenant


READS = [Depends(_needs("read"))]
"""For routes that show the same to every tenant."""
ADMINISTERS = [Depends(_needs("admin"))]
"""For routes that change what all tenants share."""
Submitter = Annotated[str, Depends(_needs("submit"))]
"""The tenant of a request that submits or cancels."""
Reading = Annotated[str, Depends(_needs("read"))]
"""The tenant of a request that only looks."""

Wait = Annotated[
    float,
    Query(ge=0, le=MOST_WAIT_SECONDS, allow_inf_nan=False, description="Seconds to wait for the submission to end."),
]
# Ids of another form are not refused but not found, like any other that nothing is known of.
SubmissionId = Annotated[str, Path(json_schema_extra={"pattern": f"^sub_{_ULID}$"})]
BatchId = Annotated[str, Path(json_schema_extra={"pattern": f"^bat_{_ULID}$"})]
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        pattern="^[!-~](?:[ -~]{0,253}[!-~])?$",
        description="The same key with the same body gives the same submission again, as long as its result lives.",
    ),
]
