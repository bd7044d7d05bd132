"""Talking with a program that runs in a sandbox, and having two of them talk with each other."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import RunRequest

Run = Callable[[RunRequest], Awaitable[Outcome]]
CHUNK = 1 << 16
LEAVE_SECONDS = 5.0
"""How long a program may take to leave after the one that it talked with has ended."""


async def exchange(run: Run, request: RunRequest, given: bytes, most: int) -> tuple[Outcome, bytes]:
    """Run a program that reads `given` from its descriptor 3 and answers on 4.

    Args:
        run: runs the request.
        request: the program.
        given: what it finds on descriptor 3: less than a pipe holds, or all of it as a file.
        most: how many bytes of its answer are read. Who writes more writes into a closed pipe.

    Returns:
        What it did, and its answer: at most `most` bytes and one.
    """
    read, write = os.pipe()
    answer = _Answer(read, most)
    try:
        outcome = await run(replace(request, channel=(_readable(given), write)))
    finally:
        content = answer.take()
    return outcome, content


async def converse(program: Awaitable[Outcome], examiner: Awaitable[Outcome]) -> tuple[Outcome | None, Outcome]:
    """Wait for two programs that talk with each other: the one that is examined, and the one that examines.

    The program is not waited for when the examiner has come to its end: it has nobody left to talk with. `None` stands
    for its outcome where it had to be broken off.
    """
    examined, examining = asyncio.ensure_future(program), asyncio.ensure_future(examiner)
    try:
        await asyncio.wait((examined, examining), return_when=asyncio.FIRST_COMPLETED)
        if examined.done():
            examined.result()  # a failure of ours is not waited with
        said = await examining
        await asyncio.wait((examined,), timeout=LEAVE_SECONDS)
        return examined.result() if examined.done() else None, said
    finally:
        examined.cancel()
        examining.cancel()
        await asyncio.gather(examined, examining, return_exceptions=True)


def pipes() -> tuple[tuple[int, int], tuple[int, int]]:
    """The channels of two programs: what one writes the other reads."""
    (read, write), (other_read, other_write) = os.pipe(), os.pipe()
    return (read, other_write), (other_read, write)


def _readable(content: bytes) -> int:
    """A descriptor that gives the content and then ends: a pipe, from which it can be read but once, if it fits."""
    if len(content) <= CHUNK // 2:
        read, write = os.pipe()
        with open(write, "wb", buffering=0) as end:
            end.write(content)
        return read
    fd = os.memfd_create("given", os.MFD_CLOEXEC)
    with open(fd, "wb", closefd=False) as file:
        file.write(content)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


class _Answer:
    """Reads a pipe while a program runs; owns it."""

    def __init__(self, fd: int, most: int) -> None:
        self._fd, self._most, self._content = fd, most, bytearray()
        self._open = True
        os.set_blocking(fd, False)
        asyncio.get_running_loop().add_reader(fd, self._read)

    def take(self) -> bytes:
        """What has come until now; nothing more is read."""
        # Not to the end of the pipe: a program can see to it that there is none.
        while self._open and self._read():
            pass
        self._close()
        return bytes(self._content)

    def _read(self) -> bool:
        """Whether there was something."""
        try:
            data = os.read(self._fd, CHUNK)
        except BlockingIOError:
            return False
        self._content += data[: self._most + 1 - len(self._content)]
        if not data or len(self._content) > self._most:
            self._close()
        return bool(data)

    def _close(self) -> None:
        if self._open:
            self._open = False
            asyncio.get_running_loop().remove_reader(self._fd)
            os.close(self._fd)
