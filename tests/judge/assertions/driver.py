"""Runs a solution and a test text against each other as two local processes."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox_service.judge.inside import python

SECONDS = 60
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}


@dataclass
class Report:
    """What the examiner reported. Raises AssertionError in the making if the report is not in order."""

    plan: list[dict[str, Any]]
    cases: dict[int, dict[str, Any]]
    exit_code: int
    errors: str

    @property
    def accepted(self) -> bool:
        return bool(self.plan) and all(self.cases.get(n, {}).get("passed") for n in range(len(self.plan)))

    @property
    def passed(self) -> list[bool]:
        return [bool(self.cases[n]["passed"]) for n in range(len(self.plan))]

    @property
    def faults(self) -> list[str | None]:
        return [self.cases[n].get("fault") for n in range(len(self.plan))]

    @property
    def messages(self) -> list[str | None]:
        return [self.cases[n].get("message") for n in range(len(self.plan))]


def compiled() -> tuple[str, str]:
    """The host and the examiner, compiled once."""
    if not CACHE:
        with tempfile.TemporaryDirectory() as folder:
            lay(Path(folder), python.compile_files())
            subprocess.run(python.compile_command(), cwd=folder, check=True)
            host, examiner = (Path(folder, name).read_bytes() for name in ("host.bin", "examiner.bin"))
        CACHE.append((python.program(python.compiled(host)), python.program(python.compiled(examiner))))
    return CACHE[0]


CACHE: list[tuple[str, str]] = []


def lay(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def high_pipe() -> tuple[int, ...]:
    """A pipe whose ends have numbers that no shell uses."""
    low = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 100) for end in low)
    for end in low:
        os.close(end)
    return high


def start(command: list[bytes], folder: Path, reading: int, writing: int, output: int) -> subprocess.Popen[bytes]:
    """A process whose descriptors 3 and 4 are these."""
    script = b'exec 3<&"$1" 4>&"$2"; eval "exec $1<&- $2>&-"; shift 2; exec "$@"'
    numbers = [str(reading).encode(), str(writing).encode()]
    return subprocess.Popen(
        [b"/bin/bash", b"-c", script, b"-", *numbers, *command],
        cwd=folder,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.PIPE,
        pass_fds=(reading, writing),
    )


def examine(
    solution: str | bytes,
    code: str,
    *,
    entry_point: str | None = None,
    setup: str | None = None,
    files: dict[str, bytes] | None = None,
    file: str = "main.py",
    host: list[bytes] | None = None,
    interpreter: bytes | None = None,
    seconds: float = SECONDS,
) -> Report:
    """Judge a solution by a test text. `host`: another program in the place of ours."""
    source, examiner = map(python.program, python.sources().values()) if interpreter else compiled()
    examiner_command = [interpreter or python.PYTHON, b"-c", examiner.encode()]
    task = {"code": code, "setup": setup, "entry_point": entry_point, "file": file}
    with tempfile.TemporaryDirectory() as name:
        work, judge = Path(name, "work"), Path(name, "judge")
        lay(work, {file: solution.encode("utf-8", "surrogatepass") if isinstance(solution, str) else solution})
        lay(work, files or {})
        lay(judge, {"task.json": json.dumps(task).encode()})
        questions, answers = high_pipe(), high_pipe()
        command = host or [interpreter or python.PYTHON, b"-c", source.encode(), file.encode()]
        solved = start(command, work, questions[0], answers[1], subprocess.DEVNULL)
        judged = start(examiner_command, judge, answers[0], questions[1], subprocess.PIPE)
        for descriptor in (*questions, *answers):
            os.close(descriptor)
        try:
            output, errors = judged.communicate(timeout=seconds)
            solved.communicate(timeout=seconds)
        finally:
            for process in (judged, solved):
                process.kill()
                process.communicate()
    return read(output, judged.returncode, errors.decode("utf-8", "replace"))


def examine_answers(code: str, answers: bytes, entry_point: str | None = None) -> Report:
    """Examine by a test text what is no host, but answers that were made before any question."""
    _, examiner = compiled()
    command = [python.PYTHON, b"-c", examiner.encode()]
    with tempfile.TemporaryDirectory() as name:
        task = {"code": code, "entry_point": entry_point, "file": "main.py"}
        lay(Path(name), {"task.json": json.dumps(task).encode()})
        asked, answered = high_pipe(), high_pipe()
        judged = start(command, Path(name), answered[0], asked[1], subprocess.PIPE)
        os.close(answered[0])
        os.close(asked[1])
        try:
            with contextlib.suppress(BrokenPipeError), open(answered[1], "wb") as writer:
                writer.write(answers)
            output, errors = judged.communicate(timeout=SECONDS)
        finally:
            judged.kill()
            judged.communicate()
            os.close(asked[0])
    return read(output, judged.returncode, errors.decode("utf-8", "replace"))


def read(output: bytes, exit_code: int, errors: str) -> Report:
    """The report, which has to be whole."""
    lines = [json.loads(line) for line in output.decode("ascii").splitlines()]
    plan, cases = lines[0]["plan"], {}
    if exit_code == 0:
        assert lines[-1] == {"end": True}, errors
        for line in lines[1:-1]:
            assert line["case"] not in cases
            assert 0 <= line["case"] < len(plan)
            cases[line["case"]] = line
        assert len(cases) == len(plan), errors
    return Report(plan, cases, exit_code, errors)
