"""verl's reward manager: `reward.reward_manager.source=importlib`, `.name=SandboxRewardManager`, `.module.path=
pkg://sandbox_service.adapters.verl_reward_manager`. Every data source is judged by the service."""

from __future__ import annotations

from typing import Any

from verl.experimental.reward_loop.reward_manager.naive import NaiveRewardManager

from sandbox_service.adapters.verl import compute_score as sandbox_score


class SandboxRewardManager(NaiveRewardManager):
    """verl's own manager, with the service's score where no custom function is configured."""

    def __init__(self, config: Any, tokenizer: Any, compute_score: Any = None, **more: Any) -> None:
        super().__init__(config, tokenizer, compute_score or sandbox_score, **more)
