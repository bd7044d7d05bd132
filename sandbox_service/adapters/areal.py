"""AReaL: `reward_fn=sandbox_service.adapters.areal.reward_fn`.

Written by the signature that AReaL documents; no test runs it. `AsyncRewardWrapper` calls this in a process of its own,
gives it 15 s, tries three times and then takes 0: give its `timeout_seconds` more than `patience`.
For what we failed `SandboxError` is raised, so that it is tried again.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sandbox_service.adapters import _core
from sandbox_service.client import AsyncClient, SandboxError


def reward_fn(
    prompt: Any,
    completions: Any,
    prompt_ids: Any,
    completion_ids: Any,
    *,
    tests: Any,
    url: str | None = None,
    patience: float = 12.0,
    **_row: Any,
) -> float:
    """The reward of one answer; the row's column `tests` holds the tests, in a notation of `ground_truth`.

    Raises:
        SandboxError: there is none.
    """
    (result,) = _core.results_now(_client(url, patience), [_core.wanted(completions, tests)])
    if result.reward is None:
        raise SandboxError(_core.why(result))
    return result.reward


@cache
def _client(url: str | None, patience: float) -> AsyncClient:
    return AsyncClient(url, patience=patience)
