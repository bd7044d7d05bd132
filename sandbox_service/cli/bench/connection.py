"""A client that costs next to nothing: what is measured is the service, and both share the cores."""

from __future__ import annotations

import asyncio
from typing import Self, cast
from urllib.parse import urlsplit

import httptools

from sandbox_service.cli.errors import CliError

HEAD = (
    "{method} {path} HTTP/1.1\r\nHost: {host}\r\n"
    "Content-Type: application/json\r\nContent-Length: {length}\r\n{key}\r\n"
)


class Connection(asyncio.Protocol):
    """One connection to a service, for one request at a time.

    Attributes:
        status: the code of the last answer.
        body: its content.
    """

    def __init__(self, host: str, key: str | None) -> None:
        self._host, self._key = host, f"Authorization: Bearer {key}\r\n" if key else ""
        self.status, self.body = 0, b""
        self._parser = httptools.HttpResponseParser(self)
        self._chunks: list[bytes] = []

    @classmethod
    async def to(cls, url: str, key: str | None = None) -> Self:
        """Connect to `http://HOST:PORT`; with a key, if it asks for one.

        Raises:
            CliError: another kind of URL, over which the key would go to whoever listens.
        """
        parts = urlsplit(url)
        if parts.scheme != "http" or parts.path not in ("", "/"):
            raise CliError(f"--url is http://HOST:PORT, not {url}")
        loop = asyncio.get_running_loop()
        host, port = parts.hostname or "", parts.port or 80
        _, connection = await loop.create_connection(lambda: cls(parts.netloc, key), host, port)
        return connection

    async def request(self, method: str, path: str, body: bytes = b"") -> bytes:
        """The body of the answer.

        Raises:
            ConnectionError: there was none.
        """
        self._answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        head = HEAD.format(method=method, path=path, host=self._host, length=len(body), key=self._key)
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
        self.status, self.body = self._parser.get_status_code(), b"".join(chunks)
        if not self._answer.done():
            self._answer.set_result(self.body)
