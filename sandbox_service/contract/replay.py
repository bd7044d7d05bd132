"""Whether a submission that is evaluated once more comes to the same. Pure."""

from __future__ import annotations

from typing import Any, Literal

from sandbox_service.contract.base import Model
from sandbox_service.contract.result import Result

Outcome = Literal["same", "toolchain_changed", "verdict_changed", "both_changed", "not_judged"]


class Change(Model):
    """One thing that is not as it was."""

    what: str
    before: Any
    after: Any


class Replay(Model):
    """What became of a submission when it was evaluated once more.

    `outcome`: `toolchain_changed` is another image, language, policy or walls that came to the same verdict;
    `verdict_changed` another verdict or reward of the same ones; `both_changed` leaves open which is to blame.
    `figures` are how many times as much CPU time and memory it took, in all; null where one is not known.
    """

    id: str
    outcome: Outcome
    changes: list[Change]
    figures: dict[str, float | None]


def compare(before: Result, after: Result) -> Replay:
    """Compare two results of the same submission.

    >>> old = Result(id="a", state="finished", verdict="accepted", reward=1.0, toolchain="python 3.11.2")
    >>> new = old.model_copy(update={"toolchain": "python 3.13.0"})
    >>> compare(old, new).outcome, compare(old, old).outcome
    ('toolchain_changed', 'same')
    """
    place, said = _differences(_place(before), _place(after)), _differences(_said(before), _said(after))
    figures = {name: _ratio(before, after, name) for name in ("cpu_seconds", "memory_bytes")}
    lost = before.verdict is None or after.verdict is None
    names: dict[tuple[bool, bool], Outcome] = {
        (False, False): "same",
        (True, False): "toolchain_changed",
        (False, True): "verdict_changed",
        (True, True): "both_changed",
    }
    outcome: Outcome = "not_judged" if lost else names[bool(place), bool(said)]
    return Replay(id=after.id, outcome=outcome, changes=place + said, figures=figures)


def _place(result: Result) -> dict[str, Any]:
    isolation = result.isolation.model_dump(exclude={"warm"}) if result.isolation else {}
    return {**isolation, "toolchain": result.toolchain, "policy": result.policy and result.policy.digest}


def _said(result: Result) -> dict[str, Any]:
    cases = {f"case {case.id}": str(case.verdict) for case in result.cases}
    # What hangs on time alone may differ by itself.
    timed = any(part.name == "efficiency" for part in result.components)
    return {"verdict": result.verdict, "reward": None if timed else result.reward, "passed": result.passed, **cases}


def _differences(before: dict[str, Any], after: dict[str, Any]) -> list[Change]:
    pairs = [(name, before.get(name), after.get(name)) for name in {**before, **after}]
    return [Change(what=name, before=old, after=new) for name, old, new in pairs if old != new]


def _ratio(before: Result, after: Result, name: str) -> float | None:
    old, new = (sum(getattr(case, name) or 0 for case in result.cases) for result in (before, after))
    return new / old if old else None
