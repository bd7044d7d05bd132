"""Results in Piston's words: milliseconds, bytes, names of signals."""

from __future__ import annotations

import signal
from typing import Any

from sandbox_service.contract.problem import ProblemError
from sandbox_service.contract.result import CaseResult, CompileResult, Result
from sandbox_service.contract.verdict import State, Verdict

STATUS = {
    Verdict.TIME_LIMIT_EXCEEDED: "TO",
    Verdict.OUTPUT_LIMIT_EXCEEDED: "OL",
    Verdict.RUNTIME_ERROR: "RE",
    Verdict.MEMORY_LIMIT_EXCEEDED: "SG",
    Verdict.SECURITY_VIOLATION: "SG",
}
KILLED = "SIGKILL"
Stage = dict[str, Any]


def finished(result: Result) -> None:
    """Let what was judged pass.

    Raises:
        ProblemError: 500, we failed: its clients ask again.
    """
    if result.state != State.FINISHED:
        error = result.infra_error
        raise ProblemError(500, "failed", error.message if error else "the service failed", retryable=True)


def stages(result: Result) -> dict[str, Stage]:
    """Compiling, where there was any, and running; where that failed, `run` is what compiling was.

    Raises:
        ProblemError: 500, we failed.
    """
    finished(result)
    compiled = {} if result.compile is None else {"compile": compiling(result.compile)}
    if result.verdict == Verdict.COMPILE_ERROR:
        return compiled | {"run": compiled["compile"]}
    return compiled | {"run": _run(result.cases[0])}


def stage(stdout: str, stderr: str, code: int | None, name: str | None = None, **more: Any) -> Stage:
    """One stage; with the name of a signal there is no exit code."""
    usual = {"message": None, "status": None, "cpu_time": None, "wall_time": None, "memory": None}
    output = {"stdout": stdout, "stderr": stderr, "output": stdout + stderr}
    return {**output, "code": None if name else code, "signal": name, **usual, **more}


def compiling(compiled: CompileResult) -> Stage:
    """What the compiler did."""
    code = 0 if compiled.ok else compiled.exit_code or 1
    times = _times(compiled.cpu_seconds, compiled.wall_seconds, compiled.memory_bytes)
    stderr = compiled.stderr or (compiled.message or "")
    return stage(compiled.stdout, stderr, code, message=None if compiled.ok else compiled.message, **times)


def _run(case: CaseResult) -> Stage:
    status = STATUS.get(case.verdict)
    name = _signal(case, status)
    if status == "RE" and name:
        status = "SG"
    times = _times(case.cpu_seconds, case.wall_seconds, case.memory_bytes)
    return stage(case.stdout, case.stderr, case.exit_code, name, message=case.message, status=status, **times)


def _signal(case: CaseResult, status: str | None) -> str | None:
    """Whatever went over a limit counts as killed, also where it ended by itself."""
    if status in ("TO", "OL") or (status and case.signal is None and not case.exit_code):
        return KILLED
    if case.signal is None:
        return None
    return signal.Signals(case.signal).name if case.signal in set(signal.Signals) else f"SIG{case.signal}"


def _times(cpu: float | None, wall: float | None, memory: int | None) -> Stage:
    milliseconds = {"cpu_time": cpu, "wall_time": wall}
    return {name: None if value is None else value * 1000 for name, value in milliseconds.items()} | {"memory": memory}
