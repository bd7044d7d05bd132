"""Learned reward models: a local model's opinion and the service's reward, made one.

The service says what a program did; a model says what it thinks of it. Where the service has no reward because it
failed, there is none: a model never fills in for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox_service.contract.result import Result

OutcomeModel = Callable[[Sequence[Mapping[str, Any]], "Sequence[Result]"], Sequence[float]]
"""From submissions and their results to one number each, in [0, 1]."""
ProcessModel = Callable[[Sequence[Mapping[str, Any]], "Sequence[Result]"], Sequence[Sequence[float]]]
"""Likewise, to one number for each step of each submission."""


def blend(
    submissions: Sequence[Mapping[str, Any]],
    results: Sequence[Result],
    model: OutcomeModel,
    *,
    weight: float = 0.5,
    only_accepted: bool = False,
) -> list[float | None]:
    """(1 - weight) x the service's reward + weight x the model's.

    Args:
        submissions: what was sent.
        results: what came back, in the same order.
        model: asked once, about those that have a reward.
        weight: of the model, in [0, 1].
        only_accepted: a program that is not accepted gets the service's reward alone: no model talks it up.

    Returns:
        A reward for each, `None` where the service failed.

    Raises:
        ValueError: the model gave another number of scores.
    """
    judged = [place for place, result in enumerate(results) if result.reward is not None]
    scores = _asked(model, submissions, results, judged)
    rewards: list[float | None] = [None] * len(results)
    for place, score in zip(judged, scores, strict=True):
        result = results[place]
        mine = 0.0 if only_accepted and result.verdict != "accepted" else weight
        assert result.reward is not None  # noqa: S101
        rewards[place] = (1 - mine) * result.reward + mine * score
    return rewards


def blend_steps(
    submissions: Sequence[Mapping[str, Any]], results: Sequence[Result], model: ProcessModel, *, weight: float = 0.5
) -> list[list[float] | None]:
    """The same for each step of each submission, beside the service's own judgement of that step.

    Raises:
        ValueError: the model gave another number of scores, of submissions or of steps.
    """
    judged = [place for place, result in enumerate(results) if result.reward is not None]
    rewards: list[list[float] | None] = [None] * len(results)
    for place, scores in zip(judged, _asked(model, submissions, results, judged), strict=True):
        pairs = zip(results[place].steps, scores, strict=True)
        rewards[place] = [(1 - weight) * step.reward + weight * score for step, score in pairs]
    return rewards


def _asked(model: Any, submissions: Sequence[Any], results: Sequence[Any], judged: list[int]) -> Sequence[Any]:
    if not judged:
        return []
    scores: Sequence[Any] = model([submissions[place] for place in judged], [results[place] for place in judged])
    return scores
