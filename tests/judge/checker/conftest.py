"""One executor for all tests of checkers, and a bench with short words for each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from sandbox_service.executor import NamespaceExecutor
from tests.judge.checker.bench import Bench


@pytest.fixture(scope="session")
def executor() -> Iterator[NamespaceExecutor]:
    executor = NamespaceExecutor()
    with asyncio.Runner() as runner:
        runner.run(executor.start())
        yield executor
        runner.run(executor.stop())


@pytest.fixture
def bench(executor: NamespaceExecutor) -> Bench:
    return Bench(executor)
