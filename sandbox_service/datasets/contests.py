"""Datasets of programming contests: APPS, CodeContests, LiveCodeBench."""

from __future__ import annotations

import base64
import io
import json
import pickle
import zlib
from collections.abc import Mapping
from typing import Any

from sandbox_service.datasets.problem import FormatError, Problem, Row, nested, stdio, text

CLOSE = {"mode": "float", "abs_tol": 1e-8, "rel_tol": 1e-5}
MOST_BYTES = 1 << 30
# The numbers that CodeContests gives languages; Python 2 has none here.
_LANGUAGES = {2: "cpp", 3: "python", 4: "java"}


def apps(row: Row) -> Problem:
    """Hendrycks' APPS: `problem_id | id, input_output, solutions, starter_code`, the first two JSON as text."""
    asked = nested(row, "input_output")
    inputs, outputs = asked.get("inputs", []), asked.get("outputs", [])
    starter = text(row, "starter_code", default="")
    if name := asked.get("fn_name"):
        task = _calls(f"Solution.{name}" if "class Solution" in starter else name, inputs, _unwrapped(outputs))
    else:
        task = stdio([_lines(each) for each in inputs], [_lines(each) for each in outputs], CLOSE)
    solutions = nested(row, "solutions") if row.get("solutions") else []
    id = row.get("problem_id", row.get("id"))
    body = {"language": "python", "task": task}
    return Problem(f"APPS/{id}", body, references=[("python", each) for each in solutions])


def code_contests(row: Row) -> Problem:
    """DeepMind's CodeContests: `name, public_tests, private_tests, generated_tests, solutions, incorrect_solutions`."""
    inputs, outputs = list[str](), list[str]()
    for name in ("public_tests", "private_tests", "generated_tests"):
        tests = row.get(name) or {}
        inputs += tests.get("input", [])
        outputs += tests.get("output", [])
    limits: dict[str, float] = {}
    if isinstance(limit := row.get("time_limit"), Mapping):
        limits["cpu_seconds"] = limit.get("seconds", 0) + limit.get("nanos", 0) / 1e9
    if memory := row.get("memory_limit_bytes"):
        limits["memory_bytes"] = int(memory)
    body = {"language": "cpp", "task": stdio(inputs, outputs, CLOSE), "limits": limits}
    known = {name: _programs(row.get(name) or {}) for name in ("solutions", "incorrect_solutions")}
    return Problem(text(row, "name"), body, references=known["solutions"], buggy=known["incorrect_solutions"])


def livecodebench(row: Row) -> Problem:
    """LiveCodeBench's code generation: `question_id, public_test_cases, private_test_cases, metadata, starter_code`."""
    tests = nested(row, "public_test_cases") + _private(text(row, "private_test_cases", default="[]"))
    name = (nested(row, "metadata") if row.get("metadata") else {}).get("func_name")
    if name:
        arguments = [[json.loads(line) for line in test["input"].splitlines() if line.strip()] for test in tests]
        in_class = "class Solution" in text(row, "starter_code", default="")
        outputs = [json.loads(test["output"]) for test in tests]
        task = _calls(f"Solution.{name}" if in_class else name, arguments, outputs)
    else:
        task = stdio([test["input"] for test in tests], [test["output"] for test in tests], {"mode": "lines"})
    solutions = [("python", each) for each in row.get("solutions", [])]
    return Problem(text(row, "question_id"), {"language": "python", "task": task}, references=solutions)


def _programs(told: Mapping[str, Any]) -> list[tuple[str, str]]:
    pairs = zip(told.get("language", []), told.get("solution", []), strict=True)
    return [(_LANGUAGES[number], program) for number, program in pairs if number in _LANGUAGES]


def _calls(name: str, arguments: list[Any], outputs: list[Any]) -> dict[str, Any]:
    if not arguments or len(arguments) != len(outputs):
        raise FormatError(f"{len(arguments)} inputs and {len(outputs)} outputs")
    cases = [{"args": args, "expected": expected} for args, expected in zip(arguments, outputs, strict=True)]
    return {"type": "function", "entry_point": name, "cases": cases, "compare": CLOSE}


def _unwrapped(outputs: list[Any]) -> list[Any]:
    """APPS wraps what functions return in lists of one, mostly: where all are such lists, they are taken out."""
    wrapped = all(isinstance(each, list) and len(each) == 1 for each in outputs)
    return [each[0] for each in outputs] if wrapped else outputs


def _lines(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "\n".join(map(str, value)) + "\n"


def _private(packed: str) -> list[dict[str, str]]:
    """Private tests: JSON, or such a text pickled, compressed and in base64. Of a pickle plain values are taken."""
    try:
        return list(json.loads(packed))
    except ValueError:
        pass
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.b64decode(packed), MOST_BYTES)
        return list(json.loads(_Text(io.BytesIO(data)).load()))
    except (ValueError, TypeError, zlib.error, pickle.UnpicklingError, EOFError) as error:
        raise FormatError(f"private_test_cases cannot be read: {error}") from None


class _Text(pickle.Unpickler):
    """Reads plain values alone: nothing that a pickle names is ever imported."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"it names {module}.{name}")
