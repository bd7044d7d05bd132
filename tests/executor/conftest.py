"""One executor of each backend for all tests, and a sandbox of it for each."""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncIterator, Iterator

import pytest

from sandbox_service.executor import NamespaceExecutor
from tests.executor.place import TOKEN, Place, started

BACKENDS = {"namespace": started}
_programs: dict[str, bytes] = {}


@pytest.fixture(scope="session", params=BACKENDS)
def executor(request: pytest.FixtureRequest) -> Iterator[NamespaceExecutor]:
    os.environ[TOKEN] = secrets.token_hex(16)
    with BACKENDS[request.param]() as executor:
        yield executor
    del os.environ[TOKEN]


# Python runs warm unless it is told otherwise; all other programs run cold in any case.
@pytest.fixture(params=[pytest.param("cold", marks=pytest.mark.full), "warm"])
async def place(request: pytest.FixtureRequest, executor: NamespaceExecutor) -> AsyncIterator[Place]:
    """A sandbox. Whatever a test did in it, the next program runs as if nothing had been."""
    place = Place(executor, await executor.open(), _programs, warm=request.param == "warm")
    yield place
    outcome = await place.python(
        "import os; print(sorted(os.listdir('.')), os.listdir('/tmp'), os.listdir('/dev/shm'))"
    )
    assert outcome.stdout == b"['main.py'] [] []\n", outcome
    await place.sandbox.close()
