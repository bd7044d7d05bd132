"""The boundary of isolation: three methods. Everything else is built on them."""

from __future__ import annotations

from typing import Protocol

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.result import Isolation
from sandbox_service.contract.run import Preload, RunRequest


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

    async def close(self, *, reuse: bool = True) -> None:
        """Give the sandbox back, or end it: without `reuse`, nobody else gets it."""


class Executor(Protocol):
    """Makes sandboxes."""

    async def open(self, *, strict: bool = False, preload: Preload | None = None) -> Sandbox:
        """A sandbox that nobody else uses.

        Args:
            strict: each run has a control group, a network and an interpreter that no other run has had.
            preload: what a Python that has started already has read; `None`: the executor's own choice.

        Raises:
            ExecutorError: none could be made.
        """
