"""The whole service as a user starts it: `sandbox-service up` in a process of its own."""

from __future__ import annotations

import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

START_SECONDS, STOP_SECONDS = 60, 60
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("SANDBOX_")}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "sandbox_service.cli.main", *arguments]


def run(*arguments: str, stdin: str = "", timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        command(*arguments), input=stdin, capture_output=True, text=True, timeout=timeout, env=ENVIRONMENT, check=False
    )


@dataclass
class Up:
    """A running service."""

    url: str
    process: subprocess.Popen[str]
    log: Path

    def children(self) -> dict[str, list[int]]:
        """Process ids of its gateway and workers, by the command's name."""
        found: dict[str, list[int]] = {}
        for pid, words in self._processes():
            if "sandbox_service.cli.main" in words:
                found.setdefault(words[words.index("sandbox_service.cli.main") + 1], []).append(pid)
        return found

    def queue(self) -> list[int]:
        """Process ids of its queue: one, if it is its own."""
        return [pid for pid, words in self._processes() if "-server" in words[0]]

    def _processes(self) -> list[tuple[int, list[str]]]:
        text = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [(int(pid), words) for pid in text.split() if (words := arguments_of(int(pid)))]

    def pids(self) -> list[int]:
        """Process ids of them all."""
        return [pid for pids in self.children().values() for pid in pids]

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal; the exit code."""
        self.process.send_signal(number)
        return self.process.wait(STOP_SECONDS)


def arguments_of(pid: int) -> list[str]:
    """The command line of a process; of one that has gone, or is but waited for, nothing."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")[:-1]
    except (FileNotFoundError, ProcessLookupError):
        return []


def wait_until_gone(pids: list[int], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while left := [pid for pid in pids if arguments_of(pid)]:
        assert time.monotonic() < end, f"still there: {[arguments_of(pid) for pid in left]}"
        time.sleep(0.05)


@contextmanager
def parts(redis_url: str) -> Iterator[str]:
    """A gateway and a worker, each started by its own command; gives the URL. Both get SIGTERM at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    environment = ENVIRONMENT | {"SANDBOX_REDIS_URL": redis_url}
    commands = (command("gateway", "--port", port), command("worker", "--slots", "1"))
    processes = [subprocess.Popen(arguments, env=environment, stderr=subprocess.DEVNULL) for arguments in commands]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        for process in processes:
            process.terminate()
        codes = [process.wait(STOP_SECONDS) for process in processes]
    assert codes == [0, 0]


@contextmanager
def up(folder: Path, *options: str, **environment: str) -> Iterator[Up]:
    """A service on a free port, its data and its log in a folder."""
    log = folder / "up.log"
    arguments = command("up", "--port", "0", "--data-dir", str(folder / "data"), *options)
    with log.open("wb") as output:
        process = subprocess.Popen(
            arguments, stdout=subprocess.PIPE, stderr=output, text=True, env=ENVIRONMENT | environment
        )
    assert process.stdout is not None
    try:
        readable, _, _ = select.select([process.stdout], [], [], START_SECONDS)
        line = process.stdout.readline() if readable else ""
        found = re.match(r"ready: (\S+)", line)
        assert found, f"not ready: {line!r}\n{log.read_text()}"
        yield Up(found[1], process, log)
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        finally:
            process.kill()
            process.stdout.close()
            process.wait()
