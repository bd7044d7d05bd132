"""Reading request bodies: the right type, and never more than the cap."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from fastapi import Request

from sandbox_service.contract.problem import ProblemError

JSON, JSON_LINES = "application/json", "application/jsonl"


def media_type(request: Request, offered: Collection[str]) -> str:
    """The body's media type without its parameters.

    Raises:
        ProblemError: 415, it is not one of those offered, or the body is compressed.
    """
    name = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if name not in offered:
        raise ProblemError(415, "unsupported_media_type", f"send {' or '.join(offered)}", field="Content-Type")
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise ProblemError(415, "unsupported_encoding", "send the body uncompressed", field="Content-Encoding")
    return name


async def read(request: Request, cap: int, idle_seconds: float) -> bytes:
    """The whole body.

    Args:
        request: whose body it is.
        cap: the most bytes; a body that announces more is refused before any of it is read.
        idle_seconds: how long the sender may pause.

    Raises:
        ProblemError: 413 over the cap, 408 after too long a pause.
    """
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > cap:
        raise _too_large(cap)
    loop = asyncio.get_running_loop()
    chunks, size = [], 0
    try:
        async with asyncio.timeout(idle_seconds) as timer:
            async for chunk in request.stream():
                size += len(chunk)
                if size > cap:
                    raise _too_large(cap)
                chunks.append(chunk)
                timer.reschedule(loop.time() + idle_seconds)
    except TimeoutError:
        detail = f"no more of the body came for {idle_seconds:g} s"
        raise ProblemError(408, "body_timeout", detail, retryable=True, headers={"Connection": "close"}) from None
    return b"".join(chunks)


def _too_large(cap: int) -> ProblemError:
    return ProblemError(413, "body_too_large", f"a request body is at most {cap} bytes", field="body")
