"""Public data sets and hacks, where they are at hand: references are accepted, known bugs and hacks are not."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.judge.cpp.place import judge

CASES = Path(__file__).resolve().parents[4] / "shared" / "cases"
DATA = ("data/humanevalpack_cpp.jsonl", "data/mbxp_cpp.jsonl")
FAILS = ("fails_tests", "compile_error")
SAMPLE = 40
NO_REFERENCE = {"mbxp/cpp/769"}
"""Its solution leaves with exit code 0 when it is first called, and with it the tests."""


@cache
def _rows(name: str) -> list[dict[str, Any]]:
    path = CASES / name
    return [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []


def _check(row: dict[str, Any]) -> None:
    tests, setup = row["tests"]["code"], row["tests"].get("setup") or ""
    reference = judge(row["solution"], tests, setup=setup, entry_point=row.get("entry_point"))
    assert reference.accepted == (row["id"] not in NO_REFERENCE), (row["id"], reference)
    for buggy, checked in zip(row.get("buggy") or [], row.get("buggy_checked") or [], strict=False):
        assert checked not in FAILS or not judge(buggy, tests, setup=setup).accepted, row["id"]


ROWS = [row for name in DATA for row in _rows(name)]


@pytest.mark.skipif(not ROWS, reason="the data sets are not here")
@pytest.mark.parametrize("row", ROWS[::SAMPLE], ids=lambda row: row["id"])
def test_a_sample_of_the_data_sets(row: dict[str, Any]) -> None:
    _check(row)


@pytest.mark.full
@pytest.mark.skipif(not ROWS, reason="the data sets are not here")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_all_of_the_data_sets(row: dict[str, Any]) -> None:
    _check(row)


HACKS = [row for row in _rows("hacks/hacks.jsonl") if row["language"] == "cpp" and row["kind"] == "assert"]


@pytest.mark.skipif(not HACKS, reason="the hacks are not here")
@pytest.mark.parametrize("row", HACKS, ids=lambda row: row["id"])
def test_hacks(row: dict[str, Any]) -> None:
    tests = row["task"]["tests"]
    if row.get("hack"):
        assert not judge(row["hack"]["code"], tests["code"], setup=tests.get("setup") or "").accepted
    assert judge(row["honest"]["code"], tests["code"], setup=tests.get("setup") or "").accepted
