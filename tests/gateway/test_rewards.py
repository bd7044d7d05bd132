"""Rewards whose programs or tools no worker has are refused; nothing waits in the queue for what cannot be judged."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from sandbox_service.gateway.fleet import FRESH_SECONDS
from sandbox_service.gateway.settings import GatewaySettings
from tests.gateway.service import HELLO, announce
from tests.gateway.test_bad_input import ANSWER, SCORER

FORMULA: dict[str, Any] = {"task": ANSWER | {"mode": "math"}}
RULES: dict[str, Any] = HELLO | {"reward": {"components": [{"name": "compliance"}]}}


@pytest.mark.parametrize(("body", "field"), [(FORMULA, "task.mode"), (RULES, "reward")], ids=["math", "ruff"])
async def test_a_tool_that_no_worker_has(
    http: httpx.AsyncClient, settings: GatewaySettings, body: dict[str, Any], field: str
) -> None:
    await announce(settings.redis_url, settings.queue, "python", tools=())
    answer = await http.post("/v1/submissions", json=body)
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["field"]) == (422, "not_offered", field)
    assert "sandbox-service[tools]" in problem["detail"]
    assert (await http.post("/v1/submissions", json=HELLO)).status_code == 202

    await announce(settings.redis_url, settings.queue, "python", id="w2")
    await asyncio.sleep(FRESH_SECONDS)  # for so long the gateway remembers what workers offer
    assert (await http.post("/v1/submissions", json=body)).status_code == 202


async def test_a_scoring_program_in_a_language_that_no_worker_offers(
    http: httpx.AsyncClient, settings: GatewaySettings
) -> None:
    await announce(settings.redis_url, settings.queue, "python")
    body = HELLO | {"reward": {"components": [SCORER | {"language": "c"}]}}
    answer = await http.post("/v1/submissions", json=body)
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, "unknown_language", "reward")
    assert answer.json()["detail"].endswith("offered: python")


async def test_a_batch_of_answers(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    await announce(settings.redis_url, settings.queue, "python")
    items = [{"task": ANSWER | {"response": str(number)}} for number in range(3)]
    assert (await http.post("/v1/batches", json={"submissions": items})).status_code == 202
    shared = {"submissions": [{"domain": "a"}], "defaults": {"task": ANSWER}}
    assert (await http.post("/v1/batches", json=shared)).status_code == 202
    wrong = {"submissions": [{"code": "1"}], "defaults": {"task": ANSWER}}
    assert (await http.post("/v1/batches", json=wrong)).status_code == 422
