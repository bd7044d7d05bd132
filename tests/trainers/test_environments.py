"""SkyRL-gym, inspect_ai, tinker-cookbook, and the `sandbox-fusion` client."""

from __future__ import annotations

import json

import pytest

from tests.trainers import environments

EXAMPLES = environments.ROOT / "docs/examples"


@pytest.mark.full
def test_skyrl_gym_0_4_0(service_url: str) -> None:
    found = json.loads(environments.run("skyrl", "skyrl.py", SANDBOX_URL=service_url).splitlines()[-1])
    assert found == [
        [1.0, True, "accepted", 0.0],
        [0.5, True, "wrong_answer", 0.0],
        [0.0, True, "compile_error", 0.0],
        [0.0, True, None, 1.0],
    ]
    printed = environments.run("skyrl", EXAMPLES / "skyrl_env.py", SANDBOX_URL=service_url)
    assert printed.strip() == "reward 1.0 done True {'infra': 0.0, 'accepted': 1.0}"


@pytest.mark.full
def test_inspect_ai_0_3_285_with_a_mock_model(service_url: str) -> None:
    found = json.loads(environments.run("inspect_ai", "inspect_mock.py", SANDBOX_URL=service_url).splitlines()[-1])
    assert found == ["success", 0.75, 2, 1], "what has no reward is in no mean"
    printed = environments.run("inspect_ai", EXAMPLES / "inspect_eval.py", SANDBOX_URL=service_url)
    assert printed.strip() == "mean reward 0.75"


@pytest.mark.full
def test_sandbox_fusion_0_3_7(service_url: str) -> None:
    url = f"{service_url}/compat/sandboxfusion"
    found = [json.loads(line) for line in environments.run("sandbox_fusion", "fusion_client.py", url).splitlines()]
    assert found == [
        ["Success", "Finished", "123\n"],
        ["Failed", "TimeLimitExceeded", ""],
        ["Failed", "Finished", ""],
        {"a.txt": "out"},
        ["ok", "wrong", "compiles not"],
        [True, [True, True]],
        [False, [True, False]],
        ["asynchronous\n"] * 8,
    ]
    printed = environments.run("sandbox_fusion", EXAMPLES / "sandboxfusion_client.py", SANDBOX_URL=service_url)
    assert printed.strip() == "RunStatus.Success 42"


@pytest.mark.full
def test_tinker_cookbook_0_6_1_grading(service_url: str) -> None:
    """It asks for 110 s for fifteen tests, and takes a refusal for a wrong answer."""
    url = f"{service_url}/compat/sandboxfusion/run_code"
    found = json.loads(environments.run("tinker_cookbook", "tinker_grading.py", url).splitlines()[-1])
    assert {name: one[:2] for name, one in found.items()} == {
        "right": [True, "Success"],
        "wrong": [False, "Failed"],
        "dies": [False, "Failed"],
        "function": [True, "Success"],
    }
