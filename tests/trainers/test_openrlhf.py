"""OpenRLHF's client code against the service."""

from __future__ import annotations

import json

import pytest

from tests.client.server import answer, serving
from tests.trainers import environments

FILE = environments.ROOT / "docs/examples/openrlhf_reward.py"
JUDGED = [[1.0, 1.0], [0.5, 0.5], [0.0, 0.0]]


@pytest.mark.full
def test_openrlhf_0_11_2_remote_url_and_reward_func(service_url: str) -> None:
    with serving(lambda _: answer(503, {"detail": "away"})) as (away, seen):
        printed = environments.run(
            "openrlhf", "openrlhf_client.py", service_url, str(FILE), away, SANDBOX_URL=service_url
        )
    by_url, by_file, without = [json.loads(line) for line in printed.splitlines() if line.startswith("[[")]
    assert by_url == by_file == JUDGED
    assert without == [[None, None]] * 3, "no reward, and no zero"
    assert len(seen) == 3 * 5, "asked again"


@pytest.mark.full
def test_openrlhf_0_11_2_example(service_url: str) -> None:
    assert environments.run("openrlhf", FILE, SANDBOX_URL=service_url).strip() == "tensor([1.])"
