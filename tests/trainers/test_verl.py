"""verl's own code against the service."""

from __future__ import annotations

import json

import pytest

from tests.trainers import environments

SCORES = {
    "right": 1.0,
    "one of three": 1 / 3,
    "wrong": 0.0,
    "late": 2 / 3,
    "dies": 0.0,
    "function": 1.0,
    "asserts": 1.0,
    "asserts fail": 0.0,
}


@pytest.mark.full
def test_verl_0_9_1_sandbox_fusion_by_url_and_compute_score(service_url: str) -> None:
    by_url, ours, managed = map(
        json.loads, environments.run("verl", "verl_sandbox_fusion.py", service_url).splitlines()
    )
    assert by_url == pytest.approx(SCORES)
    assert {name: one["score"] for name, one in ours.items()} == pytest.approx(SCORES)
    assert all(one["infra"] == 0 for one in ours.values())
    assert managed["reward_score"] == pytest.approx(1 / 3)
    assert managed["reward_extra_info"]["infra"] == 0


@pytest.mark.full
def test_verl_0_9_1_example(service_url: str) -> None:
    printed = environments.run("verl", environments.ROOT / "docs/examples/verl_reward.py", SANDBOX_URL=service_url)
    assert printed.splitlines()[-2:] == [
        "right: {'score': 1.0, 'acc': 1.0, 'infra': 0.0}",
        "wrong: {'score': 0.0, 'acc': 0.0, 'infra': 0.0}",
    ]
