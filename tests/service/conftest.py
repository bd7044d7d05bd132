"""A service that others may not learn from: secrets in its environment and in a file of its host."""

from __future__ import annotations

import secrets
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sandbox_service import Client
from tests import whole


@dataclass
class Trap:
    """A port of the host's loopback where nobody should ever call."""

    listener: socket.socket
    visits: list[object] = field(default_factory=list)

    @property
    def port(self) -> int:
        port: int = self.listener.getsockname()[1]
        return port

    def watch(self) -> None:
        while True:
            try:
                connection, address = self.listener.accept()
            except OSError:
                return
            self.visits.append(address)
            connection.close()


@dataclass
class Target:
    """A running service and what attackers are after."""

    up: whole.Up
    client: Client
    trap: Trap
    secret: Path
    token: str

    @property
    def port(self) -> int:
        return int(self.up.url.rsplit(":", 1)[1])


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    folder = tmp_path_factory.mktemp("service")
    token = secrets.token_hex(16)
    secret = folder / "secret"
    secret.write_text(token)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        trap = Trap(listener)
        watcher = threading.Thread(target=trap.watch)
        watcher.start()
        try:
            with whole.up(folder, SERVICE_TOKEN=token) as up, Client(up.url) as client:
                yield Target(up, client, trap, secret, token)
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            watcher.join()
