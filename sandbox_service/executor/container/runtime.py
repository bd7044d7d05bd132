"""What a container runtime is to us: it starts a container from a plan, and ends it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

from sandbox_service.executor import wire
from sandbox_service.executor.container.plan import ContainerPlan


class Container(Protocol):
    """A container that runs."""

    @property
    def channel(self) -> wire.Channel:
        """To its first process."""

    async def pid(self) -> int:
        """Process id, as the host sees it, of its first process, or of the kernel in user space that runs it.

        Not before that process has said something.
        """

    async def last_words(self) -> str:
        """What its first process wrote to standard error."""

    async def end(self) -> None:
        """End it with everything in it, and remove it. May be called again."""


class Runtime(Protocol):
    """Starts containers.

    Attributes:
        executor, name: how results name it: `docker` or `oci`, and the runtime.
        image: what its containers are made of, in one word, once it is started.
        user_namespace: whether root inside is nobody outside.
    """

    executor: str
    name: str
    image: str
    user_namespace: bool

    @property
    def labels(self) -> dict[str, str]:
        """By which containers of this process are known."""

    async def start(self) -> None:
        """Find out whether it can be used here, and remove what workers left that are dead.

        Raises:
            ExecutorError: it cannot; the message says what to do.
        """

    async def stop(self) -> None:
        """Let go of everything."""

    async def run(self, plan: ContainerPlan) -> Container:
        """Start a container.

        Raises:
            ExecutorError: it does not start.
        """


def owner() -> str:
    """This process, in one word that no later one has."""
    return f"{os.getpid()}-{_started(os.getpid())}"


def is_alive(owner: str) -> bool:
    """Whether the process that called itself so is there."""
    pid, _, started = owner.partition("-")
    return pid.isdigit() and _started(int(pid)) == started


def _started(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return ""


def is_gvisor(name: str) -> bool:
    """Whether a runtime is a kernel of its own, which answers the program's system calls."""
    return name.startswith("runsc")
