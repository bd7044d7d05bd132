"""Two pipe ends of ours that a program finds as its descriptors 3 and 4."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from sandbox_service.contract.run import File, RunRequest
from sandbox_service.executor import ExecutorError, NamespaceExecutor
from tests.executor.place import LIMITS, PYTHON, Place

OPEN = "import os\nprint(sorted(int(name) for name in os.listdir('/proc/self/fd'))[:-1])\n"
LEAVES_ONE_BEHIND = """
import os, time
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
os.write(4, b"gone")
os._exit(0)
"""
ASK = """
import os
for number in range(500):
    os.write(4, b"%04d" % number)
    assert os.read(3, 4) == b"%04d" % -number
print(number)
"""
ANSWER = """
import os
while text := os.read(3, 4):
    os.write(4, b"%04d" % -int(text))
print("end")
"""
OPEN_THE_OTHER_END = """
import os
for fd, how in ((3, os.O_WRONLY), (4, os.O_RDONLY)):
    try:
        os.open(f"/proc/self/fd/{fd}", how)
    except OSError as error:
        print(error.errno)
"""


def request(code: str, channel: tuple[int, int] | None, **limits: float) -> RunRequest:
    files = {"main.py": File(code.encode())}
    return RunRequest([PYTHON, b"main.py"], LIMITS.model_copy(update=limits), files, channel=channel)


def crossed() -> tuple[tuple[int, int], tuple[int, int]]:
    """Two pipes; what one side writes the other reads."""
    (read, write), (other_read, other_write) = os.pipe(), os.pipe()
    return (read, other_write), (other_read, write)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def read_all(fd: int) -> bytes:
    """To the end, which comes when nobody can write any more."""

    def read() -> bytes:
        with open(fd, "rb") as end:
            return end.read()

    return await asyncio.to_thread(read)


async def test_without_one_there_is_none(place: Place) -> None:
    assert (await place.python(OPEN)).stdout == b"[0, 1, 2]\n"


async def test_the_program_has_it_and_nothing_else(place: Place) -> None:
    theirs, (read, write) = crossed()
    os.write(write, b"hello")
    os.close(write)
    reading = asyncio.create_task(read_all(read))
    outcome = await place.sandbox.run(request(OPEN + "os.write(4, os.read(3, 99).upper())\n", theirs))
    assert outcome.stdout == b"[0, 1, 2, 3, 4]\n"
    assert await reading == b"HELLO"


async def test_it_ends_with_the_program_whatever_that_leaves_behind(place: Place) -> None:
    theirs, (read, write) = crossed()
    reading = asyncio.create_task(read_all(read))
    code = (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)\nos.write(4, b'gone')\nos._exit(0)\n"
    )
    await place.sandbox.run(request(code, theirs))
    assert await reading == b"gone"
    os.close(write)


async def test_two_sandboxes_talk(executor: NamespaceExecutor) -> None:
    """And each of them sees when the other has ended."""
    one, other = await executor.open(), await executor.open()
    ours, theirs = crossed()
    asked, answered = await asyncio.gather(one.run(request(ASK, ours)), other.run(request(ANSWER, theirs)))
    assert (asked.stdout, asked.exit_code) == (b"499\n", 0), asked
    assert (answered.stdout, answered.exit_code) == (b"end\n", 0), answered
    await one.close()
    await other.close()


async def test_a_program_cannot_open_the_other_end(place: Place) -> None:
    theirs, (read, write) = crossed()
    outcome = await place.sandbox.run(request(OPEN_THE_OTHER_END, theirs))
    assert outcome.stdout == b"13\n13\n"
    os.close(read)
    os.close(write)


@pytest.mark.parametrize("broken", [False, True])
async def test_it_is_closed_here(executor: NamespaceExecutor, broken: bool) -> None:
    """However the run ends: else the other side would wait for ever."""
    sandbox = await executor.open()
    if broken:
        await sandbox.kill()
    before = open_files()
    theirs, (read, write) = crossed()
    try:
        await sandbox.run(request("", theirs))
    except ExecutorError:
        assert broken
    assert await read_all(read) == b""
    os.close(write)
    assert open_files() <= before
    await sandbox.close()
