"""OpenRLHF's and NeMo-Gym's endpoints."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from sandbox_service.contract import ground_truth

STDIO = {"inputs": ["1", "2"], "outputs": ["2", "4"]}
PROMPT = "<s>Double it.\n```python\nexample\n```\n"


def fenced(code: str) -> str:
    return f"So:\n```python\n{code}\n```"


@pytest.fixture(scope="module")
def http(service_url: str) -> Any:
    with httpx.Client(base_url=f"{service_url}/compat/", timeout=60, trust_env=False) as client:
        yield client


def test_openrlhf(http: httpx.Client) -> None:
    right, half = fenced("print(int(input()) * 2)"), fenced("print(2)")
    body = {
        "query": [PROMPT + right + "<|im_end|>\n</s>", PROMPT + half, PROMPT + "Nothing."],
        "prompts": [PROMPT] * 3,
        "labels": [STDIO] * 3,
    }
    answer = http.post("openrlhf/get_reward", json=body).json()
    assert answer["rewards"] == answer["scores"] == [1.0, 0.5, 0.0]
    assert http.post("openrlhf/get_reward", json=body | {"labels": [STDIO]}).status_code == 422
    assert http.post("openrlhf/get_reward", json=body | {"labels": [{}, {}, {}]}).json()["field"] == "labels"


def test_a_surrogate(http: httpx.Client) -> None:
    """What a model writes must not be able to keep its own answer from being judged."""
    answers = [fenced("print(2)\n# \ud800"), "\ud800"]
    body = {"query": answers, "prompts": [""] * 2, "labels": [STDIO] * 2}
    headers = {"content-type": "application/json"}
    found = http.post("openrlhf/get_reward", content=json.dumps(body), headers=headers).json()
    assert found["rewards"] == [0.0, 0.0], "Python takes no such file"
    body = {"response": response(answers[0]), "verifier_metadata": {"unit_tests": STDIO}}
    assert http.post("nemo-gym/verify", content=json.dumps(body), headers=headers).json()["reward"] == 0.0
    files = [{"content": "echo a\ud800"}]
    body = {"language": "bash", "version": "*", "files": files, "stdin": "\ud800", "args": ["\ud800"]}
    assert http.post("piston/api/v2/execute", content=json.dumps(body), headers=headers).json()["run"]["code"] == 0


def response(text: str) -> dict[str, Any]:
    parts = [{"type": "output_text", "text": text, "annotations": []}]
    message = {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": parts}
    return {"id": "r", "object": "response", "output": [{"type": "reasoning", "id": "x", "summary": []}, message]}


@pytest.mark.parametrize(
    ("text", "tests", "reward"),
    [
        (fenced("print(int(input()) * 2)"), STDIO, 1.0),
        (fenced("print(2)"), STDIO, 0.0),
        ("Nothing.", STDIO, 0.0),
        ("", STDIO, 0.0),
        (
            fenced("class Solution:\n    def add(self, a, b):\n        return a + b"),
            {"inputs": ["[1]\n[2]"], "outputs": ["[1, 2]"], "fn_name": "add"},
            1.0,
        ),
    ],
)
def test_nemo_gym(http: httpx.Client, text: str, tests: dict[str, Any], reward: float) -> None:
    body = {
        "responses_create_params": {"input": [{"role": "user", "content": "x"}]},
        "response": response(text),
        "verifier_metadata": {"unit_tests": tests, "difficulty": "easy"},
    }
    answer = http.post("nemo-gym/verify", json=body).json()
    assert answer["reward"] == reward
    assert {name: answer[name] for name in body} == body, "the request comes back"


def test_nemo_gym_refused(http: httpx.Client) -> None:
    body = {"response": response("x"), "verifier_metadata": {}}
    assert http.post("nemo-gym/verify", json=body).json()["field"] == "verifier_metadata.unit_tests"
    assert http.post("nemo-gym/verify", json={}).json()["field"] == "response.output"
    assert http.post("nemo-gym/seed_session", json={}).json() == {}


@pytest.mark.parametrize(
    ("truth", "task"),
    [
        ({"type": "run"}, {"type": "run"}),
        ({"task": {"type": "run"}, "language": "cpp"}, {"type": "run"}),
        ('["assert a", "assert b"]', {"type": "assertions", "code": "assert a\nassert b"}),
        ("assert a", {"type": "assertions", "code": "assert a"}),
        ("7", {"type": "assertions", "code": "7"}),
        ({"assert_case": ["assert a"]}, {"type": "assertions", "code": "assert a"}),
        (
            {"test": "def check(c): ...", "entry_point": "f"},
            {"type": "assertions", "code": "def check(c): ...", "entry_point": "f"},
        ),
        ({"inputs": [["1", "2"]], "outputs": ["3"]}, {"type": "stdio", "cases": [{"stdin": "1\n2", "expected": "3"}]}),
        (
            {"inputs": [[1, "a"], '2\n"b"'], "outputs": [[3], "x"], "fn_name": "f"},
            {
                "type": "function",
                "entry_point": "f",
                "cases": [{"args": [1, "a"], "expected": [3]}, {"args": [2, "b"], "expected": "x"}],
            },
        ),
    ],
)
def test_notations(truth: Any, task: dict[str, Any]) -> None:
    assert ground_truth.fields(truth, "class Other: pass")["task"] == task


@pytest.mark.parametrize(
    "truth", [{"task": 1}, None, 7, [], [1], {}, {"inputs": [1], "outputs": []}, {"inputs": 1, "outputs": 2}]
)
def test_no_notation(truth: Any) -> None:
    with pytest.raises(ValueError, match="no known notation"):
        ground_truth.fields(truth)
