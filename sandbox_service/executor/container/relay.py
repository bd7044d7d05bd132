"""A program's channel, where its descriptors cannot be handed to it: what passes through it travels with our own words.

Either side may have `WINDOW` bytes on their way, so that nobody has to keep more, and nobody waits who has something
else to see to.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from sandbox_service.executor import wire

WINDOW, MOST = 1 << 16, 1 << 16
Send = Callable[[dict[str, Any], bytes], Coroutine[Any, Any, None]]


class Relay:
    """Between the two pipe ends of a request and init. It owns the ends.

    Args:
        reading: what is to be read from this goes to the program.
        writing: what the program says goes there.
        send: sends words to init, with bytes.
    """

    def __init__(self, reading: int, writing: int, send: Send) -> None:
        self._reading: int | None = reading
        self._writing: int | None = writing
        self._send, self._credit = send, WINDOW
        self._room, self._said = asyncio.Event(), asyncio.Queue[bytes]()
        self._room.set()
        for fd in (reading, writing):
            os.set_blocking(fd, False)
        self._feeding = asyncio.create_task(self._feed())
        self._saying = asyncio.create_task(self._hand_on())

    def hear(self, header: dict[str, Any], data: bytes) -> None:
        """Words of init that are not its answer."""
        if "said" in header:
            self._said.put_nowait(data)
        elif "took" in header:
            self._credit += int(header["took"])
            self._room.set()
        else:
            self._feeding.cancel()
            self._close_reading()

    async def _feed(self) -> None:
        """Read what is for the program, and send it."""
        while self._reading is not None:
            await self._room.wait()
            data = await self._read(self._reading, self._credit)
            self._credit -= len(data)
            if not self._credit:
                self._room.clear()
            if not data:
                self._close_reading()
                return await self._send({"kind": "fed"}, b"")
            await self._send({"kind": "feed", "size": len(data)}, data)
        return None

    async def _hand_on(self) -> None:
        """Write what the program says."""
        while self._writing is not None:
            data = await self._said.get()
            if not data:
                return self._close_writing()
            try:
                await self._write(self._writing, data)
            except BrokenPipeError:
                self._close_writing()
                with suppress(wire.Broken):
                    await self._send({"kind": "deaf"}, b"")
            else:
                with suppress(wire.Broken):  # the run is over; its last words are handed on all the same
                    await self._send({"kind": "took", "count": len(data)}, b"")
        return None

    async def _read(self, fd: int, most: int) -> bytes:
        while True:
            try:
                return os.read(fd, most)
            except BlockingIOError:
                await _ready(fd, reading=True)

    async def _write(self, fd: int, data: bytes) -> None:
        while data:
            try:
                data = data[os.write(fd, data) :]
            except BlockingIOError:
                await _ready(fd, reading=False)

    def _close_reading(self) -> None:
        if self._reading is not None:
            os.close(self._reading)
            self._reading = None

    def _close_writing(self) -> None:
        if self._writing is not None:
            os.close(self._writing)
            self._writing = None

    async def end(self, *, at_once: bool) -> None:
        """The run is over: nothing more is for the program, and what it said is handed on, if not at once."""
        self._feeding.cancel()
        await asyncio.wait([self._feeding])
        self._close_reading()
        self._said.put_nowait(b"")
        if at_once:
            self._saying.cancel()
        await asyncio.wait([self._saying])
        self._close_writing()


async def _ready(fd: int, *, reading: bool) -> None:
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    (loop.add_reader if reading else loop.add_writer)(fd, ready.set)
    try:
        await ready.wait()
    finally:
        (loop.remove_reader if reading else loop.remove_writer)(fd)
