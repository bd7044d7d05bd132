"""What the service says about itself."""

from __future__ import annotations

import json
import logging

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from sandbox_service.gateway.settings import GatewaySettings
from sandbox_service.telemetry.logging import JsonLines
from tests.gateway.service import HELLO, announce, language, worker
from tests.gateway.test_bad_input import CHECKER, STDIO


async def test_languages_are_those_of_live_workers(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    assert (await http.get("/v1/languages")).json() == {"languages": []}
    await announce(settings.redis_url, settings.queue, "python", "c", id="w1")
    await announce(settings.redis_url, settings.queue, "python", "bash", id="w2")
    expected = [language("bash"), language("c"), language("python")]
    assert (await http.get("/v1/languages")).json() == {"languages": expected}


async def test_a_language_that_no_worker_offers(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    await announce(settings.redis_url, settings.queue, "bash", "c")
    answer = await http.post("/v1/submissions", json=HELLO)
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, "unknown_language", "language")
    assert answer.json()["detail"].endswith("offered: bash, c")
    batch = await http.post("/v1/batches", json={"submissions": [HELLO | {"language": "c"}, HELLO]})
    assert (batch.status_code, batch.json()["field"]) == (422, "submissions.1.language")

    await announce(settings.redis_url, settings.queue, "python", id="w2")
    assert (await http.post("/v1/submissions", json=HELLO)).status_code == 202


async def test_a_checker_in_a_language_that_no_worker_offers(
    http: httpx.AsyncClient, settings: GatewaySettings
) -> None:
    await announce(settings.redis_url, settings.queue, "c", "python")
    body = HELLO | {"task": STDIO | {"compare": CHECKER | {"language": "bash"}}}
    answer = await http.post("/v1/submissions", json=body)
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "unknown_language")
    assert problem["field"] == "task.compare.language"
    assert problem["detail"].endswith("offered: c, python")
    batch = await http.post("/v1/batches", json={"submissions": [HELLO, body]})
    assert (batch.status_code, batch.json()["field"]) == (422, "submissions.1.task.compare.language")

    await announce(settings.redis_url, settings.queue, "bash", id="w2")
    assert (await http.post("/v1/submissions", json=body)).status_code == 202


async def test_policies(http: httpx.AsyncClient) -> None:
    policies = (await http.get("/v1/policies")).json()["policies"]
    assert [policy["name"] for policy in policies] == ["default", "docker", "gvisor", "oci", "strict", "trusted-fast"]
    policy = policies[0]
    assert policy["caps"]["cpu_seconds"] == 60
    assert policy["rewards"] == ["binary", "fraction", "weighted"]
    assert len(policy["digest"]) == 16


async def test_workers_and_stats(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    await announce(settings.redis_url, settings.queue, "python")
    (shown,) = (await http.get("/v1/workers")).json()["workers"]
    assert 0 <= shown.pop("heartbeat_age_seconds") < 60
    assert shown == {"id": "w1", "host": "here", "state": "ready", "slots": 2, "busy": 1, "executors": ["namespace"]}

    await http.post("/v1/submissions", json=HELLO | {"priority": "high"})
    stats = (await http.get("/v1/stats")).json()
    assert stats["queue"]["depth"] == 1
    assert stats["queue"]["by_priority"] == {"high": 1, "normal": 0, "low": 0}
    assert stats["slots"] == 2
    assert stats["dead_letters"] == 0
    assert stats["latency"] == {"p50": None, "p99": None}

    async with worker(settings.redis_url, settings.queue):
        await http.post("/v1/submissions", params={"wait": 30}, json=HELLO)
    stats = (await http.get("/v1/stats")).json()
    assert stats["verdicts"] == {"accepted": 2}
    assert stats["latency"] == {"p50": 0.013, "p99": 0.013}
    assert stats["rate_per_second"] > 0


async def test_draining_a_worker(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    missing = await http.post("/v1/workers/w1/drain")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    for id in ("w1", "w2"):
        await announce(settings.redis_url, settings.queue, "python", id=id)
    for _ in range(2):
        drained = await http.post("/v1/workers/w1/drain")
        assert (drained.status_code, drained.json()["id"], drained.json()["state"]) == (202, "w1", "draining")
    workers = (await http.get("/v1/workers")).json()["workers"]
    assert {worker["id"]: worker["state"] for worker in workers} == {"w1": "draining", "w2": "ready"}


async def test_metrics(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    await announce(settings.redis_url, settings.queue, "python")
    async with worker(settings.redis_url, settings.queue):
        await http.post("/v1/submissions", params={"wait": 30}, json=HELLO)
    await http.post("/v1/submissions", json=HELLO)
    await http.post("/v1/submissions", json={})
    await http.request("PROPFIND", "/nothing/at/all")
    text = (await http.get("/metrics")).text
    families = list(text_string_to_metric_families(text))
    samples = {(one.name, *sorted(one.labels.items())): one.value for family in families for one in family.samples}

    def value(name: str, **labels: str) -> float:
        return samples[(name, *sorted(labels.items()))]

    posts = {"route": "/v1/submissions", "method": "POST"}
    assert value("sandbox_http_requests_total", status="200", **posts) == 1
    assert value("sandbox_http_requests_total", status="202", **posts) == 1
    assert value("sandbox_http_requests_total", status="422", **posts) == 1
    assert value("sandbox_http_requests_total", route="unmatched", method="other", status="404") == 1
    assert value("sandbox_http_request_seconds_count", route="/v1/submissions") == 3
    assert value("sandbox_submissions_accepted_total", language="python") == 2
    assert value("sandbox_submissions_ended_total", state="finished", verdict="accepted", language="python") == 1
    for stage in ("queued", "start", "run", "judge", "total"):
        assert value("sandbox_stage_seconds_count", stage=stage) == 1
    assert value("sandbox_queue_depth", priority="normal") == 1
    assert value("sandbox_workers", state="ready") == 1
    assert value("sandbox_slots") == 2
    assert value("sandbox_slots_busy") == 1


async def test_pages(http: httpx.AsyncClient) -> None:
    home = await http.get("/")
    assert home.headers["content-type"].startswith("text/html")
    docs = await http.get("/docs")
    for path in (await http.get("/openapi.json")).json()["paths"]:
        assert path in docs.text
    assert "http" not in docs.text.replace("</", "")  # nothing is loaded from elsewhere


def test_json_log_lines() -> None:
    try:
        raise ValueError("why")
    except ValueError as error:
        info = (type(error), error, error.__traceback__)
    record = logging.getLogger("a").makeRecord("a", logging.WARNING, "", 0, "x %s", ("é\n",), info)
    record.submission = "sub_1"
    line = JsonLines().format(record)
    assert "\n" not in line
    shown = json.loads(line)
    assert (shown["level"], shown["logger"], shown["message"], shown["submission"]) == (
        "warning",
        "a",
        "x é\n",
        "sub_1",
    )
    assert "ValueError: why" in shown["exception"]


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_health(http: httpx.AsyncClient, path: str) -> None:
    assert (await http.get(path)).status_code == 200
