"""Verdicts -> a number in [0, 1]. Pure, and made of verdicts and weights alone."""

from sandbox_service.reward.combine import REWARDS, default_reward, score

__all__ = ["REWARDS", "default_reward", "score"]
