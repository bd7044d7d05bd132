"""Rows of the acceptance corpus as submissions: programs that read stdin, in the languages that are there."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox_service import Result

FOLDER = Path(__file__).parents[3] / "shared" / "cases"
LANGUAGES = ("python", "c", "cpp", "bash")
PLACEHOLDER = re.compile(r"\{\{([A-Z_]+)\}\}")
MIB = 1 << 20
LIMITS = {
    "cpu_s": ("cpu_seconds", 1),
    "wall_s": ("wall_seconds", 1),
    "memory_mb": ("memory_bytes", MIB),
    "pids": ("processes", 1),
    "disk_mb": ("disk_bytes", MIB),
    "stdout_bytes": ("output_bytes", 1),
}
NOT_SENT = {
    "atk-mem-split-over-children": "gcc -O2 leaves the allocations out",
    "atk-cc-template-bomb": "compiles in no time with g++ 12",
    "atk-stdin-unread-100mb": "takes too long for this suite",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One program and what its result must be."""

    id: str
    submission: dict[str, Any]
    expected: Mapping[str, Any]

    def faults(self, result: Result) -> Iterator[str]:
        """What is wrong with a result."""
        if result.state != "finished" or result.reward is None or not math.isfinite(result.reward):
            yield f"ended as {result}"
            return
        if self.expected.get("verdict_any_of", [result.verdict]).count(result.verdict) == 0:
            yield f"verdict {result.verdict}, expected {self.expected['verdict_any_of']}"
        if result.verdict in self.expected.get("verdict_not", []):
            yield f"verdict {result.verdict}"
        wanted = self.expected.get("reward")
        if wanted is not None and abs(result.reward - wanted) > 1e-9:
            yield f"reward {result.reward}, expected {wanted}"
        if result.reward > self.expected.get("reward_max", 1.0):
            yield f"reward {result.reward}, expected at most {self.expected['reward_max']}"
        if any("LEAK" in case.stdout for case in result.cases):
            yield f"stdout: {result.cases[0].stdout[:200]}"
        if self.expected.get("signal_equals_input"):
            for case, sent in zip(result.cases, self.submission["task"]["cases"], strict=True):
                if case.signal != int(sent["stdin"]):
                    yield f"signal {case.signal} for {sent['stdin']!r}"


def rows(group: str, values: Mapping[str, str]) -> list[Row]:
    """Those of a group that can be sent; placeholders are filled in from `values`."""
    text = (FOLDER / group / f"{group}.jsonl").read_text()
    found = []
    for line in text.splitlines():
        row = json.loads(line)
        if row["language"] in LANGUAGES and row["id"] not in NOT_SENT and not _is_elaborate(row):
            row = _filled(row, {"STDOUT_LIMIT": str((row.get("limits") or {}).get("stdout_bytes", MIB)), **values})
            found += _hack_rows(row) if group == "hacks" else [_row(row["id"], row, row["expected"])]
    return found


def _is_elaborate(row: dict[str, Any]) -> bool:
    """Several jobs, other fields, other kinds of task, checkers; or the outcome is no more than a wish."""
    kind = row.get("kind")
    elsewhere = {"stages", "concurrent", "api_extra", "files"} & row.keys() or row["expected"].get("soft") is True
    tests = row.get("tests") or (row.get("task") or {}).get("tests") or {}
    return bool(elsewhere or kind in ("function", "assert", "repo") or "checker" in tests)


def _hack_rows(row: dict[str, Any]) -> list[Row]:
    honest = {"verdict_any_of": [row["expected"]["honest"]["verdict"]], "reward": row["expected"]["honest"]["reward"]}
    found = [_row(f"{row['id']}/honest", row["task"] | row["honest"] | {"language": row["language"]}, honest)]
    if row["hack"]:
        found.append(
            _row(row["id"], row["task"] | row["hack"] | {"language": row["language"]}, row["expected"]["hack"])
        )
    return found


def _row(id: str, part: dict[str, Any], expected: Mapping[str, Any]) -> Row:
    body = {"language": part["language"], "code": part["code"], "task": _task(part), "cache": False}
    if limits := _limits(part.get("limits") or {}):
        body["limits"] = limits
    return Row(id, body, expected)


def _limits(row: dict[str, Any]) -> dict[str, Any]:
    limits: dict[str, Any] = {}
    for name, value in row.items():
        target, factor = LIMITS[name.removeprefix("compile_")]
        (limits.setdefault("compile", {}) if name.startswith("compile_") else limits)[target] = value * factor
    return limits


def _task(part: dict[str, Any]) -> dict[str, Any]:
    tests = part.get("tests")
    if not tests:
        return {"type": "run", "stdin": eval(part["stdin_gen"], {}) if "stdin_gen" in part else part.get("stdin", "")}
    cases = tests.get("cases") or [
        {key: text.replace("{param}", str(param)) for key, text in tests["cases_from_params"].items()}
        for param in part["params"]
    ]
    sent = [{"stdin": _value(case, "input"), "expected": _value(case, "output")} for case in cases]
    wording = tests.get("compare", "tokens")
    compare: dict[str, Any] = {"mode": re.findall(r"\w+", wording)[0]}
    if tolerance := re.search(r"1e-\d+", wording):
        compare |= {"abs_tol": float(tolerance[0]), "rel_tol": float(tolerance[0])}
    return {"type": "stdio", "cases": sent, "compare": compare}


def _value(case: dict[str, Any], name: str) -> str:
    """As it is, or as an expression: the corpus is trusted."""
    value: str = eval(case[f"{name}_gen"], {}) if f"{name}_gen" in case else case[name]
    return value


def _filled(value: Any, values: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return PLACEHOLDER.sub(lambda found: values[found[1]], value)
    if isinstance(value, list):
        return [_filled(item, values) for item in value]
    if isinstance(value, dict):
        return {key: _filled(item, values) for key, item in value.items()}
    return value
