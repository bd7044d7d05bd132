"""One executor of each backend for all tests, and a sandbox of it for each."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from sandbox_service.executor import Executor
from sandbox_service.executor.container import ContainerExecutor, DockerRuntime, OciRuntime
from tests.executor.daemon import IMAGE, docker_daemon
from tests.executor.image import LARGE, make_root
from tests.executor.place import TOKEN, Place, started, started_containers

CONTAINERS: dict[str, Callable[[pytest.FixtureRequest], ContainerExecutor]] = {
    "docker-runc": lambda request: of_docker(request, "runc"),
    "docker-runsc": lambda request: of_docker(request, "runsc"),
    "oci-runc": lambda request: of_oci(request, "runc"),
    "oci-runsc": lambda request: of_oci(request, "runsc"),
}
EVERYWHERE = ("benign", "channel", "exit", "files", "io", "leftovers", "limits", "storms", "walls")
"""What is the same behind every wall; the other files look at how the default executor is made."""
BACKENDS = ["namespace", *(pytest.param(name, marks=pytest.mark.full) for name in CONTAINERS)]
_programs: dict[str, bytes] = {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Containers start an interpreter for each run, and have no zygote and no pool."""
    items[:] = [item for item in items if not _only_for_namespaces(item)]


def _only_for_namespaces(item: pytest.Item) -> bool:
    spec = getattr(item, "callspec", None)
    if spec is None or spec.params.get("executor") not in CONTAINERS:
        return False
    everywhere = item.path.name in [f"test_{name}.py" for name in EVERYWHERE]
    return not everywhere or spec.params.get("place") == "warm" or item.get_closest_marker("namespaces") is not None


def of_docker(request: pytest.FixtureRequest, runtime: str) -> ContainerExecutor:
    return ContainerExecutor(DockerRuntime(IMAGE, runtime, request.getfixturevalue("docker")), ahead=0)


def of_oci(request: pytest.FixtureRequest, runtime: str) -> ContainerExecutor:
    return ContainerExecutor(OciRuntime(request.getfixturevalue("root"), runtime), ahead=0)


@pytest.fixture(scope="session")
def root() -> Iterator[Path]:
    """A root file system for containers."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        yield make_root(Path(folder, "root"), LARGE)


@pytest.fixture(scope="session")
def docker(root: Path) -> Iterator[str]:
    """The address of a Docker daemon that has it as an image."""
    with docker_daemon(root) as address:
        yield address


@pytest.fixture(scope="session", params=BACKENDS)
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    os.environ[TOKEN] = secrets.token_hex(16)
    with ExitStack() as stack:
        if request.param == "namespace":
            yield stack.enter_context(started())
        else:
            yield stack.enter_context(started_containers(CONTAINERS[request.param](request)))
    del os.environ[TOKEN]


# Python runs warm unless it is told otherwise; all other programs run cold in any case.
@pytest.fixture(params=[pytest.param("cold", marks=pytest.mark.full), "warm"])
async def place(request: pytest.FixtureRequest, executor: Executor) -> AsyncIterator[Place]:
    """A sandbox. Whatever a test did in it, the next program runs as if nothing had been."""
    place = Place(executor, await executor.open(), _programs, warm=request.param == "warm")
    yield place
    outcome = await place.python(
        "import os; print(sorted(os.listdir('.')), os.listdir('/tmp'), os.listdir('/dev/shm'))"
    )
    assert outcome.stdout == b"['main.py'] [] []\n", outcome
    await place.sandbox.close()
    if isinstance(executor, ContainerExecutor):
        await executor.idle()
