"""One submission: taken in, waited for, looked at, cancelled, expired."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Mapping

import httpx
import pytest
from ulid import ULID

from sandbox_service.contract import parse
from sandbox_service.contract.result import Result
from sandbox_service.contract.task import FunctionTask
from sandbox_service.gateway.settings import GatewaySettings
from sandbox_service.queue import Entry
from tests.gateway.service import HELLO, JSON, connected, gateway, worker
from tests.gateway.test_bad_input import FUNCTION, nested


async def test_a_submission_is_queued_and_can_be_looked_at(http: httpx.AsyncClient) -> None:
    created = await http.post("/v1/submissions", json=HELLO | {"domain": "math", "metadata": {"step": 1}})
    assert created.status_code == 202
    assert created.json()["state"] == "queued"
    assert created.headers["location"] == f"/v1/submissions/{created.json()['id']}"

    shown = await http.get(created.headers["location"])
    assert shown.status_code == 200
    result = Result.model_validate(shown.json())
    assert (result.state, result.verdict, result.reward, result.domain) == ("queued", None, None, "math")


async def test_wait_gives_the_result_as_it_was_stored(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    taken: list[Entry] = []
    async with worker(settings.redis_url, settings.queue, taken=taken):
        body = json.dumps(HELLO | {"metadata": {"text": "\ud800"}})
        answer = await http.post("/v1/submissions", params={"wait": 30}, content=body, headers=JSON)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert (answer.json()["verdict"], answer.json()["reward"]) == ("accepted", 1.0)
    assert answer.json()["metadata"] == {"text": "\ud800"}
    again = await http.get(f"/v1/submissions/{answer.json()['id']}")
    assert again.content == answer.content


async def test_wait_ends_when_its_time_is_over(http: httpx.AsyncClient) -> None:
    answer = await http.post("/v1/submissions", params={"wait": 0.2}, json=HELLO)
    assert answer.status_code == 202
    waited = await http.get(answer.headers["location"], params={"wait": 0.2})
    assert (waited.status_code, waited.json()["state"]) == (200, "queued")


async def test_a_waiting_reader_gets_the_result_when_it_comes(
    http: httpx.AsyncClient, settings: GatewaySettings
) -> None:
    created = await http.post("/v1/submissions", json=HELLO)
    waiting = asyncio.create_task(http.get(created.headers["location"], params={"wait": 30}))
    async with worker(settings.redis_url, settings.queue):
        assert (await waiting).json()["state"] == "finished"


@pytest.mark.parametrize("code", ["a\0b", "\ud800 lone", "\udfff\0", "\ud83d\ude00 a pair", "naïve"])
async def test_code_reaches_the_queue_unchanged(http: httpx.AsyncClient, settings: GatewaySettings, code: str) -> None:
    taken: list[Entry] = []
    async with worker(settings.redis_url, settings.queue, taken=taken):
        body = json.dumps({"language": "python", "code": code})
        answer = await http.post("/v1/submissions?wait=30", content=body, headers=JSON)
    assert answer.status_code == 200
    got = parse.submission(parse.loads(taken[0].payload))
    assert got.code == json.loads(json.dumps(code)).encode("utf-8", "surrogatepass")


VALUES = [
    None,
    True,
    0,
    -0.0,
    10**4000,
    2**53 + 1,
    1e308,
    5e-324,
    "\ud800\0",
    "\ud83d\ude00",
    [],
    {"": {"\udfff": []}},
    nested(290),
]


async def test_values_reach_the_queue_unchanged(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    cases = [{"args": [value], "kwargs": {"k": value}, "expected": value} for value in VALUES]
    taken: list[Entry] = []
    async with worker(settings.redis_url, settings.queue, taken=taken):
        body = json.dumps(HELLO | {"task": FUNCTION | {"cases": cases}})
        answer = await http.post("/v1/submissions?wait=30", content=body, headers=JSON)
    assert answer.status_code == 200
    task = parse.submission(parse.loads(taken[0].payload)).task
    assert isinstance(task, FunctionTask)
    assert repr([case.expected for case in task.cases]) == repr(json.loads(json.dumps(VALUES)))
    assert all(repr(case.args) == repr([case.expected]) == repr([case.kwargs["k"]]) for case in task.cases)


async def test_raw_surrogates_and_utf8_in_the_body_are_taken(
    http: httpx.AsyncClient, settings: GatewaySettings
) -> None:
    taken: list[Entry] = []
    body = '{"language": "python", "code": "é \ud800"}'.encode("utf-8", "surrogatepass")
    async with worker(settings.redis_url, settings.queue, taken=taken):
        answer = await http.post(
            "/v1/submissions?wait=30", content=body, headers={"content-type": "Application/JSON; charset=utf-8"}
        )
    assert answer.status_code == 200
    assert parse.submission(parse.loads(taken[0].payload)).code == "é \ud800".encode("utf-8", "surrogatepass")


async def test_cancel_ends_what_waits(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    created = await http.post("/v1/submissions", json=HELLO | {"domain": "mine", "metadata": {"step": 12}})
    cancelled = await http.delete(created.headers["location"])
    assert cancelled.status_code == 200
    result = Result.model_validate(cancelled.json())
    assert (result.domain, result.metadata) == ("mine", {"step": 12})
    assert (result.state, result.verdict, result.reward) == ("cancelled", None, None)
    assert (await http.get(created.headers["location"], params={"wait": 5})).content == cancelled.content
    taken: list[Entry] = []
    async with worker(settings.redis_url, settings.queue, taken=taken):
        later = await http.post("/v1/submissions", params={"wait": 30}, json=HELLO)
    assert later.json()["state"] == "finished"
    assert [entry.id for entry in taken] == [later.json()["id"]]


async def test_cancel_leaves_what_has_ended(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    async with worker(settings.redis_url, settings.queue):
        answer = await http.post("/v1/submissions", params={"wait": 30}, json=HELLO)
    cancelled = await http.delete(f"/v1/submissions/{answer.json()['id']}")
    assert cancelled.content == answer.content


@pytest.mark.parametrize("method", ["GET", "DELETE"])
@pytest.mark.parametrize(
    ("id", "code"),
    [
        pytest.param(f"sub_{ULID()}", "not_found", id="never given"),  # whose name is the same in every process
        ("sub_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "not_found"),
        ("sub_01ARZ3NDEKTSV4RRFFQ69G5FAV", "result_expired"),
        ("sub_", "not_found"),
        ("x", "not_found"),
        ("%00", "not_found"),
        ("%ff%F0%9F%98%80", "not_found"),
    ],
)
async def test_unknown_ids(http: httpx.AsyncClient, method: str, id: str, code: str) -> None:
    answer = await http.request(method, f"/v1/submissions/{id}")
    assert (answer.status_code, answer.json()["code"]) == (404, code)
    assert answer.headers["content-type"] == "application/problem+json"


async def test_results_expire(settings: GatewaySettings) -> None:
    queue = dataclasses.replace(settings.queue, result_ttl_seconds=1)
    settings = dataclasses.replace(settings, queue=queue)
    with gateway(settings) as url:
        async with connected(url) as http, worker(settings.redis_url, queue):
            answer = await http.post("/v1/submissions", params={"wait": 30}, json=HELLO)
            for _ in range(100):
                gone = await http.get(f"/v1/submissions/{answer.json()['id']}")
                if gone.status_code != 200:
                    break
                await asyncio.sleep(0.1)
    assert (gone.status_code, gone.json()["code"]) == (404, "result_expired")


async def test_idempotency(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    async def post(body: Mapping[str, object], wait: float = 0) -> httpx.Response:
        return await http.post("/v1/submissions", params={"wait": wait}, json=body, headers={"Idempotency-Key": "a b"})

    first = await post(HELLO)
    second = await post(HELLO | {"metadata": {"other": 1}})
    assert second.status_code == 202
    assert second.json() == first.json()

    other = await post(HELLO | {"code": "other"})
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_conflict")
    assert other.json()["field"] == "Idempotency-Key"
    async with worker(settings.redis_url, settings.queue):
        assert (await post(HELLO, wait=30)).json()["id"] == first.json()["id"]
    ended = await post(HELLO)
    assert (ended.status_code, ended.json()["state"]) == (200, "finished")


async def test_a_full_queue_says_when_to_come_again(settings: GatewaySettings) -> None:
    settings = dataclasses.replace(settings, queue=dataclasses.replace(settings.queue, max_queued=1))
    with gateway(settings) as url:
        async with connected(url) as http:
            assert (await http.post("/v1/submissions", json=HELLO)).status_code == 202
            full = await http.post("/v1/submissions", json=HELLO)
    assert (full.status_code, full.json()["code"], full.json()["retryable"]) == (429, "queue_full", True)
    assert int(full.headers["retry-after"]) >= 1
