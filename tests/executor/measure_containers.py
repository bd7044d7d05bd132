"""What containers cost: runs a second, CPU time and times of executors that make them, beside plain `docker run`.

    DOCKER_HOST=... python -m tests.executor.measure_containers --image NAME --root DIR [--seconds 10] [--at-once 2]

Each run has a container that nobody has used, as for a submission with one case. Not a test; only ratios within one
call compare.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
from pathlib import Path

from sandbox_service.contract.run import File, RunRequest
from sandbox_service.executor.container import ContainerExecutor, DockerRuntime, OciRuntime
from tests.executor.measure import Run, measured
from tests.executor.place import LIMITS, PYTHON

PROGRAM = "print(int(input()) * 2)\n"
PLAIN = ["docker", "run", "--rm", "-i", "--network=none", "--log-driver=none"]


def plain(image: str, runtime: str) -> Run:
    """The same program as people run it who have no executor."""
    command = [*PLAIN, f"--runtime={runtime}", image, PYTHON.decode(), "-c", PROGRAM]

    async def run() -> None:
        ended = await asyncio.to_thread(subprocess.run, command, input=b"21\n", capture_output=True, check=True)
        assert ended.stdout == b"42\n"

    return run


def drained(executor: ContainerExecutor) -> Run:
    """A new sandbox for each run, sooner than new ones can be started ahead."""
    request = RunRequest([PYTHON, b"main.py"], LIMITS, {"main.py": File(PROGRAM.encode())}, stdin=b"21\n")

    async def run() -> None:
        sandbox = await executor.open()
        outcome = await sandbox.run(request)
        assert outcome.stdout == b"42\n", outcome
        executor.aside(sandbox.close())

    return run


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--image", required=True)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--at-once", type=int, default=2)
    options = parser.parse_args()
    print(f"{'':24} {'runs/s':>8} {'p50 ms':>8} {'p99 ms':>8}")

    async def tell(name: str, run: Run) -> None:
        rate, _, p50, p99 = await measured([run] * options.at_once, options.seconds)
        print(f"{name:24} {rate:8.2f} {p50:8.1f} {p99:8.1f}", flush=True)

    for runtime in ("runc", "runsc"):
        await tell(f"docker run, {runtime}", plain(options.image, runtime))
        for maker in (
            DockerRuntime(options.image, runtime, os.environ["DOCKER_HOST"]),
            OciRuntime(options.root, runtime),
        ):
            executor = ContainerExecutor(maker)
            await executor.start()
            await tell(f"{maker.executor}, {runtime}", drained(executor))
            await executor.stop()


if __name__ == "__main__":
    asyncio.run(main())
