"""`bench`: every way of sending, small."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import whole


def test_it_measures_all_parts(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    done = whole.run(
        "bench", "w1", "apart", "rl-step", "--runs", "8", "--clients", "4", "--scale", "128", "--json", str(figures)
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads(figures.read_text())
    assert [(row["workload"], row["way"]) for row in rows] == [
        ("bare python3", ""),
        ("plain subprocess", ""),
        *((name, way) for name in ("w1", "apart") for way in ("one each", "one each", "batch of 8")),
        ("rl-step", "batch of 32"),
    ]
    assert [row["clients"] for row in rows[2:5]] == [1, 4, 1]
    assert all(row["runs_per_second"] > 0 and row["times_naive"] > 0 and row["refused"] == 0 for row in rows)
    assert "w1" in done.stdout


def test_arrivals_at_random(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    done = whole.run("bench", "w1", "--runs", "10", "--rate", "20", "--json", str(figures))
    assert done.returncode == 0, done.stderr
    row = json.loads(figures.read_text())[-1]
    assert (row["way"], row["runs"], row["refused"]) == ("open, 20/s", 10, 0)
    assert 0 < row["p50_ms"] <= row["p99_ms"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["w9"], "'w9' is none of w1, w2"),
        (["--api", "go-judge"], "wants --url"),
        (["w1", "--url", "https://127.0.0.1:1"], "--url is http://HOST:PORT"),
        (["w1", "--url", "http://127.0.0.1:1"], "nobody answers at http://127.0.0.1:1"),
        (["w1", "--policy", "unheard-of", "--runs", "2"], "unheard-of"),
    ],
)
def test_what_cannot_be_measured(arguments: list[str], message: str) -> None:
    done = whole.run("bench", *arguments)
    assert done.returncode != 0
    assert message in done.stderr
    assert "Traceback" not in done.stderr
