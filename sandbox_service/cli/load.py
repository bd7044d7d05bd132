"""A client that costs next to nothing: what is measured is the service, and both share the cores."""

from __future__ import annotations

import asyncio
from typing import Self, cast
from urllib.parse import urlsplit

import httptools

HEAD = "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"


class Connection(asyncio.Protocol):
    """One connection to a service, for one request at a time."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._parser = httptools.HttpResponseParser(self)
        self._chunks: list[bytes] = []

    @classmethod
    async def to(cls, url: str) -> Self:
        """Connect to `http://HOST:PORT`."""
        parts = urlsplit(url)
        loop = asyncio.get_running_loop()
        host, port = parts.hostname or "", parts.port or 80
        _, connection = await loop.create_connection(lambda: cls(parts.netloc), host, port)
        return connection

    async def request(self, method: str, path: str, body: bytes = b"") -> bytes:
        """The body of the answer.

        Raises:
            ConnectionError: there was none.
        """
        self._answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        head = HEAD.format(method=method, path=path, host=self._host, length=len(body))
        self._transport.write(head.encode("ascii") + body)
        return await self._answer

    def close(self) -> None:
        """Hang up."""
        self._transport.close()

    # ---- called by the transport and the parser ----

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to write."""
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Tell who waits."""
        if hasattr(self, "_answer") and not self._answer.done():
            self._answer.set_exception(ConnectionError(f"the service hung up: {error or 'in order'}"))

    def data_received(self, data: bytes) -> None:
        """Go on with the answer."""
        self._parser.feed_data(data)

    def on_body(self, body: bytes) -> None:
        """Keep a piece of the answer."""
        self._chunks.append(body)

    def on_message_complete(self) -> None:
        """Hand over the answer."""
        chunks, self._chunks = self._chunks, []
        if not self._answer.done():
            self._answer.set_result(b"".join(chunks))
