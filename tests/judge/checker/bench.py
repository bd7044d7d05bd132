"""Checkers on real sandboxes, and an account of what was asked of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from sandbox_service.contract.data import data_dir
from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import RunRequest
from sandbox_service.executor import NamespaceExecutor
from sandbox_service.judge.checker import Checker, check, prepare
from sandbox_service.judge.finding import Finding
from sandbox_service.languages import load
from tests.executor import place
from tests.executor.place import MIB

LIMITS = place.LIMITS.model_copy(update={"disk_bytes": 16 * MIB, "stack_bytes": 64 * MIB})
COMPILER = LIMITS.model_copy(update={"cpu_seconds": 60.0, "wall_seconds": 120.0, "memory_bytes": 1 << 30})
LANGUAGES = load(data_dir("runner_images"))
READ = "import sys\nours, theirs, right = (open(name, 'rb').read() for name in sys.argv[1:])\n"
"""How a Python checker begins: the three files."""


@dataclass
class Bench:
    """An executor, and each request that was made of it."""

    executor: NamespaceExecutor
    requests: list[RunRequest] = field(default_factory=list)

    def needs(self, part: str) -> None:
        """Skip the test where no sandbox enforces this."""
        if part in self.executor.isolation.degraded:
            pytest.skip(f"not enforced here: {part}")

    async def run(self, request: RunRequest) -> Outcome:
        self.requests.append(request)
        sandbox = await self.executor.open()
        try:
            return await sandbox.run(request)
        finally:
            await sandbox.close()

    async def prepare(self, code: str | bytes, language: str = "python") -> Checker:
        text = code if isinstance(code, bytes) else code.encode()
        return await prepare(self.run, LANGUAGES[language], text, COMPILER)

    async def ask(
        self,
        code: str | bytes,
        output: bytes = b"41",
        expected: bytes = b"42",
        *,
        input: bytes = b"21",
        language: str = "python",
        **limits: Any,
    ) -> Finding:
        """What a checker thinks of an output."""
        checker = await self.prepare(code, language)
        held = LIMITS.model_copy(update=limits)
        return await check(self.run, checker, held, input=input, output=output, expected=expected)
