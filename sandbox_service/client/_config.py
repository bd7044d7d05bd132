"""Where the service is and how to talk to it."""

from __future__ import annotations

import os
import ssl
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import httpx

from sandbox_service.client._wire import Request

DEFAULT_URL = "http://127.0.0.1:8000"
PATIENCE_SECONDS = 60.0
CONNECTIONS = 256


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a client. The key is never shown."""

    url: str
    key: str | None = field(repr=False)
    patience: float

    @classmethod
    def of(cls, url: str | None, key: str | None, patience: float) -> Config:
        """Fill in what was left open from `SANDBOX_URL` and `SANDBOX_KEY`.

        Raises:
            ValueError: the URL is no http(s) URL.
        """
        url = url or os.environ.get("SANDBOX_URL") or DEFAULT_URL
        if httpx.URL(url).scheme not in ("http", "https") or not httpx.URL(url).host:
            raise ValueError(f"{url!r} is no URL of a service: give one such as {DEFAULT_URL}")
        _no_tls()
        return cls(url, key or os.environ.get("SANDBOX_KEY") or None, patience)

    def http(self) -> dict[str, Any]:
        """The arguments of an httpx client."""
        url = httpx.URL(self.url)
        return {
            "base_url": url,
            "headers": {"Authorization": f"Bearer {self.key}"} if self.key else {},
            "limits": httpx.Limits(max_connections=CONNECTIONS),
            # A proxy named by the environment cannot reach this machine's loopback for us.
            "trust_env": url.host not in ("127.0.0.1", "::1", "localhost"),
            # Without https there is nothing to verify, and loading the certificates takes 20 ms.
            "verify": url.scheme == "https" or _no_tls(),
        }


@cache
def _no_tls() -> ssl.SSLContext:
    """What httpx would make for each connection pool, and never use.

    Made once and early: a process that was forked while a thread of its parent was ending may wait for ever for a lock
    of OpenSSL.
    """
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def arguments(request: Request) -> dict[str, Any]:
    """The arguments of httpx's `stream` for a request."""
    return {
        "method": request.method,
        "url": request.path,
        "params": dict(request.params),
        "content": request.content,
        "headers": dict(request.headers),
        # A connection of our own pool may be waited for as long as it takes.
        "timeout": httpx.Timeout(10.0, read=request.silence_seconds, write=60.0, pool=None),
    }


def body(
    code: str | bytes | None, language: str, stdin: str | bytes, args: list[str | bytes] | None, fields: dict[str, Any]
) -> dict[str, Any]:
    """The submission of a `run` task."""
    task = {"type": "run", "stdin": stdin, "args": args or []}
    given = {name: value for name, value in fields.items() if value is not None}
    return {"language": language, "task": task} | ({} if code is None else {"code": code}) | given
