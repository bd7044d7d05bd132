"""SandboxFusion's endpoints: what its own public tests ask of them, and what its clients rely on."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.compat.fusion_programs import PROGRAMS, SERVER, Program
from tests.compat.fusion_toolchains import PROGRAMS as TOOLCHAINS

Post = Any


@pytest.fixture(scope="module")
def fusion(service_url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{service_url}/compat/sandboxfusion/", timeout=60, trust_env=False) as client:
        yield client


def run(fusion: httpx.Client, **body: Any) -> dict[str, Any]:
    answer = fusion.post("run_code", json={"language": "python"} | body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_ping(fusion: httpx.Client) -> None:
    assert fusion.get("v1/ping").json() == "pong"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_programs(fusion: httpx.Client, program: Program) -> None:
    check(run(fusion, **program.body), program)


@pytest.mark.full
@pytest.mark.parametrize("program", TOOLCHAINS, ids=lambda program: program.name)
def test_programs_of_further_languages(fusion: httpx.Client, service_url: str, program: Program) -> None:
    offered = httpx.get(f"{service_url}/v1/languages", trust_env=False).json()["languages"]
    if program.language not in {language["id"] for language in offered}:
        pytest.skip(f"there is no {program.language} here")
    check(run(fusion, **program.body), program)


def check(answer: dict[str, Any], program: Program) -> None:
    stage = answer["compile_result"] if program.stage == "compile" else answer["run_result"]
    assert (answer["status"], stage["status"]) == (program.status, program.stage_status)
    assert program.stdout is None or stage["stdout"].strip() == program.stdout
    assert program.stderr in stage["stderr"]
    if program.stage == "compile":
        assert stage["return_code"] != 0
        assert answer["run_result"] is None


def test_two_servers_on_one_port(fusion: httpx.Client) -> None:
    code = SERVER.format(host="127.0.0.1") + "\nimport time; time.sleep(0.3)"
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda _: run(fusion, code=code), range(2)))
    assert [answer["run_result"]["stdout"] for answer in answers] == ["served\n"] * 2


def test_files_out(fusion: httpx.Client) -> None:
    answer = run(
        fusion, code="open('a.txt', 'w').write('out'); open('b[1]', 'w')", fetch_files=["a.txt", "b[1]", "none"]
    )
    assert {name: base64.b64decode(text) for name, text in answer["files"].items()} == {"a.txt": b"out", "b[1]": b""}


def test_more_time_than_there_is(fusion: httpx.Client) -> None:
    """A client that asks for it takes a refusal for a wrong answer."""
    code = '#include <cstdio>\nint main() { puts("1"); }'
    answer = run(fusion, code=code, language="cpp", run_timeout=1e6, compile_timeout=1e6)
    assert (answer["status"], answer["run_result"]["stdout"]) == ("Success", "1\n")


def test_memory(fusion: httpx.Client) -> None:
    answer = run(fusion, code="x = bytearray(200 << 20)", memory_limit_MB=100)
    assert (answer["status"], answer["run_result"]["status"]) == ("Failed", "Finished")
    assert answer["run_result"]["return_code"] == -9
    assert run(fusion, code="x = bytearray(600 << 20)")["status"] == "Success", "-1 is all that there is"


def test_output_is_whole(fusion: httpx.Client) -> None:
    assert run(fusion, code="print('x' * 300_000)")["run_result"]["stdout"] == "x" * 300_000 + "\n"
    flood = run(fusion, code="while True: print('x' * 1000)")
    assert flood["status"] == "Failed"
    assert flood["run_result"]["return_code"] != 0


def test_a_surrogate(fusion: httpx.Client) -> None:
    body = '{"language": "python", "code": "print(len(\'\\ud800\'))"}'
    answer = fusion.post("run_code", content=body, headers={"content-type": "application/json"}).json()
    assert answer["status"] == "Failed", "Python itself does not take it"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"files": {"../a": "YQ=="}}, "files"),
        ({"files": {"/etc/a": "YQ=="}}, "files"),
        ({"files": {"a": "no base64!"}}, "files.a"),
        ({"fetch_files": ["/mnt/b"]}, "artifacts"),
        ({"fetch_files": ["../b"]}, "artifacts"),
        ({"run_timeout": 0}, "run_timeout"),
        ({"run_timeout": -1}, "run_timeout"),
        ({"memory_limit_MB": 1 << 20}, "limits.memory_bytes"),
        ({"language": "lean"}, "language"),
        ({"callback_url": "http://127.0.0.1/"}, "callback_url"),
        ({"enable_network": True}, "enable_network"),
        ({"code": None}, "code"),
    ],
)
def test_refused(fusion: httpx.Client, body: dict[str, Any], field: str) -> None:
    answer = fusion.post("run_code", json={"language": "python", "code": "1"} | body)
    assert (answer.status_code, answer.json()["field"]) == (422, field)


def submit(fusion: httpx.Client, completion: str, kind: str, test: Any, **config: Any) -> dict[str, Any]:
    row = {"id": 7, "content": "", "labels": '{"programming_language": "python"}', "test": json.dumps(test)}
    config = {"dataset_type": kind, "provided_data": row} | config
    answer = fusion.post("submit", json={"dataset": "any", "id": 7, "completion": completion, "config": config})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


DOUBLE = "Text.\n```bash\necho\n```\n```python\nprint(int(input()) * 2)\n```\n```python\nraise SystemExit(1)\n```"
CASES = [{"input": {"stdin": str(n)}, "output": {"stdout": str(2 * n)}} for n in range(3)]


def test_submit_stdio(fusion: httpx.Client) -> None:
    answer = submit(fusion, DOUBLE, "CommonOJDataset", CASES, language="python")
    assert answer["accepted"]
    assert answer["extracted_code"].strip() == "print(int(input()) * 2)", "the first block of the language"
    assert [test["passed"] for test in answer["tests"]] == [True] * 3
    assert answer["tests"][2]["exec_info"]["run_result"]["stdout"] == "4\n"
    assert answer["tests"][2]["test_info"] == CASES[2]


def test_submit_ends_with_the_first_failure(fusion: httpx.Client) -> None:
    cases = [CASES[0], {"input": {"stdin": "1"}, "output": {"stdout": "3"}}, CASES[2]]
    answer = submit(fusion, DOUBLE, "CommonOJDataset", cases, language="python")
    assert (answer["accepted"], [test["passed"] for test in answer["tests"]]) == (False, [True, False])
    assert answer["tests"][1]["exec_info"]["status"] == "Success", "it ran; its output is wrong"
    answer = submit(fusion, DOUBLE, "CommonOJDataset", cases, language="python", extra={"run_all_cases": True})
    assert [test["passed"] for test in answer["tests"]] == [True, False, True]


@pytest.mark.parametrize(
    ("code", "test", "accepted"),
    [
        ("def f(x): return x + 1", "assert f(1) == 2", True),
        ("def f(x): return x", "assert f(1) == 2", False),
        ("def f(x): return x\nimport os; os._exit(0)", "assert f(1) == 2", False),
        ("exit(0)", "assert f(1) == 2", False),
        ("let a = 1;", "", False),
    ],
)
def test_submit_text(fusion: httpx.Client, code: str, test: str, accepted: bool) -> None:
    answer = submit(fusion, f"```python\n{code}\n```", "AutoEvalDataset", {"code": test})
    assert (answer["accepted"], answer["extracted_code"].strip()) == (accepted, code)


def test_submit_refused(fusion: httpx.Client) -> None:
    body = {"dataset": "code_contests", "id": 1, "completion": "x", "config": {"language": "python"}}
    answer = fusion.post("submit", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "no_data")
    row = {"provided_data": {"test": []}, "custom_extract_logic": "import os", "language": "python"}
    answer = fusion.post("submit", json=body | {"config": row})
    assert (answer.status_code, answer.json()["field"]) == (422, "config.custom_extract_logic")
