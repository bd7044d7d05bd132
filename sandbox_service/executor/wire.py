"""Messages between the worker and a sandbox's init. What comes back is untrusted: all sizes are checked."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import struct
from collections.abc import Sequence
from typing import Any

MAX_HEADER = 1 << 24


class Broken(Exception):  # noqa: N818
    """The other side ended, or sent what no init sends."""


async def send(sock: socket.socket, header: dict[str, Any], blobs: Sequence[bytes], fds: Sequence[int]) -> None:
    """Send a request: the header's length with the descriptors, the header, the blobs."""
    text = json.dumps(header).encode("ascii")
    loop = asyncio.get_running_loop()
    try:
        # Four bytes into an empty socket are never cut.
        socket.send_fds(sock, [struct.pack(">I", len(text))], fds)
        await loop.sock_sendall(sock, text)
        for blob in blobs:
            await loop.sock_sendall(sock, blob)
    except OSError as error:
        raise Broken(f"init is gone: {error}") from None


async def receive(sock: socket.socket) -> dict[str, Any]:
    """The header of an answer."""
    size = struct.unpack(">I", await receive_exactly(sock, 4))[0]
    if size > MAX_HEADER:
        raise Broken(f"init sent a header of {size} bytes")
    try:
        header = json.loads(await receive_exactly(sock, size))
    except (ValueError, RecursionError) as error:
        raise Broken(f"init sent no JSON: {error}") from None
    if not isinstance(header, dict):
        raise Broken("init sent no object")
    return header


async def receive_exactly(sock: socket.socket, size: int) -> bytes:
    """Exactly `size` bytes."""
    loop, data = asyncio.get_running_loop(), bytearray(size)
    view = memoryview(data)
    while view:
        try:
            count = await loop.sock_recv_into(sock, view)
        except OSError as error:
            raise Broken(f"init is gone: {error}") from None
        if not count:
            raise Broken("init is gone")
        view = view[count:]
    return bytes(data)


def text_of(argument: bytes) -> str:
    """Bytes as a JSON string can carry them; init turns them back with `os.fsencode`."""
    return os.fsdecode(argument)


def path_of(path: str) -> str:
    """A path of the contract, which may hold lone surrogates, likewise."""
    return text_of(path.encode("utf-8", "surrogatepass"))
