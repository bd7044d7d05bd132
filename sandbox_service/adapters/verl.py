"""verl: `reward.custom_reward_function.path=pkg://sandbox_service.adapters.verl`, `.name=compute_score`.

verl has no way to leave an answer out: for what we failed the score is 0 and `infra` is 1. So the service is waited for
long (`patience`), and a run whose `infra` is not 0 everywhere has to be looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from sandbox_service.adapters import _core
from sandbox_service.client import AsyncClient

PATIENCE_SECONDS = 600.0


async def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    *,
    url: str | None = None,
    key: str | None = None,
    patience: float = PATIENCE_SECONDS,
    fields: Mapping[str, Any] | None = None,
    **_others: Any,
) -> dict[str, float]:
    """The score of one answer. All but the first four come from `reward.custom_reward_function.reward_kwargs`.

    Args:
        data_source: the data set's name.
        solution_str: what the model wrote.
        ground_truth: the tests, in a notation of `ground_truth`.
        extra_info: further columns; `domain` is used where there is one.
        url: the service; default `SANDBOX_URL`.
        key: the API key; default `SANDBOX_KEY`.
        patience: seconds for which a service that cannot be reached is waited for.
        fields: of every submission, such as `language` or `limits`.

    Returns:
        `score`, and for verl's metrics `acc` and `infra`.
    """
    domain = (extra_info or {}).get("domain")
    own = {**({"domain": domain} if domain else {}), **(fields or {})}
    (result,) = await _core.results(_client(url, key, patience), [_core.wanted(solution_str, ground_truth, own)])
    score = 0.0 if result.reward is None else result.reward
    return {"score": score, "acc": float(score == 1), "infra": _core.infra(result)}


@cache
def _client(url: str | None, key: str | None, patience: float) -> AsyncClient:
    """One for all calls with the same settings: verl calls once an answer."""
    return AsyncClient(url, key, patience=patience)
