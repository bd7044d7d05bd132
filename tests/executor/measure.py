"""What a run costs: runs a second and CPU time of an executor alone, as a ratio to a bare `python3` beside it.

    python -m tests.executor.measure [--seconds 4] [--sandboxes 2]

Not a test. Figures of different calls do not compare: only ratios within one call do.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import statistics
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from sandbox_service.cli.bench.cpu import processes
from sandbox_service.contract.run import File, RunRequest
from sandbox_service.executor import Economy, NamespaceExecutor
from tests.attacks.attack import Off
from tests.attacks.left import OWN_PROC
from tests.attacks.weakened import Weakened
from tests.executor.place import LIMITS, PYTHON

PROGRAM = "print(int(input()) * 2)\n"
NO_WALLS = Off(
    init=(
        ("program", "RUN_NAMESPACES)\n        self._root", "CLONE_NEWNS)\n        self._root"),
        ("program", '        self._mount("/tmp/shm", "/dev/shm", "", MS_BIND)\n', ""),
        ("program", '        self._mount("/tmp/tmp", "/tmp", "", MS_BIND)\n', ""),
        OWN_PROC,
        ("program", "        self._mask_proc()\n", ""),
        ("program", "        self._drop_privileges()\n        self._limit()\n", ""),
        ("program", "SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, 0)", "-1, 0, 0, may_fail=True)"),
        ("program", '"sendmsg", 0, self._letter.head, 0)', '"sendmsg", 0, self._letter.head, 0, may_fail=True)'),
        ("network", "return self._traces() != self._fresh", "return False"),
    )
)
"""But for a mount, by which the program sees its file: what a copy of a Python costs by itself."""
Run = Callable[[], Awaitable[None]]


def variants() -> dict[str, dict[str, Any]]:
    """Executors by name: their settings, and those of the request."""
    none = {"group": False, "network": False, "reaper": False}
    steps = {"nothing kept": none, "group": none | {"group": True}, "group, network": {"reaper": False}}
    steps["group, network, idle reaper"] = {}
    cold: dict[str, Any] = {name: {"economy": Economy(**kept)} for name, kept in steps.items()}
    warm = {"request": {"warm": True}}
    return cold | {"the same, warm": warm, "warm, without walls": warm | {"off": NO_WALLS}}


def used_cpu() -> float:
    """CPU seconds of all processes below this one, and of all that they have waited for."""
    known = processes()
    total, below = 0.0, [os.getpid()]
    while below:
        process = below.pop()
        total += sum(known[process][1:])
        below += [pid for pid, (parent, *_) in known.items() if parent == process]
    return total


async def measured(runs: list[Run], seconds: float) -> tuple[float, float, float, float]:
    """Runs a second, CPU milliseconds a run, and the time of one at the median and at 99 of 100, milliseconds."""
    times: list[float] = []
    end = time.monotonic() + seconds

    async def again(run: Run) -> None:
        while time.monotonic() < end:
            start = time.perf_counter()
            await run()
            times.append(time.perf_counter() - start)

    cpu, start = used_cpu(), time.monotonic()
    await asyncio.gather(*(again(run) for run in runs))
    wall, cpu = time.monotonic() - start, used_cpu() - cpu
    p99 = statistics.quantiles(times, n=100)[-1]
    return len(times) / wall, 1000 * cpu / len(times), 1000 * statistics.median(times), 1000 * p99


def bare(folder: Path) -> Run:
    """The same program without any sandbox."""
    file = folder / "main.py"
    file.write_text(PROGRAM)

    async def run() -> None:
        process = await asyncio.to_thread(
            subprocess.run, [PYTHON, file], input=b"21\n", capture_output=True, check=True
        )
        assert process.stdout == b"42\n"

    return run


async def of_executor(settings: dict[str, Any], sandboxes: int, seconds: float) -> tuple[float, float, float, float]:
    request, off = settings.pop("request", {}), settings.pop("off", None)
    whole = NamespaceExecutor(**settings)
    await whole.start()
    executor = Weakened(whole, off) if off else whole
    opened = [await executor.open() for _ in range(sandboxes)]

    def run_in(sandbox: Any) -> Run:
        async def run() -> None:
            number = secrets.randbelow(1000)
            files = {"main.py": File(PROGRAM.encode() + b"# %d" % number)}
            outcome = await sandbox.run(
                RunRequest([PYTHON, b"main.py"], LIMITS, files, stdin=b"%d\n" % number, **request)
            )
            assert outcome.stdout == b"%d\n" % (2 * number), outcome

        return run

    try:
        return await measured([run_in(sandbox) for sandbox in opened], seconds)
    finally:
        for sandbox in opened:
            await sandbox.close(reuse=False)
        if executor is not whole:
            await executor.stop()
        await whole.stop()


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--sandboxes", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        plain = await measured([bare(Path(folder))] * options.sandboxes, options.seconds)
    print(f"{'':32} {'runs/s':>8} {'x bare':>7} {'CPU ms':>7} {'p50 ms':>7} {'p99 ms':>7}")
    results = {"bare python3": plain}
    for name, settings in variants().items():
        results[name] = await of_executor(settings, options.sandboxes, options.seconds)
    for name, (rate, cpu, p50, p99) in results.items():
        print(f"{name:32} {rate:8.1f} {rate / plain[0]:7.2f} {cpu:7.2f} {p50:7.2f} {p99:7.2f}")


if __name__ == "__main__":
    asyncio.run(main())
