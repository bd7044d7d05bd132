"""One executor for all attacks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from sandbox_service.executor import NamespaceExecutor


@pytest.fixture(scope="session")
def executor() -> Iterator[NamespaceExecutor]:
    executor = NamespaceExecutor()
    with asyncio.Runner() as runner:
        runner.run(executor.start())
        yield executor
        runner.run(executor.stop())
