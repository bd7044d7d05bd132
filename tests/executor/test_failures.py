"""Our own failures: told apart from the program's, and nothing is left of them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import File
from sandbox_service.executor import ExecutorError
from tests.executor.place import MIB, Place, processes_with

SECONDS = 30.0


async def run_until_seen(place: Place, marker: str, main: str = "sleep 1000") -> tuple[asyncio.Task[Outcome], int]:
    """A run, and the process id of a part of it that would go on for ever in a session of its own."""
    run = asyncio.create_task(place.bash(f"setsid bash -c 'sleep 1000; : {marker}' & setsid sleep 1000 & {main}"))
    end = time.monotonic() + SECONDS
    while not (found := [pid for pid in processes_with(marker) if is_leaf(pid)]):
        assert time.monotonic() < end
        assert not run.done(), run.result()
        await asyncio.sleep(0.02)
    return run, found[0]


def is_leaf(pid: int) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"bash\0-c\0sleep")
    return False


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def state(pid: int) -> str:
    """One letter; `X` for a process that is gone."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return "X"


def groups_of(pid: int) -> list[str]:
    """Names of the control groups made for the run that a process is part of."""
    paths = [line.split(":", 2)[2] for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines()]
    return [path for path in paths if "sandbox-service-" in path]


def folders_of(groups: list[str]) -> list[Path]:
    endings = {group.rsplit("/sandbox-service-", 1)[1] for group in groups}
    return [path for ending in endings for path in Path("/sys/fs/cgroup").rglob(f"sandbox-service-{ending}")]


async def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not done():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


def is_gone(pid: int) -> Callable[[], bool]:
    return lambda: not Path(f"/proc/{pid}").exists()


async def test_a_cancelled_run_leaves_nothing(place: Place) -> None:
    marker = secrets.token_hex(8)
    run, leaf = await run_until_seen(place, marker)
    groups = groups_of(leaf)
    reaper = Kin.of(leaf).reaper
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    await until(lambda: not list(processes_with(marker)))
    await until(is_gone(reaper))
    if "memory" not in place.sandbox.isolation.degraded:
        assert groups
        assert not folders_of(groups)
    await place.sandbox.close()
    place.sandbox = await place.executor.open()


@dataclass(frozen=True)
class Kin:
    """The processes above a leaf of a run."""

    init: int
    zygote: int
    reaper: int

    @classmethod
    def of(cls, leaf: int) -> Kin:
        program = parent(leaf)
        zygote = parent(program)
        children = map(int, Path(f"/proc/{zygote}/task/{zygote}/children").read_text().split())
        (reaper,) = [pid for pid in children if pid != program]
        return cls(parent(zygote), zygote, reaper)


def held_by(pid: int, run: int) -> list[str]:
    """What a process has open, but for what is harmless: no device, text of its own, counter, or part of the run."""
    own = Path(f"/proc/{run}/root/tmp").stat().st_dev
    paths = [path for path in Path(f"/proc/{pid}/fd").iterdir() if path.stat().st_dev != own]
    targets = [str(path.readlink()) for path in paths]
    harmless = ("/dev/null", "/memfd:", "pipe:", "socket:", "anon_inode:[pidfd]", "anon_inode:seccomp notify")
    return [target for target in targets if not target.startswith(harmless) and "cpu" not in Path(target).name]


async def test_what_init_holds(place: Place) -> None:
    """Nothing of the host by which one who had taken it over could get out."""
    run, leaf = await run_until_seen(place, secrets.token_hex(8), "sleep 0.5")
    held = held_by(Kin.of(leaf).init, leaf)
    assert (await run).exit_code == 0
    assert held == []


@pytest.mark.parametrize("victim", ["init", "zygote", "reaper"])
async def test_a_part_of_ours_that_is_killed(place: Place, victim: str) -> None:
    """The run is lost, which is no verdict; the next sandbox is a good one."""
    marker = secrets.token_hex(8)
    run, leaf = await run_until_seen(place, marker)
    groups = groups_of(leaf)
    os.kill(getattr(Kin.of(leaf), victim), signal.SIGKILL)
    with pytest.raises(ExecutorError) as caught:
        await run
    assert caught.value.retryable
    await place.sandbox.close()
    await until(lambda: not list(processes_with(marker)))
    assert not folders_of(groups)
    place.sandbox = await place.executor.open()


async def test_arguments_that_do_not_fit_are_the_tasks_fault(place: Place) -> None:
    for command in ([b"./program"], [b"/bin/bash", b"program"]):
        with pytest.raises(ExecutorError, match="stack_bytes") as caught:
            await place.run([*command, *[b"x" * 100_000] * 10], {"program": File(b"", True)}, stack_bytes=MIB)
        assert (caught.value.kind, caught.value.retryable) == ("task_error", False)


async def test_a_sandbox_lost_while_nobody_uses_it(place: Place) -> None:
    marker = secrets.token_hex(8)
    run, leaf = await run_until_seen(place, marker, "sleep 0.5")
    init = Kin.of(leaf).init
    assert (await run).exit_code == 0
    await place.sandbox.close()
    outer = parent(parent(init))
    os.kill(init, signal.SIGKILL)
    await until(lambda: is_gone(init)() and state(outer) in "ZX")
    place.sandbox = await place.executor.open()
    assert (await place.bash("echo fine")).stdout == b"fine\n"


async def test_a_host_without_memory_is_not_the_programs_fault(place: Place) -> None:
    """A group above all runs has less than a run may use: what happens where slots and limits are too many."""
    limit = limit_of_all_runs()
    if not limit:
        pytest.skip("no control group of the memory controller")
    limit.write_text(str(100 * MIB))
    try:
        with pytest.raises(ExecutorError) as caught:
            await place.python(f"x = b'x' * {200 * MIB}", memory_bytes=300 * MIB)
        assert (caught.value.kind, caught.value.retryable) == ("host_memory", True)
        beyond = await place.python(f"x = b'x' * {90 * MIB}", memory_bytes=50 * MIB)
        assert beyond.out_of_memory
        assert (await place.python(f"x = b'x' * {30 * MIB}")).exit_code == 0
    finally:
        limit.write_text("max" if limit.name == "memory.max" else "-1")


def limit_of_all_runs() -> Path | None:
    groups = Path("/sys/fs/cgroup").glob(f"**/sandbox-service-{os.getpid()}")
    files = [group / name for group in groups for name in ("memory.limit_in_bytes", "memory.max")]
    return next((file for file in files if file.exists()), None)
