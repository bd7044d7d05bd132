"""The Redis that the environment names, with a password in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox_service.cli import redis
from sandbox_service.cli.errors import CliError
from sandbox_service.cli.main import main
from sandbox_service.queue import EmbeddedServer
from sandbox_service.queue.connect import connect

PASSWORD = "a/b@c:d e"


def test_the_password_is_made_part_of_the_url(tmp_path: Path) -> None:
    (tmp_path / "password").write_text(f"{PASSWORD}\n")
    made = redis._with_password("redis://queue.example:6379/2", tmp_path / "password")
    assert made == "redis://:a%2Fb%40c%3Ad%20e@queue.example:6379/2"
    options = connect(made).connection_pool.connection_kwargs
    assert (options["password"], options["host"], options["db"]) == (PASSWORD, "queue.example", 2)


def test_a_password_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(CliError, match="SANDBOX_REDIS_PASSWORD_FILE"):
        redis._with_password("redis://queue.example", tmp_path / "none")


def test_no_worker_works_here(monkeypatch: pytest.MonkeyPatch) -> None:
    with EmbeddedServer() as server:
        monkeypatch.setenv("SANDBOX_REDIS_URL", server.url)
        assert main(["worker", "--healthy"]) == 1
