"""The adapters against a running service, and against none: what they make of a failure of ours.

Those that need their trainer to be imported are tested with it in `tests/trainers`.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from sandbox_service import SandboxError
from sandbox_service.adapters import _core, areal, slime, trl, verifiers_legacy, verl

TESTS = {"inputs": ["1", "2"], "outputs": ["2", "4"]}
RIGHT = "```python\nprint(int(input()) * 2)\n```"
HALF = "```python\nprint(2)\n```"
NOWHERE = "http://127.0.0.1:9"


async def test_trl(service_url: str) -> None:
    extra: dict[str, Any] = {}
    metrics: dict[str, Any] = {}
    reward = trl.reward_fn(service_url, name="code")
    assert reward.__name__ == "code"
    answers = [RIGHT, [{"role": "assistant", "content": HALF}], "no program", RIGHT, RIGHT]
    columns = {
        "tests": [TESTS, TESTS, TESTS, {"nothing": 1}, TESTS | {"inputs": [1]}],
        "domain": ["a", "b", "a", "a", "a"],
    }
    rewards = await reward(
        prompts=[""] * 5,
        completions=answers,
        completion_ids=[[]] * 5,
        log_extra=extra.__setitem__,
        log_metric=metrics.__setitem__,
        trainer_state=None,
        **columns,
    )
    assert rewards == [1.0, 0.5, 0.0, None, None], "a row that is wrong has no reward, and spoils no other"
    assert extra["sandbox_verdict"] == ["accepted", "wrong_answer", "compile_error", "not judged", "not judged"]
    assert metrics == {"sandbox/infra_rate": 0.4, "sandbox/accepted_rate": 0.2}


async def test_a_refused_submission_spoils_no_other(service_url: str) -> None:
    reward = trl.reward_fn(service_url, limits={"cpu_seconds": 5})
    tests = [TESTS, {"type": "stdio", "cases": []}, TESTS, {"task": TESTS, "language": "klingon"}]
    assert await reward(completions=[RIGHT] * 4, tests=tests) == [1.0, None, 1.0, None]


async def test_answers_that_are_no_program(service_url: str) -> None:
    reward = trl.reward_fn(service_url, language="python", priority="high")
    tests = {"type": "answer", "expected": 42, "mode": "numeric"}
    assert await reward(completions=["It is 42.", "It is 41."], tests=[tests, {"task": tests}]) == [1.0, 0.0]


async def test_trl_without_a_service() -> None:
    reward = trl.reward_fn(NOWHERE, patience=0.2)
    assert await reward(completions=[RIGHT, HALF], tests=[TESTS, TESTS]) == [None, None]


async def test_verl(service_url: str) -> None:
    score = verl.compute_score
    assert await score("any", HALF, TESTS, {"domain": "x"}, url=service_url) == {"score": 0.5, "acc": 0.0, "infra": 0.0}
    found = await score("any", RIGHT, TESTS, url=service_url, reward_router_address="ignored")
    assert found == {"score": 1.0, "acc": 1.0, "infra": 0.0}
    assert await score("any", RIGHT, TESTS, url=NOWHERE, patience=0.2) == {"score": 0.0, "acc": 0.0, "infra": 1.0}


async def test_verifiers_legacy(service_url: str) -> None:
    state: dict[str, Any] = {}
    reward = verifiers_legacy.reward_fn(service_url)
    completion = [{"role": "user", "content": "more"}, {"role": "assistant", "content": [{"text": RIGHT}]}]
    assert await reward(completion=completion, answer=TESTS, state=state) == 1.0
    assert state == {}


async def test_slime(service_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    slime._client.cache_clear()
    monkeypatch.setenv("SANDBOX_URL", service_url)
    assert await slime.reward(None, SimpleNamespace(response=RIGHT, label=TESTS)) == 1.0
    with pytest.raises(SandboxError):
        await slime.reward(None, SimpleNamespace(response=RIGHT, label=None))


async def test_areal_in_an_event_loop(service_url: str) -> None:
    assert areal.reward_fn("", HALF, [], [], tests=TESTS, url=service_url, answer="more") == 0.5
    with pytest.raises(SandboxError):
        areal.reward_fn("", HALF, [], [], tests=TESTS, url=NOWHERE, patience=0.1)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("a", "a"),
        (None, ""),
        ([], ""),
        ([{"content": "a"}, {"content": "b"}], "b"),
        ([{"content": [{"text": "c"}]}], "c"),
    ],
)
def test_text(answer: Any, text: str) -> None:
    assert _core.text(answer) == text


def test_importing_costs_nothing() -> None:
    heavy = "pydantic|torch|verl|trl|openrlhf|verifiers"
    names = ["trl", "verl", "openrlhf", "verifiers_legacy", "slime", "areal"]
    code = f"import sys, re\nfor name in {names!r}: __import__('sandbox_service.adapters.' + name)\n"
    code += f"print([name for name in sys.modules if re.fullmatch('{heavy}', name)])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert found.stdout.strip() == "[]"


def test_adapters_are_small() -> None:
    package = importlib.import_module("sandbox_service.adapters")
    from pathlib import Path

    for path in Path(package.__path__[0]).glob("*.py"):
        assert len(path.read_text().splitlines()) < 100, path
