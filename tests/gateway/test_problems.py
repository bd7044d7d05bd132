"""Refusals that no single route makes: unknown paths and methods, what is not built, our own failures."""

from __future__ import annotations

import asyncio
import dataclasses
import logging

import httpx
import pytest
from ulid import ULID

from sandbox_service.gateway.settings import GatewaySettings
from sandbox_service.queue import EmbeddedServer, connect
from tests.gateway.service import HELLO, JSON, connected, gateway

HEAD = (
    b"POST /v1/submissions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
)


@pytest.mark.parametrize(
    "path", ["/nothing", "/v1", "/v1/submissions/", "/v1/submissions/a/b", "/%2e%2e/etc", "/v1/batches/x/y"]
)
async def test_unknown_paths(refusing: httpx.AsyncClient, path: str) -> None:
    answer = await refusing.get(path)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["instance"] == path


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("GET", "/v1/submissions", "POST"),
        ("PUT", "/v1/submissions/x", "DELETE, GET"),
        ("POST", "/v1/batches/x", "DELETE, GET"),
        ("DELETE", "/v1/batches/x/results", "GET"),
        ("TRACE", "/healthz", "GET"),
        ("HEAD", "/v1/languages", "GET"),
        ("POST", "/openapi.json", "GET"),
        ("BREW", "/v1/stats", "GET"),
    ],
)
async def test_other_methods(refusing: httpx.AsyncClient, method: str, path: str, allow: str) -> None:
    if method == "BREW":  # the server's own parser does not let it in
        assert (await refusing.request(method, path)).status_code == 400
        return
    answer = await refusing.request(method, path)
    assert (answer.status_code, answer.headers["allow"]) == (405, allow)
    if method != "HEAD":
        assert answer.json()["code"] == "method_not_allowed"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/sessions"),
        ("DELETE", "/v1/sessions/s1"),
        ("POST", "/v1/sessions/s1/exec"),
        ("PUT", "/v1/sessions/s1/files/a/b.txt"),
        ("POST", "/compat/judge0/submissions"),
        ("POST", "/compat/k/KEY/sandboxfusion/run_jupyter"),
    ],
)
async def test_what_is_not_built_says_so(refusing: httpx.AsyncClient, method: str, path: str) -> None:
    answer = await refusing.request(method, path)
    assert (answer.status_code, answer.json()["code"]) == (501, "not_offered")


async def test_an_unforeseen_exception(
    http: httpx.AsyncClient, settings: GatewaySettings, caplog: pytest.LogCaptureFixture
) -> None:
    id = f"sub_{ULID()}"
    async with connect(settings.redis_url) as redis:  # what nobody foresaw: a key of another kind
        await redis.set(f"{settings.queue.prefix}:submission:{id}", "secret-detail")
    with caplog.at_level(logging.ERROR):
        answer = await http.get(f"/v1/submissions/{id}")
    assert (answer.status_code, answer.json()["code"], answer.json()["retryable"]) == (500, "internal_error", True)
    assert answer.headers["content-type"] == "application/problem+json"
    assert "WRONGTYPE" not in answer.text
    assert "Traceback" not in answer.text
    assert "WRONGTYPE" in caplog.text
    assert 'status="500"' in (await http.get("/metrics")).text


async def test_redis_is_away(settings: GatewaySettings) -> None:
    with EmbeddedServer() as server:
        settings = dataclasses.replace(settings, redis_url=server.url)
        with gateway(settings) as url:
            async with connected(url) as http:
                assert (await http.get("/readyz")).status_code == 200
                created = await http.post("/v1/submissions", json=HELLO)
                server.stop()
                requests = [
                    http.get("/readyz"),
                    http.post("/v1/submissions", json=HELLO),
                    http.post("/v1/batches", json={"submissions": [HELLO]}),
                    http.get(created.headers["location"]),
                    http.get("/v1/workers"),
                    http.get("/v1/stats"),
                ]
                for answer in await asyncio.gather(*requests):
                    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable"), answer.request.url
                    assert answer.json()["retryable"] is True
                    assert int(answer.headers["retry-after"]) >= 1
                assert (await http.get("/healthz")).json() == {"status": "ok"}
                assert "sandbox_running NaN" in (await http.get("/metrics")).text


async def test_a_body_that_stops_coming(settings: GatewaySettings) -> None:
    with gateway(dataclasses.replace(settings, body_idle_seconds=0.2)) as url:
        target = httpx.URL(url)
        reader, writer = await asyncio.open_connection(target.host, target.port)
        writer.write(HEAD)
        answer = await asyncio.wait_for(reader.read(), 20)  # to the end: the connection is closed
        writer.close()
        await writer.wait_closed()
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b'"code":"body_timeout"' in answer


async def test_a_client_that_leaves_in_the_middle_of_its_body(http: httpx.AsyncClient, url: str) -> None:
    target = httpx.URL(url)
    _, writer = await asyncio.open_connection(target.host, target.port)
    writer.write(HEAD)
    writer.close()
    await writer.wait_closed()
    for _ in range(200):
        if 'status="499"' in (await http.get("/metrics")).text:
            break
        await asyncio.sleep(0.05)
    else:
        pytest.fail("it was not counted")
    assert (await http.post("/v1/submissions", content=b"{", headers=JSON)).status_code == 400
