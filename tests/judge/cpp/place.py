"""Compiles and runs programs of the C++ harness, as plain local processes."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from sandbox_service.contract.data import data_dir
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge.cpp import Program, opening, program, refusal, report, report_limit
from sandbox_service.judge.finding import Finding
from sandbox_service.languages.registry import load

LANGUAGES = load(data_dir("runner_images"))
SECONDS = 300


@dataclass
class Judged:
    """What became of a solution."""

    findings: list[Finding] | None
    """`None`: it does not compile, or is refused."""
    message: str = ""
    exit_code: int | None = None
    stdout: bytes = b""

    @property
    def accepted(self) -> bool:
        return bool(self.findings) and all(finding.verdict is Verdict.ACCEPTED for finding in self.findings or [])

    @property
    def passed(self) -> list[bool]:
        return [finding.verdict is Verdict.ACCEPTED for finding in self.findings or []]


def judge(
    solution: str,
    tests: str,
    *,
    setup: str = "",
    language: str = "cpp",
    flags: tuple[str, ...] = (),
    entry_point: str | None = None,
) -> Judged:
    """Compile a solution with its tests, run them and read the report."""
    source = LANGUAGES[language].source
    made = program(
        solution.encode(), setup.encode(), tests.encode(), name=source, language=language, entry_point=entry_point
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {**made.files, source: solution.encode()}.items():
            (Path(folder) / name).write_bytes(content)
        compiled = subprocess.run(
            command(made, language, flags), cwd=folder, capture_output=True, text=True, timeout=SECONDS
        )
        if compiled.returncode:
            return Judged(None, compiled.stderr)
        refused = refusal((Path(folder) / "program").read_bytes(), language)
        return Judged(None, refused) if refused else run(made, folder)


def command(made: Program, language: str, flags: tuple[str, ...] = ()) -> list[str]:
    """The compile command of the language, for a program of the harness."""
    values = {"{flags}": list(flags), "{sources}": list(made.sources)}
    template = LANGUAGES[language].compile or []
    return [part for item in template for part in values.get(item, [item])] + list(made.arguments)


def run(made: Program, folder: str) -> Judged:
    """Run a compiled program with a secret of its own."""
    nonce = secrets.token_hex(16)
    secret_in, secret_out = map(_high, os.pipe())
    told_in, told_out = map(_high, os.pipe())
    feeder = threading.Thread(target=_feed, args=(secret_out, opening(made, nonce)))
    process = subprocess.Popen(
        [
            "bash",
            "-c",
            f"ulimit -t 10 -v 4000000; exec ./program 3<&{secret_in} 4>&{told_out} {secret_in}<&- {told_out}>&-",
        ],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=(secret_in, told_out),
    )
    os.close(secret_in)
    os.close(told_out)
    feeder.start()
    told: list[bytes] = []
    reader = threading.Thread(target=_collect, args=(told_in, told, report_limit(made)))
    reader.start()
    try:
        stdout, _ = process.communicate(timeout=SECONDS)
    finally:
        process.kill()
        process.wait()
        feeder.join()
        reader.join(SECONDS)
    return Judged(report(b"".join(told), made, nonce), exit_code=process.returncode, stdout=stdout)


def _high(descriptor: int) -> int:
    """The same pipe under a number that the shell can move to 3 or 4."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved


def _feed(descriptor: int, content: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), os.fdopen(descriptor, "wb", buffering=0) as stream:
        while content:
            content = content[stream.write(content) or 0 :]


def _collect(descriptor: int, told: list[bytes], most: int) -> None:
    with os.fdopen(descriptor, "rb", buffering=0) as stream:
        size = 0
        while chunk := stream.read(1 << 16):
            if size < most:
                told.append(chunk)
                size += len(chunk)
