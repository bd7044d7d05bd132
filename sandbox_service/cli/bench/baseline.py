"""The same program without a sandbox, in the same call: what all figures are compared with."""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from sandbox_service.cli.bench.workloads import DOUBLE
from sandbox_service.cli.errors import CliError

PYTHON = "/usr/bin/python3"


def bare(number: int) -> None:
    """Nothing but the interpreter."""
    _run([PYTHON, "-c", DOUBLE], number)


def naive(number: int) -> None:
    """What a trainer does without a sandbox: a temporary file and a subprocess."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(DOUBLE)
        file.flush()
        _run([PYTHON, file.name], number)


def _run(command: list[str], number: int) -> None:
    done = subprocess.run(command, input=f"{number}\n", capture_output=True, text=True, check=True)
    if done.stdout != f"{2 * number}\n":
        raise CliError(f"{PYTHON} printed {done.stdout!r}")


def measure(run: Callable[[int], None], runs: int) -> tuple[float, float]:
    """Runs a second, one a core at a time, and CPU seconds of a run, those of who starts it included."""
    before, began = _cpu(), time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run, range(runs)))
    return runs / (time.perf_counter() - began), (_cpu() - before) / runs


def _cpu() -> float:
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
