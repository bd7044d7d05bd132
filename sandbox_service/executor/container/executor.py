"""The executor that makes sandboxes of containers, whatever runtime starts them."""

from __future__ import annotations

import asyncio
import itertools
import secrets
import struct
from collections.abc import Coroutine
from contextlib import AsyncExitStack, suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from sandbox_service.contract.result import Isolation
from sandbox_service.contract.run import Preload
from sandbox_service.executor import cgroup, wire
from sandbox_service.executor.container import box
from sandbox_service.executor.container.box import Box
from sandbox_service.executor.container.jail import PARTS, Jail
from sandbox_service.executor.container.plan import container_plan
from sandbox_service.executor.container.runtime import Runtime, is_alive, is_gvisor, owner
from sandbox_service.executor.container.sandbox import ContainerSandbox
from sandbox_service.executor.namespace import pack_init
from sandbox_service.executor.protocol import ExecutorError
from sandbox_service.executor.userns import FIRST_HOST_ID, RANGE

BOXES = Path("/run/sandbox-service/boxes")
START_SECONDS = 60.0
FIRST_USER, USERS = 1000, RANGE - 5000


class ContainerExecutor:
    """Opens sandboxes, each of containers that nobody else has or had. A start/stop pair.

    Args:
        runtime: who starts containers.
        ahead: so many are started before anyone asks for them.
    """

    def __init__(self, runtime: Runtime, ahead: int = 2) -> None:
        self._runtime, self._most_ahead = runtime, ahead
        self._gvisor = is_gvisor(runtime.name)
        self._ahead: list[asyncio.Task[Jail]] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self._held = AsyncExitStack()

    async def start(self) -> None:
        """Find out whether this host can do it, and remove what workers left that are dead.

        Raises:
            ExecutorError: no container can be started here; the message says what to do.
        """
        async with AsyncExitStack() as held:
            await self._runtime.start()
            held.push_async_callback(self._runtime.stop)
            for folder in BOXES.glob("*"):  # noqa: ASYNC240 - before anything runs
                if not is_alive(folder.name):
                    for left in folder.glob("*"):
                        box.sweep(left)
            self._boxes = BOXES / owner() / secrets.token_hex(4)
            held.callback(box.sweep, self._boxes)
            self._groups = _own_groups()
            held.callback(lambda: self._groups.close())
            self._numbers = itertools.count(1)
            # With a user namespace the ids are its own; without, they are those of the host and must be nobody's.
            first = FIRST_USER + (0 if self._runtime.user_namespace else FIRST_HOST_ID)
            begin = secrets.randbelow(USERS)
            self._users = (first + number % USERS for number in itertools.count(begin))
            held.push_async_callback(self._end_all)
            init = pack_init()
            self._boot = struct.pack(">I", len(init)) + init
            await (await self.take()).end()
            self._held = held.pop_all()

    async def stop(self) -> None:
        """End all containers that were started ahead."""
        await self._held.aclose()

    async def _end_all(self) -> None:
        for task in self._ahead:
            task.cancel()
        for jail in await asyncio.gather(*self._ahead, return_exceptions=True):
            if isinstance(jail, Jail):
                await jail.end()
        self._ahead.clear()
        await self.idle()

    async def idle(self) -> None:
        """Wait until all that was used has been ended."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def open(self, *, strict: bool = False, preload: Preload | None = None) -> ContainerSandbox:  # noqa: ARG002
        """See `Executor.open`; Python always starts afresh."""
        return ContainerSandbox(self, await self.take(), once=strict)

    async def take(self) -> Jail:
        """A container that nobody has used, started ahead if there is one.

        Raises:
            ExecutorError: none can be started.
        """
        try:
            while self._ahead:
                with suppress(ExecutorError):  # whatever it was, it may be over
                    jail = await self._waited(self._ahead.pop(0))
                    if jail.there:
                        return jail
                    self.aside(jail.end())
            return await self._waited(asyncio.create_task(self._make()))
        finally:
            while len(self._ahead) < self._most_ahead:
                self._ahead.append(asyncio.create_task(self._make()))

    async def _waited(self, task: asyncio.Task[Jail]) -> Jail:
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            self.aside(_end(task))
            raise

    async def _make(self) -> Jail:
        name = f"sandbox-{owner()}-{secrets.token_hex(4)}"
        async with AsyncExitStack() as held:
            own = Box(self._boxes / str(next(self._numbers)), FIRST_HOST_ID if self._runtime.user_namespace else 0)
            held.callback(own.close)
            plan = container_plan(name, own.path, self._runtime.labels, gvisor=self._gvisor)
            container = await self._runtime.run(plan)
            held.push_async_callback(container.end)
            try:
                async with asyncio.timeout(START_SECONDS):
                    await container.channel.put(self._boot)
                    if (await container.channel.header()).get("hello") != 1:
                        raise wire.Broken("init did not say hello")
                    pid = await container.pid()
                jail = Jail(container, pid, own, None if self._gvisor else self._new_group)
            except (wire.Broken, TimeoutError) as error:
                words = await container.last_words()
                raise ExecutorError("sandbox_start", f"the container did not start: {error}: {words}") from None
            held.pop_all()
            return jail

    def _new_group(self) -> cgroup.SlotGroup:
        try:
            return self._groups.create(residents=0)
        except FileNotFoundError:  # a worker that does not see this process took the folder for a dead one's
            self._groups = _own_groups()
            return self._groups.create(residents=0)

    def aside(self, work: Coroutine[Any, Any, Any]) -> None:
        """Have something done while others run."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def next_user(self) -> int:
        """The next run's own user."""
        return next(self._users)

    @cached_property
    def isolation(self) -> Isolation:
        """What holds a run.

        gVisor's kernel answers system calls itself, and needs memory and tasks of its own, which the control group
        cannot tell from the program's: each of its processes is held, but all of them together less exactly. Pipes and
        sockets with names it keeps to itself, where no file system counts their inodes.
        """
        enforced = {"pid_ns", "mount_ns", "net_ns", "ipc_ns", "disk", "cpu", "uid_per_run"}
        unsure = {"memory", "processes", "seccomp", "inodes"}
        degraded = (unsure if self._gvisor else set()) | (set() if self._runtime.user_namespace else {"user_ns"})
        enforced |= (unsure | {"user_ns"}) - degraded
        return Isolation(
            executor=self._runtime.executor,
            runtime=self._runtime.name,
            image=self._runtime.image,
            warm=False,
            enforced=sorted(enforced),
            degraded=sorted(degraded),
        )


async def _end(task: asyncio.Task[Jail]) -> None:
    task.cancel()
    for jail in await asyncio.gather(task, return_exceptions=True):
        if isinstance(jail, Jail):
            await jail.end()


def _own_groups() -> cgroup.Cgroups:
    groups = cgroup.detect()
    if missing := PARTS - groups.parts:
        message = f"containers need control groups for {', '.join(sorted(missing))}, and a worker that is root"
        raise ExecutorError("sandbox_start", message, retryable=False)
    return groups
