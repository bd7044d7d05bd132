"""The OpenAPI document: the committed copy, and that it says what is true."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import pytest

from sandbox_service.gateway import openapi
from tests.gateway.service import HELLO
from tests.gateway.test_bad_input import (
    ANSWER,
    ASSERTIONS,
    BAD,
    BAD_BEYOND_SCHEMA,
    CHECKER,
    FUNCTION,
    NO_PROGRAM,
    SCORER,
    STDIO,
    nested,
)

COPY = Path(__file__).parents[2] / "docs" / "openapi.json"
# Rules that JSON Schema cannot express, by the code and field of the problem they end in.
BEYOND_SCHEMA = {"entrypoint", "over_disk_bytes"}


def test_the_committed_copy_is_current() -> None:
    assert COPY.read_text() == openapi.text(), "run: sandbox-service openapi > docs/openapi.json"


async def test_it_is_what_is_served(refusing: httpx.AsyncClient) -> None:
    assert (await refusing.get("/openapi.json")).json() == openapi.document()


@pytest.fixture(scope="module")
def validator() -> Any:
    document = openapi.document()
    return jsonschema_rs.validator_for(
        {"$ref": "#/components/schemas/Submission", "components": document["components"]}
    )


GOOD: list[dict[str, Any]] = [
    {},
    {"code": None, "files": {"a/b.py": {"base64": "AA=="}}, "entrypoint": "a/b.py"},
    {"code": "", "files": None, "extract": "fenced"},
    {"language": "c", "compile_flags": ["-O2", "-lm"]},
    {"task": {"type": "run", "stdin": "x", "args": ["a"]}},
    {"task": {"type": "stdio", "cases": [{"expected": "", "id": "a"}], "compare": {"mode": "float", "abs_tol": 1}}},
    {"task": STDIO | {"compare": {"mode": "equal", "rel_tol": 1e-9}}},
    {"task": STDIO | {"compare": CHECKER}},
    {"task": FUNCTION},
    {"task": FUNCTION | {"entry_point": "A._b.c1", "result_from": "args[0]", "compare": {"abs_tol": 0}}},
    {"task": FUNCTION | {"result_from": "kwargs[k]", "compare": {}, "signature": {"args": ["int"]}}},
    {"task": FUNCTION | {"signature": "int f(int)", "compare": {"mode": "tokens"}}},
    {"task": FUNCTION | {"compare": CHECKER | {"language": "bash", "code": {"base64": "AA=="}}}},
    {"task": FUNCTION | {"cases": [{"expected": None}, {"args": nested(300), "expected": nested(300)}]}},
    {"task": FUNCTION | {"cases": [{"args": [10**4000, -0.0, 1e308], "expected": {"": [True]}}]}},
    {"task": ASSERTIONS | {"setup": "import math", "entry_point": "f"}},
    {"task": ASSERTIONS, "language": "cpp"},
    {
        "limits": {"cpu_seconds": 60, "compile": {"memory_bytes": 2 << 30}},
        "reward": "weighted",
        "artifacts": ["**/*.txt"],
    },
    {**NO_PROGRAM, "task": ANSWER},
    {**NO_PROGRAM, "task": ANSWER | {"mode": "numeric", "expected": 4.5, "rel_tol": 0.1, "extract": "tagged"}},
    {**NO_PROGRAM, "task": ANSWER | {"mode": "json_schema", "expected": {}}, "reward": "binary"},
    {"steps": [{"code": "1"}, {"files": {"a.py": ""}}], "reward": {"components": [{"name": "steps"}]}},
    {"reward": {"components": [{"name": "efficiency", "baseline_cpu_seconds": 0.5, "weight": 0.2}, SCORER]}},
    {
        "reward": {
            "components": [{"name": "tests", "kind": "groups", "group": "a"}, {"name": "compile", "weight": -1}],
            "require": ["compile"],
            "clip": None,
        }
    },
    {"metadata": {"a": [1, None]}, "domain": "x.y-z_0", "priority": "low", "policy": "default"},
]


@pytest.mark.parametrize("change", GOOD, ids=lambda value: json.dumps(value)[:50])
async def test_good_bodies_are_valid(http: httpx.AsyncClient, validator: Any, change: dict[str, Any]) -> None:
    assert validator.is_valid(HELLO | change)
    assert (await http.post("/v1/submissions", json=HELLO | change)).status_code == 202


@pytest.mark.parametrize(("change", "field", "code"), BAD, ids=lambda value: json.dumps(value)[:50])
def test_bad_bodies_are_not(validator: Any, change: dict[str, Any], field: str, code: str) -> None:
    body = json.loads(json.dumps(HELLO | change).replace("\\ud800", "surrogate"))
    beyond = (
        code in BEYOND_SCHEMA
        or {"entrypoint", "files"} <= change.keys()  # it is one of the files
        or len(change.get("files") or {}) > 1  # none is also a folder
        or any("é" in path for path in change.get("files") or {})  # the size of its name in bytes
    )
    assert validator.is_valid(body) == beyond


@pytest.mark.parametrize(
    "change", [change for change, _, _ in BAD_BEYOND_SCHEMA], ids=lambda value: json.dumps(value)[:50]
)
def test_bad_bodies_beyond_what_a_schema_can_say(validator: Any, change: dict[str, Any]) -> None:
    assert validator.is_valid(HELLO | change)


def test_every_operation_tells_its_refusals() -> None:
    for path, item in openapi.document()["paths"].items():
        for operation in item.values():
            for status, answer in operation["responses"].items():
                kinds = answer.get("content", {}).keys()
                assert (kinds == {"application/problem+json"}) == (int(status) >= 400), (path, status)
            assert {"400", "500"} <= operation["responses"].keys()
