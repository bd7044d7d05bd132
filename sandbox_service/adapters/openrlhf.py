"""OpenRLHF: `--reward.remote_url FILE.py`, where the file says
`from sandbox_service.adapters.openrlhf import reward_func`.

What we failed has no reward (`None`), as when OpenRLHF's own request fails.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sandbox_service.adapters import _core
from sandbox_service.client import AsyncClient

PATIENCE_SECONDS = 600.0


def reward_func(queries: list[str], prompts: list[str], labels: list[Any], **_others: Any) -> dict[str, Any]:
    """The rewards of answers; OpenRLHF calls it in a thread, with one of each.

    Args:
        queries: prompt and answer together.
        prompts: the prompts.
        labels: the tests, in a notation of `ground_truth`.

    Returns:
        `rewards` and `scores` as tensors, or `None` if there is none for one of them; `extra_logs`.
    """
    import torch

    from sandbox_service.contract import ground_truth

    answers = map(ground_truth.answer, queries, prompts)
    asked = [_core.wanted(answer, label) for answer, label in zip(answers, labels, strict=True)]
    results = _core.results_now(_client(), asked)
    infra = torch.tensor([_core.infra(result) for result in results])
    if infra.any():
        return {"rewards": None, "scores": None, "extra_logs": {"infra": infra}}
    rewards = torch.tensor([result.reward for result in results], dtype=torch.float32)
    return {"rewards": rewards, "scores": rewards, "extra_logs": {"infra": infra}}


@cache
def _client() -> AsyncClient:
    """The service that `SANDBOX_URL` and `SANDBOX_KEY` name."""
    return AsyncClient(patience=PATIENCE_SECONDS)
