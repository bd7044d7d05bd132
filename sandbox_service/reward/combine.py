"""From a reward's name, or what it is made of, to its number."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sandbox_service.contract.result import CaseResult, Component
from sandbox_service.contract.reward import (
    AnyPart,
    CompilePart,
    CompliancePart,
    EfficiencyPart,
    FormatPart,
    ImpactPart,
    LengthPart,
    Reward,
    StepsPart,
    TestsPart,
)
from sandbox_service.contract.task import Task
from sandbox_service.reward import others, text
from sandbox_service.reward.components import binary, fraction, grouped, weighted
from sandbox_service.reward.efficiency import efficiency
from sandbox_service.reward.facts import Facts, Valued

REWARDS: Mapping[str, Callable[[Sequence[CaseResult]], float]] = MappingProxyType(
    {"binary": binary, "fraction": fraction, "weighted": weighted}
)
"""The rewards that need no more than their name."""

_KINDS = {**REWARDS, "groups": grouped}
_ALL_OR_NOTHING = ("assertions", "repo", "answer")
SAME_AGAIN = ("tests", "compile", "format", "length", "compliance", "impact", "steps")
"""Components that come to the same each time: no clock, no program of the trainer's."""


def default_reward(task: Task) -> str:
    """The name of the reward that a task gets where the submission names none."""
    return "binary" if str(task.type) in _ALL_OR_NOTHING else "fraction"


def repeatable(reward: str | Reward) -> bool:
    """Whether the same cases always come to the same reward; of a name that is none nobody knows."""
    if isinstance(reward, str):
        return reward in REWARDS
    return all(part.name in SAME_AGAIN for part in reward.components)


def score(reward: str | Reward, facts: Facts) -> tuple[float, list[Component]]:
    """The reward of a submission that finished, always finite, and what it is made of.

    Args:
        reward: one of `REWARDS`, or components.
        facts: what is known of it.

    Raises:
        KeyError: there is no reward of this name, or a component's facts are missing.
        NotMeasured: a figure is missing that an efficiency needs.

    >>> cases = [CaseResult(id="0", verdict="accepted"), CaseResult(id="1", verdict="runtime_error")]
    >>> score("fraction", Facts(cases))
    (0.5, [Component(name='tests', value=0.5, weight=1.0, detail=None)])

    0.8 x 0.5 + 0.2 x (100 - 60) / (100 - 50):

    >>> parts = [{"name": "tests", "weight": 0.8}, {"name": "length", "weight": 0.2, "target": 50, "limit": 100}]
    >>> reward = Reward.model_validate({"components": parts})
    >>> round(score(reward, Facts(cases, text=b"x" * 60))[0], 12)
    0.56
    """
    if isinstance(reward, str):
        value = REWARDS[reward](facts.cases)
        return value, [Component(name="tests", value=value, weight=1.0)]
    components = [_component(part, facts) for part in reward.components]
    values = {component.name: component.value for component in components}
    bare = {"compile": _compiles(facts), "tests": binary(facts.cases)}
    open_gates = all((bare | values)[gate] == 1.0 for gate in reward.require)
    total = math.fsum(each.weight * each.value for each in components) if open_gates else 0.0
    low, high = reward.clip or (-math.inf, math.inf)
    return min(max(total, low), high), components


def _component(part: AnyPart, facts: Facts) -> Component:
    value, detail = value_of(part, facts)
    return Component(name=part.key, value=value, weight=part.weight, detail=detail)


def value_of(part: AnyPart, facts: Facts) -> Valued:
    """What one component is worth. Raises as `score` does."""
    own: Any = facts.found.get(part.key)
    match part:
        case TestsPart():
            return _tests(part, facts.cases)
        case CompilePart():
            return _compiles(facts), None if facts.compiled else "nothing had to be compiled"
        case FormatPart():
            return text.form(part, facts.text)
        case LengthPart():
            return text.length(part, facts.text)
        case StepsPart():
            return others.steps(part, facts.steps)
        case EfficiencyPart():
            return efficiency(part, facts.found[part.key])  # type: ignore[arg-type]
        case CompliancePart():
            return others.compliance(part, own)
        case ImpactPart():
            return others.impact(own, facts.cases)
        case _:
            return min(max(own.value, 0.0), 1.0), own.detail


def _tests(part: TestsPart, cases: Sequence[CaseResult]) -> Valued:
    chosen = [case for case in cases if part.group in (None, case.group)]
    passed = sum(case.verdict == "accepted" for case in chosen)
    return _KINDS[part.kind](chosen), f"{passed} of {len(chosen)} cases" if chosen else "no case is of this group"


def _compiles(facts: Facts) -> float:
    return float(facts.compiled is None or facts.compiled.ok)
