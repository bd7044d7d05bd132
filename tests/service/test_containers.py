"""Policies that want containers, through the whole service: a daemon and an image of the tests' own."""

from __future__ import annotations

import os
import signal
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
from tests.service.test_killed import wait_for

MEMORY, RUN = "/dev/shm", Path("/run/sandbox-service")
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


@pytest.mark.full
@pytest.mark.parametrize("policy", ["docker", "oci"])
def test_a_worker_that_is_killed(service: tuple[whole.Up, str], policy: str) -> None:
    """The next one removes what it left, and the submission gets its verdict."""
    up, address = service
    with Client(up.url) as sdk, closing(client(address)) as api:
        id = sdk.submit({"language": "python", "code": "import time; time.sleep(4)", "policy": policy})
        wait_for(lambda: httpx.get(f"{up.url}/v1/submissions/{id}").json()["state"] == "running")
        dead = up.children()["worker"]
        for pid in dead:
            os.kill(pid, signal.SIGKILL)
        result = sdk.result(id)
        assert (result.state, result.verdict, result.attempts) == ("finished", "accepted", 2), result

        def left() -> list[str]:
            owners = [box["Labels"].get("sandbox-service.owner", "") for box in api.containers(all=True)]
            folders = [path.name for folder in ("boxes", "oci") for path in RUN.joinpath(folder).glob("*")]
            return [name for name in (*owners, *folders) if name.split("-")[0] in map(str, dead)]

        wait_for(lambda: not left())


def test_nothing_is_left(service: tuple[whole.Up, str]) -> None:
    """The last of this file: it stops the service."""
    up, address = service
    workers = up.children()["worker"]
    assert up.stop() == 0
    with closing(client(address)) as api:
        assert api.containers(all=True) == []
    for folder in ("boxes", "oci"):
        left = [path.name for path in RUN.joinpath(folder).glob("*")]
        assert not [name for name in left if int(name.split("-")[0]) in workers]
