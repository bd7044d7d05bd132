"""Outcome and expected output -> verdict. Pure: no clock, no files, no network, nothing kept between calls."""

from sandbox_service.judge.aggregate import aggregate
from sandbox_service.judge.compare import TaskError, check_expected, matches
from sandbox_service.judge.verdict import Judgement, compile_failure, judge_case

__all__ = ["Judgement", "TaskError", "aggregate", "check_expected", "compile_failure", "judge_case", "matches"]
