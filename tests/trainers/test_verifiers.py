"""verifiers evaluates a stub model; what we failed is an error on the trace, not a reward."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.trainers import environments
from tests.trainers.stub_model import model

TESTS = {"inputs": ["1", "3"], "outputs": ["2", "6"]}
ROWS = {"right": TESTS, "half": TESTS | {"outputs": ["2", "7"]}, "broken": {}}
# The built-in harness without tools, which runs in a process of its own and has uv get what that needs.
PLAIN = ("--env.agent.harness.id", "null", "--env.agent.runtime.type", "subprocess", "--no-push", "--no-rich")


@pytest.mark.full
def test_verifiers_0_4_0_evaluation_with_a_stub_model(service_url: str, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n".join(json.dumps({"prompt": name, "tests": tests}) for name, tests in ROWS.items()))
    with model() as url:
        client = ("--model", "stub", "--client.base-url", url, "--output-dir", str(tmp_path / "out"))
        arguments = ("sandbox_tasks", "--env.taskset.rows", str(rows), *client, *PLAIN)
        environments.run("verifiers", "verifiers_eval.py", *arguments, SANDBOX_URL=service_url)
    (file,) = (tmp_path / "out").glob("*/traces.jsonl")
    found = {}
    for line in file.read_text().splitlines():
        for trace in json.loads(line).get("traces", [json.loads(line)]):
            found[trace["task"]["data"]["prompt"]] = trace
    assert {name: trace["rewards"] for name, trace in found.items() if name != "broken"} == {
        "right": {"sandbox": {"score": 1.0, "weight": 1.0}},
        "half": {"sandbox": {"score": 0.5, "weight": 1.0}},
    }
    assert [error["type"] for error in found["broken"]["errors"]] == ["SandboxError"]
    assert not found["broken"]["ok"]


@pytest.mark.full
def test_verifiers_0_1_14_rubric(service_url: str) -> None:
    printed = environments.run("verifiers_legacy", "verifiers_rubric.py", service_url)
    assert json.loads(printed.splitlines()[-1]) == [[1.0, None], [0.5, None], [0.0, "SandboxError"]]
