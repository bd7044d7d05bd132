"""The demo's problems: a submission and what it must come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox_service import Result, State
from sandbox_service.cli.errors import CliError
from sandbox_service.contract import parse
from sandbox_service.contract.problem import ProblemError
from sandbox_service.contract.verdict import Verdict

REWARD_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Problem:
    """One line of the problem file."""

    name: str
    submission: Mapping[str, Any]
    verdict: Verdict
    reward: float


@dataclass(frozen=True, slots=True)
class Answer:
    """A problem and its result."""

    problem: Problem
    result: Result

    @property
    def got(self) -> str:
        """The verdict, or the state of a submission without one."""
        return str(self.result.verdict or self.result.state)

    @property
    def difference(self) -> str | None:
        """How the result differs from what is known; `None` if it does not."""
        problem, result = self.problem, self.result
        if result.state != State.FINISHED:
            why = f": {result.infra_error.message}" if result.infra_error else ""
            return f"{result.state}{why}"
        if result.verdict != problem.verdict and not self._excused():
            return f"{result.verdict}, known is {problem.verdict}{_said(result)}"
        if result.reward is None or abs(result.reward - problem.reward) > REWARD_TOLERANCE:
            return f"reward {result.reward}, known is {problem.reward}"
        return None

    def _excused(self) -> bool:
        """Without a memory cgroup an allocation fails where the program would have been killed: the result says so."""
        degraded = self.result.isolation.degraded if self.result.isolation else []
        wanted = (Verdict.MEMORY_LIMIT_EXCEEDED, Verdict.RUNTIME_ERROR)
        return (self.problem.verdict, self.result.verdict) == wanted and "memory" in degraded

    def document(self) -> dict[str, Any]:
        """The result with what is known beside it, as JSON values."""
        known = {"verdict": str(self.problem.verdict), "reward": self.problem.reward}
        return {"name": self.problem.name, "known": known, "difference": self.difference, **self.result.model_dump()}


def _said(result: Result) -> str:
    """What the first case that was not accepted said, to see at once why."""
    for case in result.cases:
        if case.verdict != Verdict.ACCEPTED:
            return f" ({case.message or case.stderr[-200:] or case.stdout[-200:]!r})"
    return ""


def load(path: Path) -> list[Problem]:
    """Read a problem file: one JSON object a line, `{"name", "submission", "known": {"verdict", "reward"}}`.

    Raises:
        CliError: a line is none, naming it; or there is none.
    """
    lines = [(number, line) for number, line in enumerate(path.read_bytes().splitlines(), start=1) if line.strip()]
    if not lines:
        raise CliError(f"{path} holds no problem")
    return [_problem(f"{path}, line {number}", line) for number, line in lines]


def _problem(where: str, line: bytes) -> Problem:
    try:
        value = parse.loads(line)
        submission, known = value["submission"], value["known"]
        parse.submission(submission)
        return Problem(str(value["name"]), submission, Verdict(known["verdict"]), float(known["reward"]))
    except (ProblemError, KeyError, TypeError, ValueError) as error:
        raise CliError(f"{where}: no problem: {error}") from None
