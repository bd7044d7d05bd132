"""A process of the service that is started again when it dies, and dies with this one."""

from __future__ import annotations

import asyncio
import ctypes
import logging
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

LOG = logging.getLogger(__name__)
PR_SET_PDEATHSIG = 1
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.5, 5.0
"""The latter far below the patience of those who wait for an answer: the SDK's is a minute."""
HEALTHY_SECONDS = 10.0
"""Who lived that long is started again without delay: the longer pauses are for what cannot start at all."""


class Child:
    """One command of `sandbox-service` as a process.

    Args:
        command: the command's name and arguments.
        environment: the process's environment.
        log: where its stderr goes; `None`: to ours.
        descriptors: open files that it inherits.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        log: IO[bytes] | None = None,
        descriptors: Sequence[int] = (),
    ) -> None:
        self.name = command[0]
        self._argv = [sys.executable, "-m", "sandbox_service.cli.main", *command]
        self._environment, self._log, self._descriptors = environment, log, descriptors
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int | None:
        """The process id, while it runs."""
        return self._process.pid if self._process and self._process.returncode is None else None

    async def start(self) -> None:
        """Start the process; from the main thread, for it ends with the thread that started it."""
        libc, parent = ctypes.CDLL(None), os.getpid()

        def die_with_parent() -> None:
            # KILL, as nothing that goes wrong in an orphan may keep it alive; its queue ends with us too.
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)

        self._process = await asyncio.create_subprocess_exec(
            *self._argv,
            env=dict(self._environment),
            stdin=asyncio.subprocess.DEVNULL,
            stderr=self._log,
            pass_fds=tuple(self._descriptors),
            # An interrupt from the terminal comes to us alone: we end the processes in their order.
            start_new_session=True,
            preexec_fn=die_with_parent,
        )

    async def ended(self) -> int:
        """Wait until the process ends; its exit code, negative for a signal."""
        assert self._process is not None  # noqa: S101
        return await self._process.wait()

    async def keep_alive(self) -> None:
        """Start it again whenever it ends; goes on until it is cancelled."""
        pause = FIRST_PAUSE_SECONDS
        while True:
            started = time.monotonic()
            code = await self.ended()
            if time.monotonic() - started > HEALTHY_SECONDS:
                pause = FIRST_PAUSE_SECONDS
            level = logging.ERROR if code else logging.INFO  # a worker that is recycled ends with 0
            LOG.log(level, "%s ended with code %d; starts again in %.1f s", self.name, code, pause)
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
            try:
                await self.start()
            except OSError as error:  # the machine is out of processes or memory: not for ever
                LOG.error("%s cannot be started: %s", self.name, error)

    async def stop(self, seconds: float) -> None:
        """Let it finish what it does, and kill it if it takes longer than that."""
        if self._process is None or self.pid is None:
            return
        with suppress(ProcessLookupError):
            self._process.terminate()
        try:
            await asyncio.wait_for(self._process.wait(), seconds)
        except TimeoutError:
            LOG.warning("%s did not end within %.0f s and is killed", self.name, seconds)
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
