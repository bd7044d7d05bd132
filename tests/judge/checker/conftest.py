"""One executor for all tests of checkers, and a bench with short words for each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sandbox_service.executor import NamespaceExecutor
from tests.executor.place import started
from tests.judge.checker.bench import Bench


@pytest.fixture(scope="session")
def executor() -> Iterator[NamespaceExecutor]:
    with started() as executor:
        yield executor


@pytest.fixture
def bench(executor: NamespaceExecutor) -> Bench:
    return Bench(executor)
