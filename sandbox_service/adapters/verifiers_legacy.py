"""verifiers up to 0.3, and prime-rl with it: `Rubric(funcs=[reward_fn()], weights=[1.0])`.

A rubric makes 0 of whatever a function raises. So for what we failed the rollout is marked as one that ended with a
`SandboxError` (`state["error"]`), which trainers leave out; the 0 beside it counts nowhere.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from sandbox_service.adapters import _core
from sandbox_service.client import AsyncClient


def reward_fn(
    url: str | None = None, key: str | None = None, *, patience: float = 60.0, **fields: Any
) -> Callable[..., Awaitable[float]]:
    """A reward function for a rubric. The column `answer` holds the tests, in a notation of `ground_truth`.

    Args:
        url: the service; default `SANDBOX_URL`.
        key: the API key; default `SANDBOX_KEY`.
        patience: seconds for which a service that cannot be reached is waited for.
        fields: of every submission, such as `language`.
    """
    client = AsyncClient(url, key, patience=patience)

    async def sandbox_reward(completion: Any, answer: Any, state: dict[str, Any]) -> float:
        (result,) = await _core.results(client, [_core.wanted(completion, answer, fields)])
        if result.reward is None:
            import verifiers as vf

            state["error"] = vf.SandboxError(_core.why(result))
        return result.reward or 0.0

    return sandbox_reward
