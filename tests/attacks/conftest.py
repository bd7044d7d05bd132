"""Executors for all attacks: the whole one, and one for each set of layers that is left out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest

from sandbox_service.executor import NamespaceExecutor
from tests.attacks.attack import Off
from tests.attacks.weakened import Weakened
from tests.executor.place import started


@pytest.fixture(scope="session")
def executor() -> Iterator[NamespaceExecutor]:
    with started() as executor:
        yield executor


@pytest.fixture(scope="session")
def weak(executor: NamespaceExecutor) -> Iterator[Callable[[Off], NamespaceExecutor]]:
    made: dict[object, Weakened] = {}

    def weak(off: Off) -> NamespaceExecutor:
        lacks = off.init, off.outer, off.seen, off.unproved
        if not any(lacks):
            return executor
        if lacks not in made:
            made[lacks] = Weakened(executor, off)
        return made[lacks]

    yield weak
    for one in made.values():
        asyncio.run(one.stop())
