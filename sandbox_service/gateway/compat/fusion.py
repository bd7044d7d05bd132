"""SandboxFusion's words: its limits, languages and results."""

from __future__ import annotations

import glob
from typing import Annotated, Any

from pydantic import BaseModel, Field

from sandbox_service.contract.base import Bytes, from_bytes
from sandbox_service.contract.problem import ProblemError
from sandbox_service.contract.result import CaseResult, CompileResult, Result
from sandbox_service.contract.verdict import State, Verdict
from sandbox_service.gateway.compat.ask import Asker, Body
from sandbox_service.gateway.compat.limits import WALL_PER_CPU, memory, times_within

LANGUAGES = {"nodejs": "javascript", "R": "r"}
"""Its names for languages where ours differ."""
MARGIN_SECONDS = 8.0
"""Kept waiting for, beyond what compiling and running may take; its clients give it 10."""
MOST_SECONDS = 300.0
KILLED = -9
Positive = Annotated[float, Field(gt=0)]


class RunCode(BaseModel):
    """The body of `/run_code`: seconds, MiB, files in base64."""

    code: Bytes
    language: str
    stdin: Bytes | None = None
    compile_timeout: Positive = 10.0
    run_timeout: Positive = 10.0
    memory_limit_MB: int | None = None  # noqa: N815
    files: dict[str, str | None] = {}
    fetch_files: list[str] = []

    @property
    def patience(self) -> float:
        """How long the client can be kept waiting, in seconds."""
        return min(self.compile_timeout + self.run_timeout + MARGIN_SECONDS, MOST_SECONDS)


def language(name: str) -> str:
    """Our name of a language."""
    return LANGUAGES.get(name, name)


def submission(asked: RunCode, asker: Asker) -> Body:
    """What is to be run.

    Raises:
        ProblemError: 422, naming the field.
    """
    body: Body = {
        "language": language(asked.language),
        "task": {"type": "run", "stdin": from_bytes(asked.stdin or b"")},
        "limits": {
            **times_within(asked.run_timeout, asked.compile_timeout, asker),
            **memory((asked.memory_limit_MB or 0) * 1024 * 1024, asker),
        },
        "artifacts": [glob.escape(name) for name in asked.fetch_files],
    }
    return body | program(asked.code, asked.files, body["language"], asker)


def program(code: bytes, beside: dict[str, str | None], language: str, asker: Asker) -> Body:
    """The program, and the files beside it (base64), under a name that none of them has."""
    files = {name: {"base64": "".join(text.split())} for name, text in beside.items() if text is not None}
    known = asker.gateway.admission.languages.get(language)
    if not files or known is None:
        return {"code": from_bytes(code)}
    name = known.source
    while name in files:
        name = f"_{name}"
    return {"files": {**files, name: from_bytes(code)}, "entrypoint": name}


def answer(result: Result, compile_seconds: float) -> Body:
    """A result in the words of `/run_code`.

    Raises:
        ProblemError: 504, we failed: its clients ask again.
    """
    if result.state != State.FINISHED:
        return failure(result)
    return ran(result, result.cases[0], compile_seconds)


def failure(result: Result) -> Body:
    """Our failure, where asking again is of no use.

    Raises:
        ProblemError: 504, where it is.
    """
    error = result.infra_error
    if error is None or error.retryable:
        raise ProblemError(504, "failed", error.message if error else "the service failed", retryable=True)
    return _response("SandboxError", error.message, None, None, {})


def ran(result: Result, case: CaseResult, compile_seconds: float) -> Body:
    """What became of one run, whoever judged it."""
    compiled = None if result.compile is None else _compiled(result.compile, compile_seconds)
    run = None if case.verdict in (Verdict.COMPILE_ERROR, Verdict.SKIPPED) else _run(case)
    bad = any(part is not None and part["return_code"] != 0 for part in (compiled, run)) or run is None
    files = {name: one.base64 for name, one in result.artifacts.items() if not one.truncated}
    return _response("Failed" if bad else "Success", "", compiled, run, files)


def _response(status: str, message: str, compiled: Body | None, run: Body | None, files: Body) -> Body:
    return {
        "status": status,
        "message": message,
        "compile_result": compiled,
        "run_result": run,
        "executor_pod_name": None,
        "files": files,
    }


def _compiled(compiled: CompileResult, seconds: float) -> Body:
    cpu, wall = compiled.cpu_seconds or 0.0, compiled.wall_seconds or 0.0
    late = not compiled.ok and (cpu > seconds or wall > seconds * WALL_PER_CPU)
    code = 0 if compiled.ok else compiled.exit_code or KILLED
    return _command(late, compiled.wall_seconds, code, compiled.stdout, compiled.stderr or compiled.message or "")


def _run(case: CaseResult) -> Body:
    late = case.verdict == Verdict.TIME_LIMIT_EXCEEDED
    return _command(late, case.wall_seconds, return_code(case), case.stdout, case.stderr)


def _command(late: bool, seconds: float | None, code: int, stdout: str, stderr: str) -> Body:
    status = "TimeLimitExceeded" if late else "Finished"
    run: dict[str, Any] = {"status": status, "execution_time": seconds, "return_code": None if late else code}
    return run | {"stdout": stdout, "stderr": stderr}


def return_code(case: CaseResult) -> int:
    """The exit code, negative for a signal; never 0 of a program that was stopped for going over a limit."""
    if case.signal is not None:
        return -case.signal
    right = case.verdict in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER)
    return case.exit_code or (0 if right else KILLED)
