"""One container as runs see it: its file system, their control groups, the talk with its init."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from sandbox_service.contract.run import RunRequest
from sandbox_service.executor import cgroup, guard, wire
from sandbox_service.executor.answer import Answer, lost, parse
from sandbox_service.executor.asking import header_of
from sandbox_service.executor.container.box import Box
from sandbox_service.executor.container.relay import MOST, Relay
from sandbox_service.executor.container.runtime import Container
from sandbox_service.executor.container.terminals import limit_terminals
from sandbox_service.executor.protocol import ExecutorError

GRACE_SECONDS = 30.0
"""How much longer than a run's wall limit its set-up and clean-up may take before the container is given up."""
LOOK_SECONDS = 0.01
"""CPU time is looked at no more often than this."""
SENTRY_BYTES, SENTRY_TASKS = 128 << 20, 1024
"""gVisor's own memory and tasks, which its control group counts with the program's."""
CORES = os.cpu_count() or 1
PARTS = {"memory", "processes", "cpu"}
"""What a program's own control group sees to."""
NewGroup = Callable[[], cgroup.SlotGroup]
Ran = tuple[Answer, list[bytes], cgroup.Usage]


class Jail:
    """A container that nobody has used yet, until it is ended.

    Programs are born in the container's control group and moved into one of their own, in which init is not: so it is
    theirs alone what that counts, and where memory is short it is never init that goes. On gVisor they are no processes
    of the host, and the container's group counts for them, gVisor itself included.

    Args:
        container: its init has said hello.
        pid: its process id.
        box: its file system.
        new_group: makes a control group; `None` on gVisor.

    Attributes:
        alive: whether another run may be made in it.

    Raises:
        ExecutorError: limits cannot be set for it.
    """

    def __init__(self, container: Container, pid: int, box: Box, new_group: NewGroup | None) -> None:
        self._container, self._init, self._box, self._new_group = container, pid, box, new_group
        self._sending = asyncio.Lock()
        self._group: cgroup.SlotGroup | None = None
        self.alive = True
        if new_group:
            limit_terminals(pid)
        try:
            self._own = None if new_group else cgroup.of_process(pid, SENTRY_TASKS)
        except (OSError, ValueError, KeyError) as error:
            raise ExecutorError("cgroup", f"the container's control group cannot be used: {error}") from None

    @property
    def there(self) -> bool:
        """Whether its init is still alive."""
        return Path(f"/proc/{self._init}").exists()

    async def run(self, request: RunRequest, user: int) -> Ran:
        """Run a command; one after the other.

        Raises:
            ExecutorError: we failed.
        """
        self.alive = False  # until this run is proved to have left nothing
        relay = None if request.channel is None else Relay(*request.channel, self._send)
        done, group = False, None
        try:
            group = self._begin(request)
            ran = await self._ask(request, user, relay, group)
            done = True
        except wire.Broken as error:
            if group is None or not (usage := _told(group)):
                raise ExecutorError("sandbox_lost", str(error)) from None
            ran = lost(str(error)), [b"", b""], usage
        finally:
            if relay:
                await relay.end(at_once=not done)
        if self._group:
            group, self._group = self._group, None
            self.alive = await group.remove() and self.alive
        return ran

    def _begin(self, request: RunRequest) -> cgroup.SlotGroup:
        """A control group and a file system with the limits of a run."""
        try:
            self._box.begin(request)
            if self._own:
                group, more = self._own, SENTRY_BYTES
                group.entered()
            else:
                assert self._new_group  # noqa: S101
                group, more = self._new_group(), 0
                self._group = group
            group.begin(request.limits.memory_bytes + more, request.limits.processes)
        except OSError as error:
            raise ExecutorError("cgroup", f"limits could not be set: {error}") from None
        return group

    async def _ask(self, request: RunRequest, user: int, relay: Relay | None, group: cgroup.SlotGroup) -> Ran:
        channel = self._container.channel
        header = header_of(request, user, {"cpu"} if self._own else PARTS, warm=False)
        del header["limits"]["CORE"]  # the runtime has set it, and the outer filter lets nobody change it
        filter = guard.guarded(request.seccomp, shares_user=False)
        header |= {"channel": relay is not None, "gvisor": self._own is not None, "seccomp": filter.hex()}
        watching = asyncio.create_task(self._watch(request.limits.cpu_seconds, group))
        try:
            async with asyncio.timeout(request.limits.wall_seconds + GRACE_SECONDS):
                async with self._sending:
                    await channel.send(header, [*(file.content for file in request.files.values()), request.stdin])
                while "stdout" not in (said := await channel.header()):
                    await self._hear(said, relay, group)
                usage, answer = group.usage(0.0), parse(said, request)
                blobs = [await channel.exactly(size) for size in answer.sizes]
        except TimeoutError:
            raise ExecutorError("sandbox_lost", "the container did not answer in time") from None
        finally:
            watching.cancel()
            await asyncio.wait([watching])
        self.alive = said.get("clean") is True
        return answer, blobs, self._without_ours(usage, answer)

    async def _hear(self, said: dict[str, Any], relay: Relay | None, group: cgroup.SlotGroup) -> None:
        """Words of init that are not its answer."""
        if said.get("born") is True:
            if not self._own:
                self._move(group)
            return await self._send({"kind": "go"})
        size = said.get("said", 0)
        if type(size) is not int or not 0 <= size <= MOST or relay is None:
            raise wire.Broken("init said what no init says")
        return relay.hear(said, await self._container.channel.exactly(size))

    def _move(self, group: cgroup.SlotGroup) -> None:
        """Move the program's process, init's only child, into its group."""
        children = Path(f"/proc/{self._init}/task/{self._init}/children").read_text().split()
        if len(children) != 1:
            raise wire.Broken(f"init has {len(children)} children")
        for fd in group.joins:
            os.write(fd, children[0].encode())

    async def _watch(self, limit: float, group: cgroup.SlotGroup) -> None:
        """Tell init what the group has counted, no earlier than the limit can be met."""
        with suppress(wire.Broken, OSError):
            while True:
                await asyncio.sleep(max((limit - group.spent()) / CORES, LOOK_SECONDS))
                await self._send({"kind": "used", "cpu": group.spent()})

    async def _send(self, header: dict[str, Any], data: bytes = b"") -> None:
        async with self._sending:
            await self._container.channel.send(header, [data])

    def _without_ours(self, usage: cgroup.Usage, answer: Answer) -> cgroup.Usage:
        """On gVisor init has a part in the CPU time, and of tasks nothing is known."""
        if not self._own:
            return usage
        spent = max((usage.cpu_seconds or 0.0) - answer.cpu_before, answer.tree_cpu)
        return replace(usage, cpu_seconds=spent, processes_peak=None)

    async def end(self) -> str:
        """End the container and all that it had; gives its last words."""
        words = "" if self.alive else await self._container.last_words()
        await self._container.end()
        self._box.close()
        if group := self._own or self._group:
            await group.remove()
        return words


def _told(group: cgroup.SlotGroup) -> cgroup.Usage | None:
    """What the group of a run says that was lost with its container, if that is the reason."""
    try:
        usage = group.usage(0.0)
    except OSError:  # it is gone too
        return None
    return usage if usage.out_of_memory else None
