"""One executor for all attacks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sandbox_service.executor import NamespaceExecutor
from tests.executor.place import started


@pytest.fixture(scope="session")
def executor() -> Iterator[NamespaceExecutor]:
    with started() as executor:
        yield executor
