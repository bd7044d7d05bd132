"""Public test texts: reference solutions pass, known wrong ones do not; hacks fail, and their honest twins pass."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.judge.javascript.pair import Examined, examine

CASES = Path(__file__).parents[4] / "shared" / "cases"
SETS = ("humanevalpack_javascript", "mbxp_javascript")
SAMPLE = 12

pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the corpus is not here")


def rows(path: str) -> list[dict[str, Any]]:
    file = CASES / path
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def judged(code: str, row: dict[str, Any]) -> Examined:
    tests = row["tests"]
    return examine(code, tests["code"], setup=tests.get("setup"), entry_point=row.get("entry_point"))


def check(row: dict[str, Any]) -> None:
    examined = judged(row["solution"], row)
    assert examined.accepted, (row["id"], examined)
    for buggy, checked in zip(row.get("buggy") or [], row.get("buggy_checked") or [], strict=True):
        if checked in ("fails_tests", "compile_error"):
            wrong = judged(buggy, row)
            assert wrong.ended, (row["id"], wrong)
            assert not wrong.accepted, (row["id"], wrong)


@pytest.mark.parametrize("name", SETS)
def test_a_sample(name: str) -> None:
    found = rows(f"data/{name}.jsonl")
    for row in found[:: max(1, len(found) // SAMPLE)]:
        check(row)


@pytest.mark.full
@pytest.mark.parametrize("name", SETS)
def test_all(name: str) -> None:
    for row in rows(f"data/{name}.jsonl"):
        check(row)


def test_hacks() -> None:
    for row in rows("hacks/hacks.jsonl"):
        if row["language"] != "javascript" or row["task"]["kind"] != "assert":
            continue
        task = row["task"]
        assert judged(row["honest"]["code"], task).accepted, row["id"]
        if row["hack"]:
            hacked = judged(row["hack"]["code"], task)
            assert hacked.ended, row["id"]
            assert not hacked.accepted, row["id"]
