"""What an examiner tells of the test text that it ran beside a solution.

Lines of JSON, in this order: the plan, a line for each case that ended, the end.

    {"plan": [{"line": 3, "text": "assert f(1) == 2"}, ...]}
    {"case": 0, "passed": true}
    {"case": 1, "passed": false, "fault": "wrong", "message": "...", "actual": "...", "expected": "..."}
    {"end": true}

The number of cases is that of the plan, made before anything was heard of the solution. A case without a line of its
own has not passed, whatever became of the examiner.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sandbox_service.contract.task import MAX_CASES
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge.finding import ACCEPTED, Finding

GONE = "the program ended before its tests did"
VERDICTS = {
    "wrong": Verdict.WRONG_ANSWER,
    "error": Verdict.RUNTIME_ERROR,
    "limit": Verdict.OUTPUT_LIMIT_EXCEEDED,
}


@dataclass(slots=True)
class Report:
    """A report as far as it came.

    Attributes:
        planned: the number of cases; `None` where there is no plan.
        found: how cases ended, by number.
        ended: whether the examiner came to its end.
    """

    planned: int | None = None
    found: dict[int, Finding] = field(default_factory=dict)
    ended: bool = False

    def findings(self, missing: Finding) -> list[Finding]:
        """All cases in order; those that are not told of are `missing`."""
        return [self.found.get(number, missing) for number in range(self.planned or 0)]


def parse(output: bytes) -> Report:
    """Read a report; it ends where the first line is that no examiner of ours writes."""
    report = Report()
    for line in _lines(output):
        plan = line.get("plan")
        if report.planned is None:
            if not isinstance(plan, list) or len(plan) > MAX_CASES:
                break
            report.planned = len(plan)
        elif line.get("end") is True:
            report.ended = True
            break
        else:
            number = line.get("case")
            if type(number) is not int or not 0 <= number < report.planned or number in report.found:
                break
            report.found[number] = _finding(line)
    return report


def _lines(output: bytes) -> Iterator[dict[str, Any]]:
    for text in output.splitlines():
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            return
        if not isinstance(line, dict):
            return
        yield line


def _finding(line: dict[str, Any]) -> Finding:
    if line.get("passed") is True:
        return ACCEPTED
    verdict = VERDICTS.get(str(line.get("fault")), Verdict.RUNTIME_ERROR)
    message, actual, expected = (_text(line.get(name)) for name in ("message", "actual", "expected"))
    return Finding(verdict, message or "failed", actual, expected)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
