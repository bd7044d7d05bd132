"""Nothing is lost, doubled or judged wrongly while parts of the service are killed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("seed", "kills", "submissions"), [(1, 6, 150), pytest.param(2, 200, 5000, marks=pytest.mark.full)]
)
def test_under_fire(seed: int, kills: int, submissions: int) -> None:
    order = ["--seed", str(seed), "--kills", str(kills), "--submissions", str(submissions)]
    command = [sys.executable, "-m", "tests.chaos", *order]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180 + 12 * kills, check=False)
    assert done.stdout, done.stderr
    report = json.loads(done.stdout)
    assert report["faults"] == [], done.stdout
    assert done.returncode == 0
    assert sum(count for what, count in report["kills"].items() if "stalled" not in what) == kills
