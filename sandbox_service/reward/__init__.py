"""Verdicts and what else is known of a submission -> a finite number. Pure: no clock, no files, nothing is run."""

from sandbox_service.reward.combine import REWARDS, default_reward, repeatable, score
from sandbox_service.reward.efficiency import NotMeasured, settled
from sandbox_service.reward.facts import Analysed, Facts, Impact, Measured, Scored
from sandbox_service.reward.text import PatternError, check_pattern

__all__ = [
    "REWARDS",
    "Analysed",
    "Facts",
    "Impact",
    "Measured",
    "NotMeasured",
    "PatternError",
    "Scored",
    "check_pattern",
    "default_reward",
    "repeatable",
    "score",
    "settled",
]
