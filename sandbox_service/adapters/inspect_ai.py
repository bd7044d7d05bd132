"""inspect_ai: `Task(dataset, solver=generate(), scorer=sandbox())`. What we failed is unscored: no metric counts it."""

from __future__ import annotations

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from sandbox_service.adapters import _core
from sandbox_service.client import AsyncClient


@scorer(metrics=[mean(), stderr()])
def sandbox(
    url: str | None = None,
    key: str | None = None,
    tests: str | None = None,
    patience: float = 60.0,
    fields: dict[str, Any] | None = None,
) -> Scorer:
    """A scorer whose value is the reward.

    Args:
        url: the service; default `SANDBOX_URL`.
        key: the API key; default `SANDBOX_KEY`.
        tests: the field of a sample's metadata that holds the tests; by default they are its target.
        patience: seconds for which a service that cannot be reached is waited for.
        fields: of every submission, such as `language`.
    """
    client = AsyncClient(url, key, patience=patience)

    async def score(state: TaskState, target: Target) -> Score:
        truth = target.text if tests is None else state.metadata[tests]
        answer = state.output.completion
        (result,) = await _core.results(client, [_core.wanted(answer, truth, fields)])
        if result.reward is None:
            return Score.unscored(reason="scoring_failed", answer=answer, explanation=_core.why(result))
        metadata = {"verdict": result.verdict, "passed": result.passed, "total": result.total}
        return Score(value=result.reward, answer=answer, explanation=result.verdict, metadata=metadata)

    return score
