"""A Redis that can be killed and goes on with what it had acknowledged."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from sandbox_service.queue.embedded import find_server

START_SECONDS, STOP_SECONDS = 60.0, 30.0


class Server:
    """Its data stay in the folder.

    It writes to disk before it answers (`appendfsync always`). With `everysec` an answer may run ahead of the file by
    up to two seconds while the disk is slow, and what was acknowledged in that time is lost with the process.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, path = folder, folder / "redis.sock"
        self.url = f"unix://{path}"
        options = {"port": "0", "unixsocket": str(path), "dir": str(folder), "save": "", "appendonly": "yes"}
        options |= {"appendfsync": "always", "maxmemory-policy": "noeviction"}
        self._command = [str(find_server()), *(word for key, value in options.items() for word in (f"--{key}", value))]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it has read its data."""
        self._folder.mkdir(exist_ok=True)
        with (self._folder / "redis.log").open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        end = time.monotonic() + START_SECONDS
        with Redis.from_url(self.url) as redis:
            while True:
                try:
                    redis.ping()
                    return
                except RedisError:
                    assert time.monotonic() < end, (self._folder / "redis.log").read_text()[-2000:]
                    time.sleep(0.02)

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(STOP_SECONDS)
