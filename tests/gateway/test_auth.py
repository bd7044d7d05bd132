"""Keys, scopes and tenants."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from sandbox_service.gateway import auth
from sandbox_service.gateway.server import build
from sandbox_service.gateway.settings import GatewaySettings, check_bind
from sandbox_service.queue import Entry
from tests.gateway.service import HELLO, announce, connected, gateway, worker
from tests.queue.bench import until

KEYS = {
    "alice-all": ("alice", ["submit", "read", "admin"]),
    "alice-reads": ("alice", ["read"]),
    "alice-submits": ("alice", ["submit"]),
    "bob-all": ("bob", ["submit", "read"]),
}

WEIGHTS = {"alice-reads": {"weight": 3}, "alice-submits": {"domain_weights": {"math": 0.5}}}


@pytest.fixture
def keys_file(tmp_path: Path) -> Path:
    path = tmp_path / "keys.yaml"
    path.write_text(
        yaml.safe_dump(
            [
                {"tenant": tenant, "key_sha256": hashlib.sha256(key.encode()).hexdigest(), "scopes": scopes}
                | WEIGHTS.get(key, {})
                for key, (tenant, scopes) in KEYS.items()
            ]
        )
    )
    return path


@pytest.fixture
def url(settings: GatewaySettings, keys_file: Path) -> Iterator[str]:
    with gateway(dataclasses.replace(settings, keys_file=keys_file)) as url:
        yield url


def key(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {name}"}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        key("wrong"),
        {"Authorization": "Bearer"},
        {"Authorization": "alice-all"},
        {"Authorization": "Basic alice-all"},
        {"Authorization": b"Bearer \xff"},
    ],
)
async def test_no_known_key(http: httpx.AsyncClient, headers: dict[str, Any]) -> None:
    document = (await http.get("/openapi.json")).json()
    routes = [(method, path) for path, item in document["paths"].items() for method in item if path.startswith("/v1/")]
    assert len(routes) > 10
    for method, path in routes:
        answer = await http.request(method, path, headers=headers, json=HELLO if method == "post" else None)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized"), (method, path)
        assert answer.headers["www-authenticate"] == "Bearer"
    assert document["paths"]["/v1/stats"]["get"]["security"] == [{"key": []}]


async def test_scopes(http: httpx.AsyncClient) -> None:
    created = await http.post("/v1/submissions", json=HELLO, headers=key("alice-submits"))
    assert created.status_code == 202
    path = created.headers["location"]
    refused = [
        await http.post("/v1/submissions", json=HELLO, headers=key("alice-reads")),
        await http.post("/v1/batches", json={"submissions": [HELLO]}, headers=key("alice-reads")),
        await http.delete(path, headers=key("alice-reads")),
        await http.get(path, headers=key("alice-submits")),
        await http.get("/v1/workers", headers=key("alice-submits")),
    ]
    assert [(answer.status_code, answer.json()["code"]) for answer in refused] == [(403, "missing_scope")] * 5
    assert (await http.get(path, headers=key("alice-reads"))).status_code == 200


async def test_scheme_names_have_no_case(http: httpx.AsyncClient) -> None:
    assert (await http.get("/v1/stats", headers={"Authorization": "bearer bob-all"})).status_code == 200


async def test_tenants_do_not_see_each_other(http: httpx.AsyncClient) -> None:
    one = (await http.post("/v1/submissions", json=HELLO, headers=key("alice-all"))).headers["location"]
    many = (await http.post("/v1/batches", json={"submissions": [HELLO]}, headers=key("alice-all"))).headers["location"]
    for method, path in (("GET", one), ("DELETE", one), ("GET", many), ("GET", f"{many}/results"), ("DELETE", many)):
        answer = await http.request(method, path, headers=key("bob-all"))
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert (await http.get(one, headers=key("alice-reads"))).json()["state"] == "queued"

    again = {"Idempotency-Key": "same"}
    mine = await http.post("/v1/submissions", json=HELLO, headers=key("alice-all") | again)
    other = await http.post("/v1/submissions", json=HELLO | {"code": ""}, headers=key("bob-all") | again)
    assert other.status_code == 202
    assert other.json()["id"] != mine.json()["id"]


async def test_only_an_administrator_drains_workers(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    await announce(settings.redis_url, settings.queue, "python")
    refused = await http.post("/v1/workers/w1/drain", headers=key("bob-all"))
    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    assert (await http.get("/v1/workers", headers=key("bob-all"))).json()["workers"][0]["state"] == "ready"
    assert (await http.post("/v1/workers/w1/drain", headers=key("alice-all"))).status_code == 202


async def test_weights_go_with_what_a_tenant_submits(
    http: httpx.AsyncClient, settings: GatewaySettings, keys_file: Path
) -> None:
    """Whichever of its keys they stand at; one alone and in a batch."""
    taken: list[Entry] = []
    bodies = [HELLO | {"domain": "math"}, HELLO]
    for name in ("alice-all", "bob-all"):
        await http.post("/v1/submissions", json=bodies[0], headers=key(name))
        await http.post("/v1/batches", json={"submissions": bodies}, headers=key(name))
    async with worker(settings.redis_url, settings.queue, taken=taken):
        await until(lambda: _have(taken, 6))
    weights = {(entry.tenant, entry.domain, entry.weight, entry.domain_weight) for entry in taken}
    assert weights == {
        ("alice", "math", 3.0, 0.5),
        ("alice", "code", 3.0, 1.0),
        ("bob", "math", 1.0, 1.0),
        ("bob", "code", 1.0, 1.0),
    }


async def _have(taken: list[Entry], count: int) -> bool:
    return len(taken) >= count


async def test_health_needs_no_key(http: httpx.AsyncClient) -> None:
    for path in ("/healthz", "/readyz", "/metrics", "/", "/docs", "/openapi.json"):
        assert (await http.get(path)).status_code == 200


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("{}", "list"),
        ("- {tenant: a, scopes: [read]}", "key_sha256"),
        ("- {tenant: a, key_sha256: abc, scopes: [read]}", "key_sha256"),
        (f"- {{tenant: a, key_sha256: {'0' * 64}, scopes: [write]}}", "scopes"),
        (f"- {{tenant: a, key_sha256: '{'0' * 64}', scopes: []}}", "scopes"),
        (f"- &k {{tenant: a, key_sha256: '{'0' * 64}', scopes: [read]}}\n- *k", "twice"),
        (f"- {{tenant: a, key_sha256: '{'0' * 64}', scopes: [read], weight: 0}}", "weight"),
        (f"- {{tenant: a, key_sha256: '{'0' * 64}', scopes: [read], domain_weights: {{Math: 1}}}}", "domain_weights"),
        (
            f"- {{tenant: a, key_sha256: '{'0' * 64}', scopes: [read], weight: 1}}\n"
            f"- {{tenant: a, key_sha256: '{'1' * 64}', scopes: [read], weight: 2}}",
            "tenant a name different weights",
        ),
        ("- [", "keys.yaml"),
    ],
)
def test_bad_keys_files(tmp_path: Path, content: str, named: str) -> None:
    path = tmp_path / "keys.yaml"
    path.write_text(content)
    with pytest.raises(ValueError, match=named):
        auth.load(path)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_without_keys_only_loopback(host: str, settings: GatewaySettings, keys_file: Path) -> None:
    settings = dataclasses.replace(settings, host=host)
    with pytest.raises(ValueError, match="keys file"):
        build(settings)
    check_bind(dataclasses.replace(settings, keys_file=keys_file))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_loopback_needs_no_keys(host: str, settings: GatewaySettings) -> None:
    check_bind(dataclasses.replace(settings, host=host))


async def test_allowed_hosts(settings: GatewaySettings) -> None:
    with gateway(dataclasses.replace(settings, allowed_hosts=("Box.Example",))) as url:
        async with connected(url) as http:
            assert (await http.get("/healthz", headers={"Host": "box.example:80"})).status_code == 200
            assert (await http.get("/healthz", headers={"Host": "other.example"})).status_code == 400
    with gateway(dataclasses.replace(settings, allowed_hosts=("*",))) as url:
        async with connected(url) as http:
            assert (await http.get("/healthz", headers={"Host": "other.example"})).status_code == 200
