"""TRL: `GRPOTrainer(reward_funcs=[reward_fn()], ...)`. What we failed is `None`: TRL leaves it out of the step."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from sandbox_service.adapters import _core
from sandbox_service.client import AsyncClient

Rewards = list[float | None]


def reward_fn(
    url: str | None = None,
    key: str | None = None,
    *,
    tests: str = "tests",
    patience: float = 60.0,
    name: str = "sandbox_reward",
    **fields: Any,
) -> Callable[..., Awaitable[Rewards]]:
    """A reward function for TRL.

    Args:
        url: the service; default `SANDBOX_URL`.
        key: the API key; default `SANDBOX_KEY`.
        tests: the column of the data set that holds the tests; a column `domain` is used as well where there is one.
        patience: seconds for which a service that cannot be reached is waited for, before answers get `None`.
        name: under which TRL logs the reward.
        fields: of every submission, such as `language` or `limits`.
    """
    client = AsyncClient(url, key, patience=patience)

    async def sandbox_reward(
        completions: list[Any],
        log_extra: Callable[[str, list[Any]], None] | None = None,
        log_metric: Callable[[str, float], None] | None = None,
        **columns: Any,
    ) -> Rewards:
        domains = columns.get("domain") or [None] * len(completions)
        rows = zip(completions, columns[tests], domains, strict=True)
        own = [_core.wanted(answer, test, _fields(fields, domain)) for answer, test, domain in rows]
        results = await _core.results(client, own)
        if log_extra is not None:
            log_extra("sandbox_verdict", [result.verdict or "not judged" for result in results])
        if log_metric is not None and results:
            log_metric("sandbox/infra_rate", sum(map(_core.infra, results)) / len(results))
            log_metric("sandbox/accepted_rate", sum(result.reward == 1 for result in results) / len(results))
        return [result.reward for result in results]

    sandbox_reward.__name__ = sandbox_reward.__qualname__ = name
    return sandbox_reward


def _fields(fields: dict[str, Any], domain: str | None) -> dict[str, Any]:
    return fields if domain is None else {"domain": domain, **fields}
