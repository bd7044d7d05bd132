"""What a sandbox's init says is untrusted: one that lies, or falls silent, is our failure and never an outcome."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import struct
import subprocess
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from sandbox_service.contract.run import File, RunRequest
from sandbox_service.executor import Economy, ExecutorError, wire
from sandbox_service.executor.namespace import NamespaceExecutor, NamespaceSandbox
from tests.executor.place import LIMITS, MIB


def message(header: object, *blobs: bytes) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack(">I", len(text)) + text + b"".join(blobs)


@pytest.fixture
async def ends() -> AsyncIterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with ours, theirs:
        yield ours, theirs


Ends = tuple[socket.socket, socket.socket]


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\0\0",
        message({"a": 1})[:-1],
        struct.pack(">I", wire.MAX_HEADER + 1) + b"{}",
        b"\xff\xff\xff\xff",
        message(b"no JSON"),
        message(b"[]"),
        message(b"\xff\xfe"),
        message(b"[" * 100_000),
        message(b'{"a": ' + b"9" * 5000 + b"}"),
        message(b"null"),
    ],
    ids=["nothing", "half a length", "cut", "too long", "longest", "text", "list", "bytes", "deep", "number", "null"],
)
async def test_what_no_init_sends(ends: Ends, said: bytes) -> None:
    ours, theirs = ends
    theirs.sendall(said)
    theirs.close()
    with pytest.raises(wire.Broken):
        await wire.Channel(ours).header()


async def test_an_answer_in_pieces(ends: Ends) -> None:
    ours, theirs = ends
    task = asyncio.create_task(wire.Channel(ours).header())
    for byte in message({"a": "b"}):
        theirs.sendall(bytes([byte]))
        await asyncio.sleep(0)
    assert await task == {"a": "b"}


async def test_a_request_arrives_whole(ends: Ends) -> None:
    """Also one that is larger than what the socket holds, and with the descriptors beside its first bytes."""
    ours, theirs = ends
    blob = os.urandom(3 * MIB)
    sending = asyncio.create_task(wire.Channel(ours).send({"x": "\udcff"}, [blob, b"end"], [ours.fileno()]))
    data, fds, _, _ = await asyncio.to_thread(socket.recv_fds, theirs, 4, 4)
    for fd in fds:
        os.close(fd)
    assert len(fds) == 1
    rest = await asyncio.to_thread(read, theirs, struct.unpack(">I", data)[0] + len(blob) + 3)
    await sending
    assert rest == b'{"x": "\\udcff"}' + blob + b"end"


def read(sock: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        data += sock.recv(size - len(data))
    return bytes(data)


async def test_nobody_there_to_send_to(ends: Ends) -> None:
    ours, theirs = ends
    theirs.close()
    with pytest.raises(wire.Broken):
        await wire.Channel(ours).send({}, [b"x" * MIB])


# ---- an init of our own that lies ----

TRUE: dict[str, Any] = {
    "status": 0,
    "wall": 0.1,
    "tree_cpu": 0.1,
    "cpu_before": 0.0,
    "warm": False,
    "start": 0.1,
    "killed_by": None,
    "violation": None,
    "stdout": 0,
    "stderr": 0,
    "stdout_cut": False,
    "stderr_cut": False,
    "files": [],
    "cut": [],
}
REQUEST = RunRequest([b"./program"], LIMITS.model_copy(update={"output_bytes": 100}), {"program": File(b"x")})


class Liar:
    """A sandbox that is a mere process, with a socket on which the test answers for init."""

    def __init__(self, executor: NamespaceExecutor) -> None:
        ours, self.init = socket.socketpair()
        ours.setblocking(False)
        process = subprocess.Popen(["sleep", "1000"], stderr=subprocess.PIPE)
        self.sandbox = NamespaceSandbox(executor, Economy(), process, ours)

    async def run(self, answer: bytes) -> Any:
        with self.init:
            self.init.sendall(message({"joined": True}) + message({"kept": True}) + answer)
            self.init.shutdown(socket.SHUT_WR)
            return await self.sandbox.run(REQUEST)


@pytest.fixture
async def liar(executor: NamespaceExecutor) -> AsyncIterator[Liar]:
    liar = Liar(executor)
    yield liar
    await liar.sandbox.kill()
    liar.init.close()


async def test_the_truth(liar: Liar) -> None:
    outcome = await liar.run(message(TRUE | {"stdout": 3, "files": [["a", 2]]}, b"out", b"ab"))
    assert (outcome.exit_code, outcome.stdout, outcome.files) == (0, b"out", {"a": b"ab"})


@pytest.mark.parametrize(
    "lie",
    [
        {"violation": True},
        {"violation": "mount"},
        {"stdout": 101},
        {"stdout": -1},
        {"stderr": 1 << 62},
        {"stdout": "3"},
        {"stdout": None},
        {"stdout": 1.5},
        {"stdout": True},
        {"files": [["a", 1]] * 65},
        {"files": [["a", 9 << 20]]},
        {"files": [["a", -1], ["b", 5]]},
        {"files": [["a", -(1 << 40)], ["b", 1 << 40]]},
        {"files": [["a"]]},
        {"files": {"a": 1}},
        {"files": None},
        {"files": [[1, 1]]},
        {"files": [["a", 1], ["a", 1]]},
        {"status": "0"},
        {"status": None},
        {"status": -1},
        {"status": 1 << 40},
        {"wall": "soon"},
        {"wall": -1.0},
        {"killed_by": "boredom"},
        {"cut": "abc"},
        {"cut": [1]},
        {"stdout_cut": "no"},
        {"start": None},
        {"warm": 1},
        {"cpu_before": -1.0},
        {"stage": "lost", "text": "the zygote died"},
    ],
    ids=str,
)
async def test_a_lie(liar: Liar, lie: dict[str, Any]) -> None:
    with pytest.raises(ExecutorError) as caught:
        await liar.run(message(TRUE | lie, b"x" * 200))
    assert caught.value.kind == "sandbox_lost"
    assert not liar.sandbox.alive


@pytest.mark.parametrize("missing", TRUE)
async def test_a_part_that_is_missing(liar: Liar, missing: str) -> None:
    with pytest.raises(ExecutorError):
        await liar.run(message({name: value for name, value in TRUE.items() if name != missing}))
    assert not liar.sandbox.alive


@pytest.mark.parametrize("cut", [lambda text: text[:2], lambda text: text[:20], lambda text: text[:-1]])
async def test_a_sudden_end(liar: Liar, cut: Callable[[bytes], bytes]) -> None:
    with pytest.raises(ExecutorError) as caught:
        await liar.run(cut(message(TRUE | {"stdout": 3}, b"out")))
    assert caught.value.retryable
