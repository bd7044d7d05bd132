"""Outcome and expected output -> verdict. Pure: no clock, no files, no network, nothing kept between calls."""

from sandbox_service.judge import evidence
from sandbox_service.judge.aggregate import aggregate
from sandbox_service.judge.compare import TaskError, check_expected, matches
from sandbox_service.judge.finding import ACCEPTED, Finding
from sandbox_service.judge.verdict import compile_failure, fault, near_limit

__all__ = [
    "ACCEPTED",
    "Finding",
    "TaskError",
    "aggregate",
    "check_expected",
    "compile_failure",
    "evidence",
    "fault",
    "matches",
    "near_limit",
]
