"""The long loads in short, and in full."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest


def soak(*order: object, timeout: float) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.soak", *map(str, order)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    assert done.stdout, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["faults"] == [], done.stdout
    return report


@pytest.mark.parametrize(("seconds", "most"), [(5, 40), pytest.param(180, 5000, marks=pytest.mark.full)])
def test_overload(seconds: int, most: int) -> None:
    """What is refused is told when to come again; what is accepted is done; memory stays where it was."""
    report = soak("overload", "--seconds", seconds, "--max-queued", most, timeout=120 + 8 * seconds)
    assert set(report["answers"]) == {"202", "429"}


@pytest.mark.parametrize(("submissions", "ttl"), [(400, 2), pytest.param(50_000, 20, marks=pytest.mark.full)])
def test_endurance(submissions: int, ttl: int) -> None:
    """Memory and open files stay where they were, and Redis forgets everything."""
    report = soak("endurance", "--submissions", submissions, "--result-ttl", ttl, timeout=180 + submissions / 10)
    assert report["keys_left"] == 0


@pytest.mark.parametrize(
    ("submissions", "rounds", "slots", "ttl"),
    [(40, 2, 2, 1), pytest.param(1000, 3, 8, 20, marks=pytest.mark.full)],
)
def test_hostile(submissions: int, rounds: int, slots: int, ttl: int) -> None:
    """Nothing is left of hostile programs, none is accepted, and honest ones beside them have their verdicts."""
    given = ("--submissions", submissions, "--rounds", rounds, "--slots", slots, "--result-ttl", ttl)
    report = soak("hostile", *given, timeout=180 + submissions)
    assert len(report["rounds"]) == rounds
