"""Host and examiner as two local processes, joined by two pipes."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox_service.contract.data import data_dir
from sandbox_service.contract.limits import Limits
from sandbox_service.contract.submission import Submission
from sandbox_service.judge import report
from sandbox_service.judge.inside.javascript import examiner_command, examiner_files, host_source
from sandbox_service.languages import load
from sandbox_service.policy import default_policy

PATIENCE = 240.0
CPU_SECONDS = 15
JAVASCRIPT = load(data_dir("runner_images"))["javascript"]
LIMITS, _ = default_policy().resolve(Limits())
Command = list[str] | list[bytes]
Placed = tuple[Command, Path]
"""A command and the folder in which it runs."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What came of a test text: a line of the report for each case, in order, and what the processes left behind."""

    plan: list[dict[str, Any]]
    cases: list[dict[str, Any]]
    ended: bool
    exit_code: int
    stderr: str
    host_stdout: str = ""
    host_stderr: str = ""

    @property
    def passed(self) -> list[bool]:
        return [case["passed"] for case in self.cases]

    @property
    def accepted(self) -> bool:
        return self.ended and bool(self.plan) and all(self.passed)


def examine(
    solution: str,
    code: str,
    *,
    setup: str | None = None,
    entry_point: str | None = None,
    file: str = "main.js",
    more: dict[str, str] | None = None,
    cpu_seconds: int = CPU_SECONDS,
) -> Examined:
    """Judge a solution by a test text; each of the two processes may use so much CPU time."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for name, text in {file: solution, **(more or {})}.items():
            (work / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        task = {"code": code, "setup": setup, "entry_point": entry_point, "file": file}
        return beside(host(file), work, task, cpu_seconds)


def host(file: str) -> list[bytes]:
    """The host's command: the language's own, with the host for a program."""
    submission = Submission(language="javascript", code="", entrypoint=file)
    *interpreter, name = JAVASCRIPT.run_command(submission, [], LIMITS)
    return [*interpreter, b"-e", host_source().encode(), name]


def beside(host: Command, work: Path, task: dict[str, Any], cpu_seconds: int = CPU_SECONDS) -> Examined:
    """Run an examiner beside any program that stands for a host."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in examiner_files().items():
            (Path(folder) / name).write_bytes(content)
        (Path(folder) / "task.json").write_text(json.dumps(task))
        with joined((host, work), (examiner_command(), Path(folder)), cpu_seconds) as (loader, examiner):
            output, errors = examiner.communicate(timeout=PATIENCE)
            host_output, host_errors = loader.communicate(timeout=PATIENCE)
    return _examined(output, errors, examiner.returncode, host_output, host_errors)


@contextmanager
def joined(host: Placed, examiner: Placed, cpu_seconds: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Two programs, each of which finds a pipe from the other as its descriptor 3, and one to it as 4."""
    to_host, to_examiner = os.pipe(), os.pipe()
    processes: list[subprocess.Popen[bytes]] = []
    try:
        try:
            processes.append(start(*host, (to_host[0], to_examiner[1]), cpu_seconds))
            processes.append(start(*examiner, (to_examiner[0], to_host[1]), cpu_seconds))
        finally:
            for fd in (*to_host, *to_examiner):
                os.close(fd)
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def _examined(output: bytes, errors: bytes, exit_code: int, host_output: bytes, host_errors: bytes) -> Examined:
    lines = [json.loads(line) for line in output.decode("ascii").splitlines()]
    plan = lines[0]["plan"] if lines else []
    cases = sorted((line for line in lines if "case" in line), key=lambda line: line["case"])
    assert len(report.parse(output).found) == len(cases), output
    return Examined(
        plan,
        cases,
        report.parse(output).ended,
        exit_code,
        errors.decode(),
        host_output.decode(errors="replace"),
        host_errors.decode(errors="replace"),
    )


def start(command: Command, cwd: Path, channel: tuple[int, int], cpu_seconds: int) -> subprocess.Popen[bytes]:
    """Start a program that finds the channel as its descriptors 3 and 4, and may use so much CPU time."""

    def place() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
        reading, writing = (os.dup(fd) for fd in channel)
        os.dup2(reading, 3)
        os.dup2(writing, 4)

    return subprocess.Popen(
        command,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=(3, 4),
        preexec_fn=place,
    )
