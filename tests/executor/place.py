"""A sandbox with short words for what all tests of executors do, whichever backend is behind it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import File, RunRequest
from sandbox_service.executor import Executor, NamespaceExecutor, Sandbox
from sandbox_service.executor.container import ContainerExecutor

TOKEN = "SANDBOX_TEST_TOKEN"
"""Names a variable that is in the environment of whoever starts sandboxes."""
MIB = 1 << 20
PYTHON, BASH, GCC = b"/usr/bin/python3", b"/bin/bash", b"/usr/bin/gcc"
LIMITS = RunLimits(
    cpu_seconds=10.0,
    # Far off: how long a run takes depends on what else the machine is doing.
    wall_seconds=60.0,
    memory_bytes=256 * MIB,
    processes=64,
    disk_bytes=64 * MIB,
    output_bytes=MIB,
    stack_bytes=256 * MIB,
    open_files=256,
    inodes=4096,
)


@contextmanager
def started() -> Iterator[NamespaceExecutor]:
    """An executor for many tests, each of which may have an event loop of its own."""
    executor = NamespaceExecutor()
    with asyncio.Runner() as runner:
        runner.run(executor.start())
        yield executor
        runner.run(executor.stop())


@contextmanager
def started_containers(executor: ContainerExecutor) -> Iterator[ContainerExecutor]:
    """Likewise; it must start none ahead, which would be in an event loop that is gone when they are asked for."""
    with asyncio.Runner() as runner:
        runner.run(executor.start())
        yield executor
        runner.run(executor.stop())


@dataclass
class Place:
    """A sandbox of an executor; `programs` keeps what was compiled, by source text; `warm` lets Python run warm."""

    executor: Executor
    sandbox: Sandbox
    programs: dict[str, bytes] = field(default_factory=dict)
    warm: bool = False

    def needs(self, *parts: str) -> None:
        """Skip the test where the sandbox says that it does not enforce them."""
        if missing := set(parts) & set(self.sandbox.isolation.degraded):
            pytest.skip(f"not enforced here: {', '.join(sorted(missing))}")

    @property
    def contained(self) -> bool:
        """Whether it is a container, of an image, and not made of the host's own files."""
        return isinstance(self.executor, ContainerExecutor)

    async def run(
        self,
        command: list[bytes],
        files: Mapping[str, bytes | str | File] | None = None,
        *,
        stdin: bytes = b"",
        collect: tuple[str, ...] = (),
        environment: Mapping[str, str] | None = None,
        seccomp: bytes | None = None,
        **limits: Any,
    ) -> Outcome:
        request = RunRequest(
            command,
            LIMITS.model_copy(update=limits),
            {path: _file(content) for path, content in (files or {}).items()},
            stdin=stdin,
            collect=collect,
            environment=dict(environment or {}),
            warm=self.warm,
            seccomp=seccomp,
        )
        return await self.sandbox.run(request)

    async def python(self, code: str, *args: bytes, files: Mapping[str, Any] | None = None, **more: Any) -> Outcome:
        return await self.run([PYTHON, b"main.py", *args], {"main.py": code, **(files or {})}, **more)

    async def bash(self, code: str, *args: bytes, files: Mapping[str, Any] | None = None, **more: Any) -> Outcome:
        return await self.run([BASH, b"main.sh", *args], {"main.sh": code, **(files or {})}, **more)

    async def c(self, source: str, *args: bytes, **more: Any) -> Outcome:
        program = File(await self.compiled(source), executable=True)
        return await self.run([b"./program", *args], {"program": program}, **more)

    async def compiled(self, source: str) -> bytes:
        if source not in self.programs:
            command = [GCC, b"-w", b"-O1", b"-pthread", b"-o", b"program", b"main.c"]
            limits = LIMITS.model_copy(update={"memory_bytes": 1 << 30})
            files = {"main.c": File(source.encode())}
            outcome = await self.sandbox.run(RunRequest(command, limits, files, collect=("program",)))
            assert outcome.exit_code == 0, outcome.stderr.decode()
            self.programs[source] = outcome.files["program"]
        return self.programs[source]

    async def seen(self, code: str, **more: Any) -> str:
        """What a Python program prints that ends well."""
        outcome = await self.python(code, **more)
        assert (outcome.exit_code, outcome.signal) == (0, None), outcome
        return outcome.stdout.decode()


def _file(content: bytes | str | File) -> File:
    return content if isinstance(content, File) else File(content.encode() if isinstance(content, str) else content)


def processes_with(marker: str) -> Iterator[int]:
    """Processes of the host that bear a marker on their command line."""
    for path in Path("/proc").iterdir():
        if path.name.isdigit() and int(path.name) != os.getpid():
            try:
                command = (path / "cmdline").read_bytes()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if marker.encode() in command:
                yield int(path.name)
