"""Messages between the worker and a sandbox's init. What comes back is untrusted: all sizes are checked."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import struct
from collections import deque
from collections.abc import Sequence
from typing import Any

MAX_HEADER = 1 << 24
AT_ONCE, MOST_AT_ONCE = 1 << 16, 1 << 20


class Broken(Exception):  # noqa: N818
    """The other side ended, or sent what no init sends."""


class Channel:
    """The worker's end of the socket to an init.

    Args:
        sock: it must not block.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._sock, self._ahead = sock, b""

    async def send(self, header: dict[str, Any], blobs: Sequence[bytes] = (), fds: Sequence[int] = ()) -> None:
        """Send a request: the header's length with the descriptors, the header, the blobs."""
        text = json.dumps(header).encode("ascii")
        # As much as goes at once: init wakes up with the first piece, and again for each that comes after.
        pieces, first = deque[bytes]([struct.pack(">I", len(text)), text, *blobs]), bytearray()
        while pieces and len(first) + len(pieces[0]) <= AT_ONCE:
            first += pieces.popleft()
        loop = asyncio.get_running_loop()
        try:
            # Not all of it may fit, but something always does into an empty socket, and with it the descriptors.
            sent = socket.send_fds(self._sock, [first], fds)
            for piece in (bytes(first[sent:]), *pieces):
                if piece:
                    await loop.sock_sendall(self._sock, piece)
        except OSError as error:
            raise Broken(f"init is gone: {error}") from None

    async def put(self, data: bytes) -> None:
        """Send bytes as they are."""
        try:
            await asyncio.get_running_loop().sock_sendall(self._sock, data)
        except OSError as error:
            raise Broken(f"init is gone: {error}") from None

    async def header(self) -> dict[str, Any]:
        """The header of an answer."""
        size = struct.unpack(">I", await self.exactly(4))[0]
        if size > MAX_HEADER:
            raise Broken(f"init sent a header of {size} bytes")
        try:
            header = json.loads(await self.exactly(size))
        except (ValueError, RecursionError) as error:
            raise Broken(f"init sent no JSON: {error}") from None
        if not isinstance(header, dict):
            raise Broken("init sent no object")
        return header

    async def exactly(self, size: int) -> bytes:
        """Exactly `size` bytes."""
        if len(self._ahead) < size:
            await self._fetch(size)
        data, self._ahead = self._ahead[:size], self._ahead[size:]
        return data

    async def _fetch(self, size: int) -> None:
        """Read until there are `size` bytes, and whatever comes with them."""
        data = bytearray(self._ahead)
        while len(data) < size:
            try:
                more = await self._receive(max(AT_ONCE, min(size - len(data), MOST_AT_ONCE)))
            except OSError as error:
                raise Broken(f"init is gone: {error}") from None
            if not more:
                raise Broken("init is gone")
            data += more
        self._ahead = bytes(data)

    async def _receive(self, most: int) -> bytes:
        """Some bytes, at most so many; none once there will be no more."""
        return await asyncio.get_running_loop().sock_recv(self._sock, most)

    def close(self) -> None:
        """Hang up; init ends."""
        self._sock.close()


def text_of(argument: bytes) -> str:
    """Bytes as a JSON string can carry them; init turns them back with `os.fsencode`."""
    return os.fsdecode(argument)


def path_of(path: str) -> str:
    """A path of the contract, which may hold lone surrogates, likewise."""
    return text_of(path.encode("utf-8", "surrogatepass"))
