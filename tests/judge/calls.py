"""Function calls in plain processes: the program of the sandbox as it is, with pipes as its descriptors 3 and 4."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox_service.contract.task import FunctionCase, FunctionTask, ValueCompare
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge.finding import Finding
from sandbox_service.judge.function import MAX_ANSWER_BYTES, call_source, check, request

PYTHON = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
SECONDS = 120
CPU_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Called:
    """What a call came to."""

    data: bytes
    stdout: str
    stderr: str
    exit_code: int


def task(entry_point: str = "f", result_from: str = "return", **case: Any) -> FunctionTask:
    """A task with one case."""
    given = {"args": [], "kwargs": {}, "expected": None} | case
    cases = [FunctionCase(**given)]
    return FunctionTask(type="function", entry_point=entry_point, cases=cases, result_from=result_from)


def call(code: str | bytes, one: FunctionTask, number: int = 0, file: str = "main.py") -> Called:
    """Run one case of a task with a program; its whole answer up to a little more than what counts."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, file).write_bytes(code if isinstance(code, bytes) else code.encode("utf-8", "surrogatepass"))
        (told, ask), (answer, tell) = _pipe(), _pipe()
        command = [
            "/bin/bash",
            "-c",
            f'ulimit -t {CPU_SECONDS}; exec "$@" 3<&{told} 4>&{tell} {told}<&- {tell}>&-',
            "-",
        ]
        child = subprocess.Popen(
            [*command, PYTHON, "-c", call_source(), file],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(told, tell),
            env={"PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "0"},
        )
        os.close(told)
        os.close(tell)
        content: list[bytes] = []
        threads = [
            threading.Thread(target=_tell, args=(ask, request(one, one.cases[number]))),
            threading.Thread(target=_hear, args=(answer, content)),
        ]
        for thread in threads:
            thread.start()
        try:
            stdout, stderr = child.communicate(timeout=SECONDS)
        finally:
            child.kill()
            child.wait()
        for thread in threads:
            thread.join(SECONDS)
            assert not thread.is_alive()
    return Called(b"".join(content), stdout.decode(), stderr.decode(errors="replace"), child.returncode)


def found(code: str | bytes, one: FunctionTask, number: int = 0, **compare: Any) -> Finding:
    """How a case ends, in the contract's order: too much of an answer, then an exit code, then a wrong answer."""
    called = call(code, one, number)
    finding = check(ValueCompare(**compare) if compare else one.compare, one.cases[number], called.data)
    if called.exit_code and finding.verdict is not Verdict.OUTPUT_LIMIT_EXCEEDED:
        return Finding(Verdict.RUNTIME_ERROR, called.stderr)
    return finding


def _pipe() -> tuple[int, int]:
    """A pipe whose ends are out of the way of the program's descriptors."""
    ends = os.pipe()
    moved = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    return moved[0], moved[1]


def _tell(end: int, content: bytes) -> None:
    try:
        with open(end, "wb") as file:
            file.write(content)
    except BrokenPipeError:
        pass  # it left without listening


def _hear(end: int, content: list[bytes]) -> None:
    room = MAX_ANSWER_BYTES + 1
    with open(end, "rb", buffering=0) as file:
        while room > 0 and (data := file.read(min(room, 1 << 20))):
            content.append(data)
            room -= len(data)
