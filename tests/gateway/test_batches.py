"""Batches: all or nothing in, results as they come, and again from any cursor."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from ulid import ULID

from sandbox_service.contract import parse
from sandbox_service.contract.result import BatchLine
from sandbox_service.gateway.settings import GatewaySettings
from sandbox_service.queue import Entry
from tests.gateway.service import HELLO, JSON_LINES, worker


async def create(http: httpx.AsyncClient, count: int) -> str:
    body = {"submissions": [{"code": str(number)} for number in range(count)], "defaults": {"language": "python"}}
    answer = await http.post("/v1/batches", json=body)
    assert answer.status_code == 202
    assert answer.headers["location"] == f"/v1/batches/{answer.json()['id']}"
    assert answer.json()["total"] == count
    id: str = answer.json()["id"]
    return id


async def read(http: httpx.AsyncClient, id: str, most: int | None = None, **query: Any) -> list[dict[str, Any]]:
    """Lines of a batch's results; after `most` of them the connection is dropped."""
    lines: list[dict[str, Any]] = []
    async with http.stream("GET", f"/v1/batches/{id}/results", params=query) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/jsonl"
        async for line in answer.aiter_lines():
            if line:
                lines.append(json.loads(line))
            if most is not None and len(lines) >= most:
                break
    return lines


async def test_all_results_come_and_the_stream_ends(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    id = await create(http, 50)
    reading = asyncio.create_task(read(http, id))
    async with worker(settings.redis_url, settings.queue):
        lines = await reading
    assert sorted(line["index"] for line in lines) == list(range(50))
    assert {BatchLine.model_validate(line).verdict for line in lines} == {"accepted"}
    assert await read(http, id) == lines

    one = await http.get(f"/v1/submissions/{lines[7]['id']}")
    assert one.json() == {key: value for key, value in lines[7].items() if key not in ("index", "cursor")}
    status = (await http.get(f"/v1/batches/{id}")).json()
    assert status == {"id": id, "total": 50, "states": {"finished": 50}, "verdicts": {"accepted": 50}}


async def test_a_reader_goes_on_from_its_cursor(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    id = await create(http, 40)
    async with worker(settings.redis_url, settings.queue):
        lines = await read(http, id, most=1)
        while len(lines) < 40:
            lines += await read(http, id, most=9, after=lines[-1]["cursor"])
    assert [line["index"] for line in lines] == [line["index"] for line in await read(http, id)]
    assert await read(http, id, after=lines[-1]["cursor"]) == []
    assert await read(http, id, after=lines[19]["cursor"]) == lines[20:]


async def test_blank_lines_while_nothing_comes(http: httpx.AsyncClient) -> None:
    id = await create(http, 1)
    async with http.stream("GET", f"/v1/batches/{id}/results") as answer:
        lines = answer.aiter_lines()
        assert [await anext(lines), await anext(lines)] == ["", ""]


async def test_wait_bounds_the_stream(http: httpx.AsyncClient) -> None:
    id = await create(http, 1)
    assert await read(http, id, wait=0) == []
    assert await read(http, id, wait=0.5) == []


async def test_defaults_and_order(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    body = {
        "submissions": [
            {"code": "0", "limits": {"cpu_seconds": 1}, "metadata": {"a": 1}},
            {"code": "1", "language": "bash", "priority": "high"},
        ],
        "defaults": {"language": "python", "limits": {"processes": 3}, "metadata": {"b": 2}, "priority": "low"},
    }
    taken: list[Entry] = []
    id = (await http.post("/v1/batches", json=body)).json()["id"]
    async with worker(settings.redis_url, settings.queue, taken=taken):
        lines = await read(http, id)
    assert [line["index"] for line in lines] == [1, 0]
    assert [(entry.batch, entry.index) for entry in taken] == [(id, 1), (id, 0)]
    first = parse.submission(parse.loads(taken[1].payload))
    assert (first.language, first.limits.cpu_seconds, first.limits.processes) == ("python", 1, 3)
    assert first.metadata == {"a": 1, "b": 2}


async def test_json_lines(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    body = "\r\n".join(json.dumps(HELLO | {"code": str(number)}) for number in range(3)) + "\n\n"
    created = await http.post("/v1/batches", content=body, headers=JSON_LINES)
    assert (created.status_code, created.json()["total"]) == (202, 3)
    async with worker(settings.redis_url, settings.queue):
        assert len(await read(http, created.json()["id"])) == 3


async def test_cancel(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    body = {"submissions": [{"metadata": {"n": n}} for n in range(5)], "defaults": HELLO | {"domain": "mine"}}
    id = (await http.post("/v1/batches", json=body)).json()["id"]
    status = (await http.delete(f"/v1/batches/{id}")).json()
    assert status == {"id": id, "total": 5, "states": {"cancelled": 5}, "verdicts": {}}
    lines = await read(http, id)
    assert [(line["state"], line["verdict"], line["reward"]) for line in lines] == [("cancelled", None, None)] * 5
    assert [(line["domain"], line["metadata"]) for line in lines] == [("mine", {"n": n}) for n in range(5)]
    assert (await http.delete(f"/v1/batches/{id}")).json() == status


async def test_idempotency_of_both_forms(http: httpx.AsyncClient) -> None:
    key = {"Idempotency-Key": "step-1"}
    first = await http.post("/v1/batches", json={"submissions": [HELLO, HELLO]}, headers=key)
    lines = "\n".join(json.dumps(HELLO | {"metadata": {"n": n}}) for n in range(2))
    second = await http.post("/v1/batches", content=lines, headers=key | JSON_LINES)
    assert (second.status_code, second.json()) == (202, first.json())
    other = await http.post("/v1/batches", json={"submissions": [HELLO]}, headers=key)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_conflict")
    assert (await http.get("/v1/stats")).json()["queue"]["depth"] == 2


@pytest.mark.parametrize("path", ["", "/results"])
async def test_unknown_batches(http: httpx.AsyncClient, path: str) -> None:
    for id, code in ((f"bat_{ULID()}", "not_found"), ("bat_01ARZ3NDEKTSV4RRFFQ69G5FAV", "result_expired")):
        answer = await http.get(f"/v1/batches/{id}{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, code)
