"""A sandbox made of containers: one for all its runs as long as each leaves it clean, else a new one."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.result import Isolation
from sandbox_service.contract.run import RunRequest
from sandbox_service.executor.outcome import outcome_of
from sandbox_service.executor.protocol import ExecutorError

if TYPE_CHECKING:
    from sandbox_service.executor.container.executor import ContainerExecutor
    from sandbox_service.executor.container.jail import Jail


class ContainerSandbox:
    """What one submission has; see `Sandbox`. Whoever opens the next one gets containers that nobody has used.

    Args:
        executor: who starts containers.
        jail: its first container.
        once: each run has a container of its own.
    """

    def __init__(self, executor: ContainerExecutor, jail: Jail, *, once: bool) -> None:
        self._executor, self._once = executor, once
        self._jail: Jail | None = jail
        self._closed = False

    @property
    def isolation(self) -> Isolation:
        """See `Sandbox.isolation`."""
        return self._executor.isolation

    async def run(self, request: RunRequest) -> Outcome:
        """Run a command to its end; see `Sandbox.run`."""
        with ExitStack() as channel:
            for fd in request.channel or ():
                channel.callback(os.close, fd)
            if self._closed:
                raise ExecutorError("sandbox_lost", "the sandbox is closed")
            jail = self._jail = self._jail or await self._executor.take()
            channel.pop_all()  # they are closed by whoever has the request now
        try:
            ran = await jail.run(request, self._executor.next_user())
        except BaseException as error:
            self._jail = None
            words = await jail.end()
            if isinstance(error, ExecutorError) and words:
                raise ExecutorError(error.kind, f"{error}: {words}", retryable=error.retryable) from None
            raise
        if self._once or not jail.alive:
            self._jail = None
            self._executor.aside(jail.end())
        return outcome_of(request, *ran)

    async def close(self, *, reuse: bool = True) -> None:  # noqa: ARG002 - nobody else ever gets it
        """End the sandbox; see `Sandbox.close`."""
        await self.kill()

    async def kill(self) -> None:
        """End the sandbox with everything in it."""
        self._closed = True
        if self._jail:
            jail, self._jail = self._jail, None
            await jail.end()
