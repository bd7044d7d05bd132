"""Whatever is wrong with a request, a problem names it and nothing is queued (the fixture looks)."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.gateway.service import HELLO, JSON, JSON_LINES

STDIO = {"type": "stdio", "cases": [{"expected": "1"}]}
FUNCTION = {"type": "function", "entry_point": "f", "cases": [{"args": [1], "kwargs": {"k": 2}, "expected": 1}]}
ASSERTIONS = {"type": "assertions", "code": "assert f(1) == 2"}
ANSWER = {"type": "answer", "response": "4", "expected": "4"}
NO_PROGRAM = {"language": None, "code": None}
SCORER = {"name": "custom", "language": "python", "code": "print(1)"}
CHECKER = {"mode": "checker", "language": "python", "code": ""}


def nested(depth: int) -> Any:
    """A list in a list in a list ..."""
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


# (what is put over a good body, the field that is named, the code of the problem)
BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"language": "cobol"}, "language", "unknown_language"),
    ({"language": "PYTHON"}, "language", "invalid_field"),
    ({"language": 3}, "language", "invalid_field"),
    ({"language": ["python"]}, "language", "invalid_field"),
    ({"language": None}, "language", "invalid_field"),
    ({"langage": "python"}, "langage", "unknown_field"),
    ({"\ud800": 1}, "", "invalid_field"),
    ({"code": 3}, "code", "invalid_field"),
    ({"code": {"base64": "!"}}, "code", "invalid_field"),
    ({"code": {"base64": "AAAA="}}, "code", "invalid_field"),
    ({"code": {"base64": "AAAA", "more": 1}}, "code", "invalid_field"),
    ({"files": {"a.py": ""}}, "", "invalid_field"),
    ({"code": None}, "", "invalid_field"),
    ({"code": None, "files": {}}, "files", "invalid_field"),
    ({"code": None, "files": {"/etc/passwd": ""}}, "files", "invalid_field"),
    ({"code": None, "files": {"../x.py": ""}}, "files", "invalid_field"),
    ({"code": None, "files": {"a/../../x.py": ""}}, "files", "invalid_field"),
    ({"code": None, "files": {"a//b": ""}}, "files", "invalid_field"),
    ({"code": None, "files": {"a\0b": ""}}, "files", "invalid_field"),
    ({"code": None, "files": {"": ""}}, "files", "invalid_field"),
    ({"code": None, "files": {"é" * 200: ""}}, "files", "invalid_field"),
    ({"code": None, "files": {"a": "", "a/b": ""}}, "files", "invalid_field"),
    ({"code": None, "files": {"a.py": "", "b.py": ""}}, "entrypoint", "entrypoint"),
    ({"code": None, "files": {"a.py": ""}, "entrypoint": "b.py"}, "", "invalid_field"),
    ({"entrypoint": "../x"}, "", "invalid_field"),
    ({"artifacts": ["../*"]}, "artifacts", "invalid_field"),
    ({"task": None}, "task", "invalid_field"),
    ({"task": {}}, "task", "invalid_field"),
    ({"task": {"type": "repo"}}, "task", "not_offered"),
    ({"task": {"type": "stdio"}}, "task.cases", "missing_field"),
    ({"task": {"type": "stdio", "cases": []}}, "task.cases", "invalid_field"),
    ({"task": {"type": "stdio", "cases": [{"stdin": ""}]}}, "task.cases.0.expected", "missing_field"),
    ({"task": {"type": "stdio", "cases": [{"expected": "", "weight": -1}]}}, "task.cases.0.weight", "invalid_field"),
    ({"task": {"type": "stdio", "cases": [{"expected": "", "args": ["a\0"]}]}}, "task.cases.0.args", "invalid_field"),
    ({"task": {"type": "interactive"}}, "task", "not_offered"),
    ({"task": {"type": "answer"}}, "", "invalid_field"),
    ({"task": ANSWER}, "", "invalid_field"),
    ({"language": "answer"}, "language", "unknown_language"),
    ({**NO_PROGRAM, "task": ANSWER | {"expected": None}}, "task", "invalid_field"),
    ({**NO_PROGRAM, "task": ANSWER | {"abs_tol": 1}}, "task", "invalid_field"),
    ({**NO_PROGRAM, "task": ANSWER | {"mode": "choice", "expected": "A B"}}, "task", "invalid_field"),
    ({**NO_PROGRAM, "task": ANSWER | {"mode": "json_schema"}}, "task", "invalid_field"),
    ({**NO_PROGRAM, "task": ANSWER | {"tag": "<"}}, "task.tag", "invalid_field"),
    ({**NO_PROGRAM, "task": ANSWER, "extract": "fenced"}, "", "invalid_field"),
    ({"steps": [{}]}, "steps.0", "invalid_field"),
    ({"steps": [{"code": "", "files": {"a": ""}}]}, "steps.0", "invalid_field"),
    ({"task": {"type": "call"}}, "task", "invalid_field"),
    ({"task": STDIO | {"compare": {"mode": "same"}}}, "task.compare.mode", "invalid_field"),
    ({"task": STDIO | {"compare": {"abs_tol": 1}}}, "task.compare.abs_tol", "invalid_field"),
    ({"task": STDIO | {"compare": CHECKER | {"rel_tol": 1}}}, "task.compare.rel_tol", "invalid_field"),
    ({"task": STDIO | {"compare": {"mode": "equal", "abs_tol": -1}}}, "task.compare.abs_tol", "invalid_field"),
    ({"task": STDIO | {"compare": {"mode": "checker"}}}, "task.compare.language", "missing_field"),
    ({"task": STDIO | {"compare": CHECKER | {"code": None}}}, "task.compare.code", "missing_field"),
    ({"task": STDIO | {"compare": CHECKER | {"code": 3}}}, "task.compare.code", "invalid_field"),
    ({"task": STDIO | {"compare": CHECKER | {"mode": "equal"}}}, "task.compare.language", "invalid_field"),
    ({"task": STDIO | {"compare": {"code": "", "mode": "exact"}}}, "task.compare.code", "invalid_field"),
    ({"task": STDIO | {"compare": CHECKER | {"language": "cobol"}}}, "task.compare.language", "unknown_language"),
    ({"task": FUNCTION | {"compare": CHECKER | {"language": "cobol"}}}, "task.compare.language", "unknown_language"),
    ({"task": FUNCTION | {"compare": {"mode": "tokens", "abs_tol": 1}}}, "task.compare.abs_tol", "invalid_field"),
    ({"task": FUNCTION | {"entry_point": "f()"}}, "task.entry_point", "invalid_field"),
    ({"task": FUNCTION | {"entry_point": "a."}}, "task.entry_point", "invalid_field"),
    ({"task": FUNCTION | {"entry_point": "1a"}}, "task.entry_point", "invalid_field"),
    ({"task": {"type": "function", "cases": FUNCTION["cases"]}}, "task.entry_point", "missing_field"),
    ({"task": FUNCTION | {"cases": []}}, "task.cases", "invalid_field"),
    ({"task": FUNCTION | {"cases": [{"args": []}]}}, "task.cases.0.expected", "missing_field"),
    ({"task": FUNCTION | {"cases": [{"args": {}, "expected": 1}]}}, "task.cases.0.args", "invalid_field"),
    ({"task": FUNCTION | {"cases": [{"kwargs": [], "expected": 1}]}}, "task.cases.0.kwargs", "invalid_field"),
    ({"task": FUNCTION | {"cases": [{"stdin": "", "expected": 1}]}}, "task.cases.0.stdin", "unknown_field"),
    ({"task": FUNCTION | {"result_from": "args"}}, "task.result_from", "invalid_field"),
    ({"task": FUNCTION | {"result_from": "args[01]"}}, "task.result_from", "invalid_field"),
    ({"task": FUNCTION | {"signature": 3}}, "task.signature", "invalid_field"),
    ({"task": FUNCTION, "language": "c"}, "task.type", "not_offered"),
    ({"task": FUNCTION, "language": "cpp"}, "task.type", "not_offered"),
    ({"task": ASSERTIONS, "language": "bash"}, "task.type", "not_offered"),
    ({"task": {"type": "assertions"}}, "task.code", "missing_field"),
    ({"task": ASSERTIONS | {"code": ""}}, "task.code", "invalid_field"),
    ({"task": ASSERTIONS | {"code": {"base64": ""}}}, "task.code", "invalid_field"),
    ({"task": ASSERTIONS | {"entry_point": "a b"}}, "task.entry_point", "invalid_field"),
    ({"task": ASSERTIONS | {"cases": []}}, "task.cases", "unknown_field"),
    ({"limits": {"cpu_seconds": 61}}, "limits.cpu_seconds", "limit_over_cap"),
    ({"limits": {"cpu_seconds": 0}}, "limits.cpu_seconds", "invalid_field"),
    ({"limits": {"cpu_seconds": True}}, "limits.cpu_seconds", "invalid_field"),
    ({"limits": {"cpu_seconds": "1"}}, "limits.cpu_seconds", "invalid_field"),
    ({"limits": {"memory_bytes": 1 << 40}}, "limits.memory_bytes", "limit_over_cap"),
    ({"limits": {"memory_bytes": 10**400}}, "limits.memory_bytes", "limit_over_cap"),
    ({"limits": {"memory_bytes": 65536.5}}, "limits.memory_bytes", "invalid_field"),
    ({"limits": {"compile": {"memory_bytes": 1 << 40}}}, "limits.compile.memory_bytes", "limit_over_cap"),
    ({"limits": {"network": True}}, "limits.network", "unknown_field"),
    ({"limits": {"disk_bytes": 4096}, "code": "#" * 5000}, "code", "over_disk_bytes"),
    ({"code": None, "files": {"a.py": "#" * 5000}, "limits": {"disk_bytes": 4096}}, "files", "over_disk_bytes"),
    ({"reward": "most"}, "reward", "unknown_reward"),
    ({"reward": {"components": []}}, "reward.components", "invalid_field"),
    ({"reward": {"components": [{"name": "speed"}]}}, "reward.components.0", "invalid_field"),
    ({"reward": {"components": [{"name": "tests", "kind": "most"}]}}, "reward.components.0.kind", "invalid_field"),
    ({"reward": {"components": [{"name": "tests", "weight": 1e7}]}}, "reward.components.0.weight", "invalid_field"),
    ({"reward": {"components": [{"name": "efficiency"}]}}, "reward.components.0", "invalid_field"),
    ({"reward": {"components": [{"name": "format"}]}}, "reward.components.0", "invalid_field"),
    ({"reward": {"components": [SCORER | {"language": "cobol"}]}}, "reward", "unknown_language"),
    ({"reward": {"components": [{"name": "tests"}], "clip": [0]}}, "reward.clip", "invalid_field"),
    ({"reward": {"components": [{"name": "tests"}], "weights": {}}}, "reward.weights", "unknown_field"),
    ({"policy": "none"}, "policy", "unknown_policy"),
    ({"domain": "A b"}, "domain", "invalid_field"),
    ({"priority": "urgent"}, "priority", "invalid_field"),
    ({"compile_flags": ["-O2"]}, "compile_flags.0", "compile_flag"),
    ({"language": "c", "compile_flags": ["-O2", "-fplugin=x"]}, "compile_flags.1", "compile_flag"),
    ({"cache": 1}, "cache", "invalid_field"),
    ({"extract": "all"}, "extract", "invalid_field"),
    ({"metadata": []}, "metadata", "invalid_field"),
]
# The same, for rules that JSON Schema cannot express.
BAD_BEYOND_SCHEMA: list[tuple[dict[str, Any], str, str]] = [
    ({"task": {"type": "stdio", "cases": [{"expected": "", "id": "a"}] * 2}}, "task.cases", "invalid_field"),
    ({"task": FUNCTION | {"cases": [{"expected": 1, "id": "a"}] * 2}}, "task.cases", "invalid_field"),
    ({"task": FUNCTION | {"cases": [{"expected": nested(301)}]}}, "task.cases.0.expected", "invalid_field"),
    ({"task": FUNCTION | {"cases": [{"args": nested(301), "expected": 1}]}}, "task.cases.0.args", "invalid_field"),
    ({"task": FUNCTION | {"cases": [{"kwargs": {"a": nested(300)}, "expected": 1}]}}, "task.cases.0", "invalid_field"),
    ({"task": FUNCTION | {"result_from": "args[1]"}}, "task.result_from", "invalid_field"),
    ({"task": FUNCTION | {"result_from": "kwargs[other]"}}, "task.result_from", "invalid_field"),
    ({"reward": {"components": [{"name": "tests"}] * 2}}, "reward.components", "invalid_field"),
    ({"reward": {"components": [{"name": "tests", "weight": 0}]}}, "reward.components", "invalid_field"),
    ({"reward": {"components": [{"name": "tests"}], "require": ["speed"]}}, "reward", "invalid_field"),
    ({"reward": {"components": [{"name": "tests"}], "clip": [1, 0]}}, "reward.clip", "invalid_field"),
    ({"reward": {"components": [{"name": "length", "target": 2, "limit": 1}]}}, "reward.components.0", "invalid_field"),
    ({"reward": {"components": [{"name": "steps"}]}}, "", "invalid_field"),
    ({"reward": {"components": [{"name": "impact", "base": {"a.py": ""}}]}}, "", "invalid_field"),
]


@pytest.mark.parametrize(("change", "field", "code"), BAD + BAD_BEYOND_SCHEMA, ids=lambda value: json.dumps(value)[:50])
async def test_a_bad_field_is_named(refusing: httpx.AsyncClient, change: dict[str, Any], field: str, code: str) -> None:
    body = HELLO | change
    answer = await refusing.post("/v1/submissions", content=json.dumps(body), headers=JSON)
    problem = refused(answer, 422, code)
    assert problem["field"] is None if field == "" else problem["field"].startswith(field)

    batch = await refusing.post("/v1/batches", content=json.dumps({"submissions": [HELLO, body]}), headers=JSON)
    assert refused(batch, 422, code)["field"].startswith(f"submissions.1.{field}".rstrip("."))

    lines = "\n".join(["", json.dumps(HELLO), "", json.dumps(body)])
    batch = await refusing.post("/v1/batches", content=lines, headers=JSON_LINES)
    problem = refused(batch, 422, code)
    assert problem["field"].startswith(f"submissions.1.{field}".rstrip("."))
    assert problem["detail"].startswith("line 4: ")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
async def test_numbers_must_be_finite(refusing: httpx.AsyncClient, number: str) -> None:
    body = json.dumps(HELLO | {"metadata": {"a": [1, "NUMBER"]}}).replace('"NUMBER"', number)
    answer = await refusing.post("/v1/submissions", content=body, headers=JSON)
    assert refused(answer, 422, "not_finite")["field"] == "metadata.a.1"
    answer = await refusing.post("/v1/batches", content=body, headers=JSON_LINES)
    assert refused(answer, 422, "not_finite")["field"] == "submissions.0.metadata.a.1"


@pytest.mark.parametrize(
    "body", ["", "{", "nul", "{'a': 1}", '{"a": 1,}', '{"a": "\x01"}', b"\xff\xfe\x00", '{"a":' + "1" * 5000 + "}"]
)
async def test_what_is_no_json(refusing: httpx.AsyncClient, body: Any) -> None:
    refused(await refusing.post("/v1/submissions", content=body, headers=JSON), 400, "invalid_json")
    refused(await refusing.post("/v1/batches", content=body, headers=JSON), 400, "invalid_json")


@pytest.mark.parametrize("body", ["[]", "null", "3", '"text"', "[{}]"])
async def test_json_of_another_kind(refusing: httpx.AsyncClient, body: str) -> None:
    refused(await refusing.post("/v1/submissions", content=body, headers=JSON), 422, "invalid_field")
    refused(await refusing.post("/v1/batches", content=body, headers=JSON), 422, "invalid_field")
    refused(await refusing.post("/v1/batches", content=body, headers=JSON_LINES), 422, "invalid_field")


@pytest.mark.parametrize("depth", [150, 400, 900, 2000, 40_000])
@pytest.mark.parametrize("number", ["1", "NaN"])
async def test_deep_nesting(refusing: httpx.AsyncClient, depth: int, number: str) -> None:
    for opening, closing in (("[", "]"), ('{"a":', "}")):
        nested = opening * depth + number + closing * depth
        body = f'{{"language": "python", "code": "", "metadata": {{"a": {nested}}}}}'
        for route in ("/v1/submissions", "/v1/batches"):
            answer = await refusing.post(route, content=body, headers=JSON)
            refused(answer, answer.status_code)
            assert answer.status_code in (400, 413, 422)


@pytest.mark.parametrize("route", ["/v1/submissions", "/v1/batches"])
async def test_a_body_over_the_cap(refusing: httpx.AsyncClient, route: str) -> None:
    body = json.dumps(HELLO | {"code": "#" * 100_000}).encode()
    refused(await refusing.post(route, content=body, headers=JSON), 413, "body_too_large")

    async def chunks() -> Any:
        for start in range(0, len(body), 1000):
            yield body[start : start + 1000]

    refused(await refusing.post(route, content=chunks(), headers=JSON), 413, "body_too_large")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "application/json-patch+json"},
        {"content-type": "multipart/form-data; boundary=x"},
        {"content-type": ""},
    ],
)
async def test_another_content_type(refusing: httpx.AsyncClient, headers: dict[str, str]) -> None:
    for route in ("/v1/submissions", "/v1/batches"):
        answer = await refusing.post(route, content=json.dumps(HELLO), headers=headers)
        assert refused(answer, 415, "unsupported_media_type")["field"] == "Content-Type"


async def test_content_types_of_other_routes(refusing: httpx.AsyncClient) -> None:
    answer = await refusing.post("/v1/submissions", content=json.dumps(HELLO), headers=JSON_LINES)
    refused(answer, 415, "unsupported_media_type")
    answer = await refusing.post("/v1/submissions", content=b"\x1f\x8b", headers=JSON | {"content-encoding": "gzip"})
    assert refused(answer, 415, "unsupported_encoding")["field"] == "Content-Encoding"


@pytest.mark.parametrize("wait", ["-1", "61", "nan", "inf", "x", "", "1e999", "0x1"])
async def test_bad_waits(refusing: httpx.AsyncClient, wait: str) -> None:
    for method, route in (("POST", "/v1/submissions"), ("GET", "/v1/submissions/x")):
        answer = await refusing.request(method, route, params={"wait": wait}, content=json.dumps(HELLO), headers=JSON)
        assert refused(answer, 422, "invalid_parameter")["field"] == "wait"


@pytest.mark.parametrize("key", ["", "x" * 256, "tab\tinside", b"caf\xc3\xa9"])
async def test_bad_idempotency_keys(refusing: httpx.AsyncClient, key: Any) -> None:
    for route, body in (("/v1/submissions", HELLO), ("/v1/batches", {"submissions": [HELLO]})):
        answer = await refusing.post(route, json=body, headers={"Idempotency-Key": key})
        assert refused(answer, 422, "invalid_parameter")["field"] == "Idempotency-Key"


@pytest.mark.parametrize(
    "name", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8000", "[::2]:80", ""]
)
async def test_a_foreign_host(refusing: httpx.AsyncClient, name: str) -> None:
    for method, route in (("GET", "/healthz"), ("POST", "/v1/submissions"), ("GET", "/nothing")):
        answer = await refusing.request(method, route, content=json.dumps(HELLO), headers=JSON | {"Host": name})
        assert refused(answer, 400, "host_not_allowed")["field"] == "Host"


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST:1", "127.0.0.1:8000", "[::1]:8000", "[::1]"])
async def test_our_own_host_names(refusing: httpx.AsyncClient, name: str) -> None:
    assert (await refusing.get("/healthz", headers={"Host": name})).status_code == 200


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"submissions": []}, "submissions"),
        ({}, "submissions"),
        ({"submissions": [HELLO], "default": {}}, "default"),
        ({"submissions": [3]}, "submissions.0"),
        ({"submissions": [HELLO] * 10_001}, "submissions"),
        ({"submissions": {}}, "submissions"),
        ({"submissions": [HELLO], "defaults": []}, "defaults"),
        ({"submissions": [HELLO], "defaults": {"langage": 1}}, "defaults.langage"),
        ({"submissions": [HELLO], "defaults": {"limits": {"cpu_seconds": 61}}}, "defaults.limits.cpu_seconds"),
        ({"submissions": [HELLO], "defaults": {"reward": "most"}}, "defaults.reward"),
        ({"submissions": [{"code": ""}], "defaults": {"language": "cobol"}}, "defaults.language"),
        ({"submissions": [HELLO, {"code": ""}]}, "submissions.1.language"),
        (
            {"submissions": [HELLO], "defaults": {"task": FUNCTION | {"compare": CHECKER | {"language": "x"}}}},
            "defaults.task.compare.language",
        ),
        ({"submissions": [HELLO], "defaults": {"task": FUNCTION | {"cases": []}}}, "defaults.task.cases"),
        (
            {"submissions": [HELLO, HELLO | {"language": "c"}], "defaults": {"task": FUNCTION}},
            "submissions.1.task.type",
        ),
        ({"submissions": [HELLO], "defaults": {"files": {"a.py": ""}}}, "submissions.0"),
    ],
    ids=lambda value: json.dumps(value)[:50],
)
async def test_bad_batches(refusing_url: str, refusing: httpx.AsyncClient, body: Any, field: str) -> None:
    answer = await refusing.post("/v1/batches", json=body)
    if answer.status_code != 413:  # the largest one is over this gateway's cap
        assert refused(answer, 422)["field"] == field


@pytest.mark.parametrize("body", ["", "\n\n", "\n".join(["{}"] * 10_001)])
async def test_batches_of_no_or_too_many_lines(refusing: httpx.AsyncClient, body: str) -> None:
    answer = await refusing.post("/v1/batches", content=body, headers=JSON_LINES)
    assert refused(answer, 422, "invalid_field")["field"] == "submissions"


async def test_a_line_that_is_no_json(refusing: httpx.AsyncClient) -> None:
    body = json.dumps(HELLO) + "\n{\n"
    answer = await refusing.post("/v1/batches", content=body, headers=JSON_LINES)
    problem = refused(answer, 400, "invalid_json")
    assert problem["detail"].startswith("line 2: ")


@pytest.mark.parametrize("query", ["after=x", "after=-1", "after=", "wait=-1", "wait=nan"])
async def test_bad_cursors(refusing: httpx.AsyncClient, query: str) -> None:
    answer = await refusing.get(f"/v1/batches/x/results?{query}")
    assert refused(answer, 422, "invalid_parameter")["field"] == query.partition("=")[0]


def refused(answer: httpx.Response, status: int, code: str | None = None) -> dict[str, Any]:
    """The problem that an answer has to be."""
    problem: dict[str, Any] = answer.json()
    assert answer.status_code == status, problem
    assert answer.headers["content-type"] == "application/problem+json"
    assert {"type", "title", "status", "detail", "instance", "code", "retryable", "field"} == problem.keys()
    assert problem["status"] == status
    assert code in (None, problem["code"]), problem
    return problem
