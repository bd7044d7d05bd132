"""The corpus's function tasks, where the corpus is: honest solutions pass, hacks and known wrong ones do not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox_service.contract.task import FunctionTask
from sandbox_service.contract.verdict import Verdict
from tests.judge.calls import found

CORPUS = Path(__file__).parents[3] / "shared" / "cases"
FILES = ("hacks/hacks.jsonl", "reports/reports.jsonl", "data/quixbugs_python.jsonl")
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not here")


def rows() -> Iterator[dict[str, Any]]:
    for name in FILES:
        path = CORPUS / name
        for line in path.read_text().splitlines() if path.exists() else ():
            row = json.loads(line)
            if "function" in (row.get("kind"), row.get("task", {}).get("kind")) and row["language"] == "python":
                yield row


def submissions() -> Iterator[Any]:
    """Programs with their tasks, and the bounds of their reward."""
    for row in rows():
        task = _task(row.get("task", row))
        name = row["id"]
        if "honest" in row:
            yield pytest.param(row["honest"]["code"], task, 1.0, 1.0, id=f"{name}/honest")
            if row["hack"]:
                yield pytest.param(row["hack"]["code"], task, 0.0, row["expected"]["hack"]["reward_max"], id=name)
        elif "solution" in row:
            yield pytest.param(row["solution"], task, 1.0, 1.0, id=name)
            for number, code in enumerate(row["buggy"]):
                yield pytest.param(code, task, 0.0, 0.999, id=f"{name}/buggy{number}")
        else:
            yield pytest.param(row["code"], task, row["expected"]["reward"], row["expected"]["reward"], id=name)


def _task(part: dict[str, Any]) -> FunctionTask:
    wording = part["tests"]["compare"]
    compare: dict[str, Any] = {"mode": wording.split()[0]}
    if tolerance := re.search(r"1e-\d+", wording):
        compare |= {"abs_tol": float(tolerance[0]), "rel_tol": float(tolerance[0])}
    return FunctionTask.model_validate(
        {"type": "function", "entry_point": part["entry_point"], "cases": part["tests"]["cases"], "compare": compare}
    )


@pytest.mark.parametrize(("code", "task", "least", "most"), list(submissions()))
def test_rewards(code: str, task: FunctionTask, least: float, most: float) -> None:
    right = 0
    for left in reversed(range(len(task.cases))):
        right += found(code, task, len(task.cases) - 1 - left).verdict is Verdict.ACCEPTED
        if least == 0.0 and (right + left) / len(task.cases) <= most:
            return  # whatever the others are: wrong ones may take all of their time
    assert least <= right / len(task.cases) <= most
