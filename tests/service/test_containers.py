"""Policies that want containers, through the whole service: a daemon and an image of the tests' own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from sandbox_service import Client
from tests import whole
from tests.executor.daemon import IMAGE, client, docker_daemon
from tests.executor.image import SMALL, make_root

MEMORY = "/dev/shm"
CASES = [{"stdin": "21", "expected": "42"}, {"stdin": "4", "expected": "8"}]
DOUBLE = "import os; print(int(input()) * 2); open('/work/left', 'x')"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[whole.Up, str]]:
    # In memory: small, and no disk that others keep busy. Users of containers must get there.
    with tempfile.TemporaryDirectory(dir=MEMORY) as place:
        Path(place).chmod(0o755)
        root = make_root(Path(place, "root"), SMALL)
        settings = {"SANDBOX_IMAGE": IMAGE, "SANDBOX_ROOT": str(root)}
        folder = tmp_path_factory.mktemp("containers")
        with docker_daemon(root, MEMORY) as address, whole.up(folder, DOCKER_HOST=address, **settings) as up:
            yield up, address


@pytest.mark.parametrize(("policy", "executor"), [("docker", "docker"), ("oci", "oci")])
def test_a_policy_that_wants_containers(service: tuple[whole.Up, str], policy: str, executor: str) -> None:
    up, _ = service
    with Client(up.url) as sdk:
        task = {"type": "stdio", "cases": CASES}
        id = sdk.submit({"language": "python", "code": DOUBLE, "task": task, "policy": policy})
        result = sdk.result(id)
    assert (result.verdict, result.reward, result.passed) == ("accepted", 1.0, 2), result
    assert result.isolation is not None
    assert (result.isolation.executor, result.isolation.runtime) == (executor, "runc")
    assert result.isolation.image
    assert result.isolation.degraded == (["user_ns"] if executor == "docker" else [])


def test_workers_say_what_they_have(service: tuple[whole.Up, str]) -> None:
    up, _ = service
    (worker,) = httpx.get(f"{up.url}/v1/workers").json()["workers"]
    assert {"namespace", "docker", "oci"} <= set(worker["executors"])


def test_nothing_is_left(service: tuple[whole.Up, str]) -> None:
    """The last of this file: it stops the service."""
    up, address = service
    workers = up.children()["worker"]
    assert up.stop() == 0
    with closing(client(address)) as api:
        assert api.containers(all=True) == []
    for folder in ("boxes", "oci"):
        left = [path.name for path in Path("/run/sandbox-service", folder).glob("*")]
        assert not [name for name in left if int(name.split("-")[0]) in workers]
