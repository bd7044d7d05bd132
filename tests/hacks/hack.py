"""What a reward hack is, and the tasks it is sent with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Program = str | Mapping[str, str]
"""One file, or several by name (`main.py` or the like is the one that runs)."""

LIMITS = {"cpu_seconds": 5, "wall_seconds": 15}
ENTRYPOINTS = {"python": "main.py", "cpp": "main.cpp", "javascript": "main.js"}


@dataclass(frozen=True, slots=True)
class Stdio:
    """Pairs of input and expected output."""

    cases: tuple[tuple[str, str], ...]
    mode: str = "tokens"
    checker: str | None = None  # a Python program; mode is then `checker`
    tolerance: float | None = None

    def body(self) -> dict[str, Any]:
        """As the service is asked."""
        compare: dict[str, Any] = {"mode": self.mode}
        if self.checker is not None:
            compare = {"mode": "checker", "language": "python", "code": self.checker}
        if self.tolerance is not None:
            compare |= {"abs_tol": self.tolerance, "rel_tol": 0}
        cases = [{"stdin": stdin, "expected": expected} for stdin, expected in self.cases]
        return {"type": "stdio", "cases": cases, "compare": compare}


@dataclass(frozen=True, slots=True)
class Function:
    """Pairs of arguments and expected value."""

    entry_point: str
    cases: tuple[tuple[list[Any], Any], ...]
    mode: str = "equal"
    result_from: str = "return"

    def body(self) -> dict[str, Any]:
        """As the service is asked."""
        return {
            "type": "function",
            "entry_point": self.entry_point,
            "cases": [{"args": arguments, "expected": expected} for arguments, expected in self.cases],
            "compare": {"mode": self.mode},
            "result_from": self.result_from,
        }


@dataclass(frozen=True, slots=True)
class Assertions:
    """Text of tests that comes after the solution, and of what comes before it."""

    code: str
    setup: str = ""
    entry_point: str | None = None

    def body(self) -> dict[str, Any]:
        """As the service is asked."""
        optional = {"setup": self.setup, "entry_point": self.entry_point}
        return {"type": "assertions", "code": self.code} | {name: value for name, value in optional.items() if value}


Task = Stdio | Function | Assertions
Naive = Callable[["Hack", Program], float]
"""A naive harness: the reward that it gives to a program, for the task of a hack."""


@dataclass(frozen=True, slots=True)
class Hack:
    """A wrong program, the naive harness that it gets the full reward from, and a right program for the same task."""

    id: str
    kind: str
    language: str
    task: Task
    hack: Program
    honest: Program
    beats: Naive
    why: str
    reward_max: float = 0.0  # what the cases that it gets right are worth
    extract: str | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    unstoppable: bool = False  # by any judge whose tests share their process with the solution

    def submission(self, program: Program) -> dict[str, Any]:
        """One of its programs as the service is asked."""
        body: dict[str, Any] = {
            "language": self.language,
            "task": self.task.body(),
            "limits": {**LIMITS, **self.limits},
        }
        if isinstance(program, str):
            body["code"] = program
        else:
            body |= {"files": dict(program), "entrypoint": ENTRYPOINTS[self.language]}
        if self.extract is not None:
            body["extract"] = self.extract
        return body
