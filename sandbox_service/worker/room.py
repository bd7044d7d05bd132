"""A sandbox of a submission, made when there is something to run."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Self

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.result import Isolation
from sandbox_service.contract.run import Preload, RunRequest
from sandbox_service.executor import Executor, Sandbox
from sandbox_service.policy import Policy


class Room:
    """Runs commands, one after the other, in one sandbox; in a new one after a run that was broken off.

    An async context manager, which gives the sandbox back.
    """

    def __init__(self, executor: Executor, policy: Policy, preload: Preload | None = None) -> None:
        self._executor, self._policy, self._preload = executor, policy, preload
        self._sandbox: Sandbox | None = None
        self.isolation: Isolation | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._leave()

    async def run(self, request: RunRequest) -> Outcome:
        """Run a command to its end; see `Sandbox.run`."""
        try:
            sandbox = self._sandbox = self._sandbox or await self._open()
        except BaseException:
            for fd in request.channel or ():
                os.close(fd)
            raise
        self.isolation = sandbox.isolation
        try:
            warm = request.warm and self._policy.warm
            return await sandbox.run(replace(request, seccomp=self._policy.filter, warm=warm))
        except BaseException:
            await self._leave()
            raise

    async def _open(self) -> Sandbox:
        return await self._executor.open(strict=self._policy.isolation == "strict", preload=self._preload)

    async def _leave(self) -> None:
        if self._sandbox:
            sandbox, self._sandbox = self._sandbox, None
            await sandbox.close()
