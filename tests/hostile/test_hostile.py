"""Whatever a solution does to those that judge it: it is charged, and we do not fail."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from sandbox_service import Client
from sandbox_service.contract.result import Result
from tests import whole
from tests.hostile.programs import submissions

AT_ONCE = 20


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with whole.up(tmp_path_factory.mktemp("hostile")) as up, Client(up.url) as client:
        yield client


def faults(result: Result) -> list[str]:
    found = []
    if result.infra_error is not None:
        found.append(f"our failure: {result.infra_error}")
    elif result.reward is None or not math.isfinite(result.reward) or not 0 <= result.reward < 1:
        found.append(f"reward {result.reward}")
    elif result.verdict in (None, "accepted"):
        found.append(f"verdict {result.verdict}")
    return found


@pytest.mark.parametrize("number", [1, pytest.param(2, marks=pytest.mark.full)])
def test_it_is_charged(client: Client, number: int) -> None:
    @seed(number)
    @settings(
        max_examples=5 if number == 1 else 100,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(submissions(), min_size=AT_ONCE, max_size=AT_ONCE))
    def hold(bodies: list[dict[str, Any]]) -> None:
        results = client.score(bodies)
        wrong = [
            (body["code"], body["task"], found)
            for body, result in zip(bodies, results, strict=True)
            if (found := faults(result))
        ]
        assert not wrong, f"{len(wrong)} of {len(bodies)}; the first: {wrong[0]}"

    hold()
