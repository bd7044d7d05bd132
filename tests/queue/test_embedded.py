"""The server of our own: private, durable, and never left behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from sandbox_service.queue import EmbeddedServer, ServerNotStarted, connect, embedded


def path_of(url: str) -> Path:
    return Path(url.removeprefix("unix://"))


async def test_it_keeps_what_it_was_told(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "redis") as server:
        redis = connect(server.url)
        await redis.set("key", "value")
        wanted = {"appendonly": "yes", "appendfsync": "everysec", "maxmemory-policy": "noeviction", "port": "0"}
        assert {name: (await redis.config_get(name))[name] for name in wanted} == wanted
        assert stat.S_IMODE(path_of(server.url).stat().st_mode) == 0o600
        assert stat.S_IMODE(path_of(server.url).parent.stat().st_mode) == 0o700
        await redis.aclose()
    assert not _alive(server.pid)
    with server:
        redis = connect(server.url)
        assert await redis.get("key") == b"value"
        await redis.aclose()


async def test_without_a_folder_it_leaves_nothing(tmp_path: Path) -> None:
    with EmbeddedServer() as server:
        folder = path_of(server.url).parent
        assert folder.is_dir()
    assert not folder.exists()


async def test_a_folder_with_a_long_or_odd_name(tmp_path: Path) -> None:
    for name in ("l" * 150, "a b%20?#"):
        with EmbeddedServer(tmp_path / name) as server:
            redis = connect(server.url)
            assert await redis.ping()
            await redis.aclose()
        assert (tmp_path / name / "appendonlydir").is_dir()


async def test_a_long_name_of_the_folder_for_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / ("l" * 150)
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    with EmbeddedServer() as server:
        redis = connect(server.url)
        assert await redis.ping()
        await redis.aclose()
    assert not list(folder.iterdir())
    assert not path_of(server.url).parent.exists()


async def test_the_client_speaks_tcp_as_well(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with EmbeddedServer() as server:
        local, remote = connect(server.url), connect(f"redis://127.0.0.1:{port}/0")
        await local.config_set("port", port)
        await local.set("key", "value")
        assert await remote.get("key") == b"value"
        await local.aclose()
        await remote.aclose()


def test_two_servers_never_share_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "LOCK_SECONDS", 0.1)
    with EmbeddedServer(tmp_path), pytest.raises(ServerNotStarted, match=re.escape(str(tmp_path))):
        EmbeddedServer(tmp_path).start()


def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").write_text("not a folder")
    with pytest.raises(ServerNotStarted, match="appendonlydir"):
        EmbeddedServer(tmp_path).start()


def test_the_systems_server_is_taken_if_it_is_new_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ours = embedded.find_server()
    assert ours.parent.parent.name == "_binaries"
    program = tmp_path / "redis-server"
    for version, found in (("6.2.1", ours), ("7.0.15", program)):
        program.write_text(f"#!/bin/sh\necho 'Redis server v={version} sha=0:0 malloc=libc'\n")
        program.chmod(0o755)
        assert embedded.find_server() == found


def test_it_is_started_from_the_main_thread_alone(tmp_path: Path) -> None:
    caught: list[BaseException] = []

    def start() -> None:
        try:
            EmbeddedServer(tmp_path).start()
        except RuntimeError as error:
            caught.append(error)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert "main thread" in str(caught[0])


async def test_it_ends_with_a_process_that_is_killed_and_the_next_one_goes_on(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib\n"
        "from sandbox_service.queue import EmbeddedServer\n"
        "server = EmbeddedServer(pathlib.Path(sys.argv[1]))\n"
        "server.start()\n"
        "print(server.pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: ASYNC220
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        redis = connect(f"unix://{tmp_path}/redis.sock")
        await redis.set("key", "value")
        await redis.aclose()
        process.send_signal(signal.SIGKILL)
    with EmbeddedServer(tmp_path) as server:  # waits until the other one is gone
        assert not _alive(pid)
        redis = connect(server.url)
        assert await redis.get("key") == b"value"
        await redis.aclose()


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    # An orphan that ended may wait for whoever adopted it.
    return state != "Z"


KILLED = """
import os, signal
from sandbox_service.queue import EmbeddedServer
server = EmbeddedServer()
server.start()
print(server.url, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_left_goes_with_the_next_one() -> None:
    said = subprocess.run(
        [sys.executable, "-c", KILLED], capture_output=True, text=True, timeout=60, check=False
    ).stdout
    left = Path(said.strip().removeprefix("unix://")).parent
    assert left.is_dir()
    with EmbeddedServer() as server:
        running = Path(server.url.removeprefix("unix://")).parent
        assert left.is_dir()  # too young to be told from one that is just being made
        for folder in (left, running):
            os.utime(folder, (0, 0))
        with EmbeddedServer():
            assert not left.exists()
            assert running.is_dir()
