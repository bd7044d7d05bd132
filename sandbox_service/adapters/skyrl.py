"""SkyRL-gym: `register(id="sandbox", entry_point="sandbox_service.adapters.skyrl:SandboxEnv")`.

SkyRL has no way to leave an answer out: for what we failed the reward is 0 and `infra` is 1, in the metadata and the
metrics. So the service is waited for long (`patience`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

from sandbox_service.adapters import _core
from sandbox_service.client import AsyncClient

PATIENCE_SECONDS = 600.0


class SandboxEnv(BaseTextEnv):
    """One answer, which is run by the service.

    Args:
        env_config: `url`, `key`, `patience`, `fields` (of every submission, such as `language`); each may be left out.
        extras: the row; `reward_spec.ground_truth` holds the tests, in a notation of `ground_truth`.
    """

    def __init__(self, env_config: Mapping[str, Any] | None = None, extras: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        config = env_config or {}
        patience = config.get("patience", PATIENCE_SECONDS)
        self._client = AsyncClient(config.get("url"), config.get("key"), patience=patience)
        self._fields = config.get("fields")
        self._tests = (extras or {})["reward_spec"]["ground_truth"]
        self._metrics: dict[str, float] = {}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Judge the answer; the episode ends with it."""
        (result,) = _core.results_now(self._client, [_core.wanted(action, self._tests, self._fields)])
        self._metrics = {"infra": _core.infra(result), "accepted": float(result.reward == 1)}
        reward = 0.0 if result.reward is None else result.reward
        metadata = {"verdict": result.verdict, "passed": result.passed, "total": result.total, **self._metrics}
        return BaseTextEnvStepOutput(observations=[], reward=reward, done=True, metadata=metadata)

    def get_metrics(self) -> dict[str, float]:
        """What SkyRL takes the mean of."""
        return self._metrics
