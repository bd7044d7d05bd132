"""From a reward's name to its number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from sandbox_service.contract.result import CaseResult, Component
from sandbox_service.contract.task import Task
from sandbox_service.reward.components import binary, fraction, weighted

REWARDS: Mapping[str, Callable[[Sequence[CaseResult]], float]] = MappingProxyType(
    {"binary": binary, "fraction": fraction, "weighted": weighted}
)
"""The rewards that need no more than their name."""

_ALL_OR_NOTHING = ("assertions", "repo")


def default_reward(task: Task) -> str:
    """The name of the reward that a task gets where the submission names none."""
    return "binary" if str(task.type) in _ALL_OR_NOTHING else "fraction"


def score(name: str, cases: Sequence[CaseResult]) -> tuple[float, list[Component]]:
    """The reward of a submission that finished, finite and in [0, 1], and what it is made of.

    Args:
        name: one of `REWARDS`.
        cases: all cases of the submission, those skipped included.

    Raises:
        KeyError: there is no reward of this name.

    >>> score("fraction", [CaseResult(id="0", verdict="accepted"), CaseResult(id="1", verdict="runtime_error")])
    (0.5, [Component(name='tests', value=0.5, weight=1.0, detail=None)])
    """
    value = REWARDS[name](cases)
    return value, [Component(name="tests", value=value, weight=1.0)]
