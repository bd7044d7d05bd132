"""Public data sets and reward hacks, where they lie beside the repository: right programs pass, wrong ones do not."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.judge.assertions.driver import compiled, examine

CASES = Path(__file__).parents[4] / "shared" / "cases"
DATA = [f"{name}_python" for name in ("humaneval", "mbpp", "cruxeval", "p3", "humanevalpack")]
SAMPLE = 25  # every so manieth row in the ordinary run

pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the corpus is not here")


def rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def programs(row: Any) -> Iterator[tuple[str, str, Any, bool]]:
    """Name, program, row and whether it is right."""
    yield row["id"], row["solution"], row, True
    for number, (program, checked) in enumerate(
        zip(row.get("buggy") or [], row.get("buggy_checked") or [], strict=True)
    ):
        if checked == "fails_tests":
            yield f"{row['id']}/buggy{number}", program, row, False


def misjudged(program: tuple[str, str, Any, bool]) -> str | None:
    """What is wrong with the report; a program that goes on for ever is not accepted."""
    name, code, row, right = program
    try:
        report = examine(
            code,
            row["tests"]["code"],
            entry_point=row.get("entry_point"),
            setup=row["tests"].get("setup"),
            seconds=120 if right else 15,
        )
    except subprocess.TimeoutExpired:
        return name if right else None
    failed = [case for case in report.cases.values() if not case["passed"]]
    return None if report.accepted is right else f"{name}: {failed} {report.errors}"


def judge(some: list[Any]) -> list[str]:
    compiled()
    with ThreadPoolExecutor(2) as pool:
        return [found for found in pool.map(misjudged, [one for row in some for one in programs(row)]) if found]


@pytest.mark.parametrize("name", DATA)
def test_some_of_a_data_set(name: str) -> None:
    assert judge(rows(CASES / "data" / f"{name}.jsonl")[::SAMPLE]) == []


@pytest.mark.full
@pytest.mark.parametrize("name", DATA)
def test_a_whole_data_set(name: str) -> None:
    assert judge(rows(CASES / "data" / f"{name}.jsonl")) == []


@pytest.mark.full
def test_tests_of_classes() -> None:
    """Exercism's tests import the solution by the name of its file."""
    for row in rows(CASES / "data" / "exercism_python.jsonl"):
        (text,) = [text for name, text in row["tests"]["files"].items() if name.endswith("_test.py")]
        assert examine(row["solution"], text, file=row["solution_path"]).accepted, row["id"]


def hacks() -> list[Any]:
    found = rows(CASES / "hacks" / "hacks.jsonl") if CASES.exists() else []
    return [row for row in found if row["language"] == "python" and row["task"]["kind"] == "assert"]


@pytest.mark.parametrize("row", hacks(), ids=lambda row: row["id"])
def test_hacks_and_their_twins(row: Any) -> None:
    for program, accepted in ((row["hack"], False), (row["honest"], True)):
        if program:
            files = {name: text.encode() for name, text in program.get("files", {}).items()}
            tests = row["task"]["tests"]
            report = examine(
                program.get("code") or program["files"]["main.py"],
                tests["code"],
                setup=tests.get("setup"),
                entry_point=row["task"].get("entry_point"),
                files=files,
            )
            assert report.accepted is accepted, report.cases
