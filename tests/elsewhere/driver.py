"""Runs programs in our sandboxes where pytest does not run: as another user, or in another kernel.

Reads a list of runs as JSON from stdin, each with a name, a command and limits; writes a JSON line for each: what came
of it, and which processes are left. The first line tells the isolation, or why no sandbox can be
made; the last one which control groups are left.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.run import RunRequest
from sandbox_service.executor import ExecutorError, NamespaceExecutor
from sandbox_service.executor.cgroup import PREFIX

MIB = 1 << 20
LIMITS = RunLimits(
    cpu_seconds=10.0,
    wall_seconds=60.0,
    memory_bytes=64 * MIB,
    processes=20,
    disk_bytes=16 * MIB,
    output_bytes=MIB,
    stack_bytes=8 * MIB,
    open_files=64,
    inodes=256,
)
CGROUPS = "/sys/fs/cgroup"
MARKER = b"of-driver-%d" % os.getpid()


def tell(**facts: Any) -> None:
    print(json.dumps(facts, default=lambda data: data.decode("utf-8", "replace")), flush=True)


async def main() -> None:
    runs = json.load(sys.stdin)
    executor = NamespaceExecutor()
    try:
        await executor.start()
    except ExecutorError as error:
        tell(start_error=str(error))
        return
    tell(isolation=executor.isolation.model_dump())
    tell(finds_processes=finds_processes())
    for run in runs:
        # Copies run at the same time, each in a sandbox of its own.
        for facts in await asyncio.gather(*(one(executor, run) for _ in range(run.get("copies", 1)))):
            tell(name=run["name"], **facts)
    await executor.stop()
    tell(groups_left=groups())


async def one(executor: NamespaceExecutor, run: dict[str, Any]) -> dict[str, Any]:
    request = RunRequest(
        [*(item.encode() for item in run["command"]), MARKER],
        LIMITS.model_copy(update=run.get("limits", {})),
        warm=run.get("warm", False),
    )
    sandbox = await executor.open()
    try:
        return asdict(await sandbox.run(request)) | {"left": processes()}  # a copy's too, if there is one
    except ExecutorError as error:
        return {"failure": f"{error.kind}: {error}"}
    finally:
        await sandbox.close()


def groups() -> list[str]:
    """Control groups of ours, in whichever hierarchy."""
    return [str(path) for path in Path(CGROUPS).rglob(f"{PREFIX}{os.getpid()}")]


def processes() -> list[int]:
    """The processes of runs, by their last argument."""
    found = []
    for path in Path("/proc").iterdir():
        with suppress(OSError):
            if path.name.isdigit() and MARKER in (path / "cmdline").read_bytes().split(b"\0"):
                found.append(int(path.name))
    return found


def finds_processes() -> bool:
    """Whether `processes` finds any, so that none found means something."""
    command = [sys.executable, "-c", "print(flush=True); input()", MARKER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as known:
        assert known.stdout is not None
        known.stdout.readline()  # it runs
        found = processes()
        known.kill()
    return found == [known.pid]


if __name__ == "__main__":
    asyncio.run(main())
