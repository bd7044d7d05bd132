"""The boundary of isolation: three methods. Everything else is built on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.result import Isolation

ARTIFACT_COUNT, ARTIFACT_BYTES, ARTIFACTS_BYTES = 64, 1 << 20, 8 << 20


class ExecutorError(Exception):
    """We failed; the program did nothing wrong. Never a verdict.

    Args:
        kind: a stable name, such as `sandbox_start` or `sandbox_lost`.
        message: what happened, for operators and clients.
        retryable: whether another try may succeed.
    """

    def __init__(self, kind: str, message: str, *, retryable: bool = True) -> None:
        super().__init__(message)
        self.kind, self.retryable = kind, retryable


@dataclass(frozen=True, slots=True)
class File:
    """A file that is laid into the work dir before the run."""

    content: bytes
    executable: bool = False


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One command to run.

    Attributes:
        command: argument list; the first is a path, absolute or below the work dir.
        limits: what the run is held to.
        files: files of the work dir by path.
        stdin: all of its standard input.
        environment: further variables.
        collect: globs of files to hand back afterwards.
        collect_each: the largest file that is handed back, bytes.
        collect_total: all of them together, bytes.
    """

    command: list[bytes]
    limits: RunLimits
    files: dict[str, File] = field(default_factory=dict)
    stdin: bytes = b""
    environment: dict[str, str] = field(default_factory=dict)
    collect: tuple[str, ...] = ()
    collect_each: int = ARTIFACT_BYTES
    collect_total: int = ARTIFACTS_BYTES


class Sandbox(Protocol):
    """A place to run commands in, one after the other; each run sees nothing of the one before."""

    @property
    def isolation(self) -> Isolation:
        """What holds a run in this sandbox."""

    async def run(self, request: RunRequest) -> Outcome:
        """Run a command to its end.

        Raises:
            ExecutorError: we failed.
        """

    async def close(self) -> None:
        """Give the sandbox back."""


class Executor(Protocol):
    """Makes sandboxes."""

    async def open(self) -> Sandbox:
        """A sandbox that nobody else uses.

        Raises:
            ExecutorError: none could be made.
        """
