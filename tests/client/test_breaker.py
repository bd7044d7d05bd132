"""While the service cannot be reached, one request looks for it instead of all."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from sandbox_service import AsyncClient, Client
from sandbox_service.client import _breaker
from sandbox_service.client._breaker import FAILURES, PROBE, Breaker
from sandbox_service.client._core import languages
from sandbox_service.client._retry import Patience
from sandbox_service.client._wire import Lost, Request, Response
from tests.client.server import Answer, Seen, answer, problem, serving

MANY, PROBES = 24, 3


def in_threads(url: str) -> None:
    with Client(url) as client, ThreadPoolExecutor(MANY) as threads:
        for found in [threads.submit(client.languages) for _ in range(MANY)]:
            assert found.result(60) == []


def in_a_loop(url: str) -> None:
    async def all_at_once() -> None:
        async with AsyncClient(url) as client:
            assert await asyncio.gather(*(client.languages() for _ in range(MANY))) == [[]] * MANY

    asyncio.run(all_at_once())


@pytest.mark.parametrize(("run", "status"), [(in_threads, 502), (in_threads, 503), (in_a_loop, 504)])
def test_one_request_looks_for_the_service(
    run: Callable[[str], None], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_breaker, "PROBE_SECONDS", 0.05)
    all_came = threading.Barrier(MANY)

    def answers(request: Seen) -> Answer:
        probes = [one.path for one in seen].count(PROBE.path)
        if request.path == PROBE.path:
            return answer(200 if probes >= PROBES else status, {})
        if probes == 0:
            all_came.wait(30)
        return answer(200, {"languages": []}) if probes >= PROBES else problem(status, "away")

    with serving(answers) as (url, seen):
        run(url)
    paths = [request.path for request in seen]
    assert paths == ["/v1/languages"] * MANY + [PROBE.path] * PROBES + ["/v1/languages"] * MANY


def test_a_service_that_is_full_is_not_away() -> None:
    def answers(request: Seen) -> Answer:
        if len(seen) <= 3 * FAILURES:
            return problem(429, "queue_full", headers={"Retry-After": "0"})
        return answer(202, {"id": "sub_1"})

    with serving(answers) as (url, seen), Client(url) as client:
        assert client.submit({"language": "python", "code": ""}) == "sub_1"
    assert {request.path for request in seen} == {"/v1/submissions"}


def test_waiting_for_room_uses_no_patience_up() -> None:
    patience = Patience(0.0)
    full = Response(429, {"retry-after": "60"}, b"")
    assert [patience.pause(full) for _ in range(3)] == [60.0] * 3


def opened() -> Breaker:
    breaker = Breaker()
    for _ in range(FAILURES):
        assert breaker.state == "closed"
        steps = breaker.guard(languages(60.0))
        assert isinstance(next(steps), Request)
        steps.send(Lost("nobody there"))
    assert breaker.state == "open"
    return breaker


def test_a_probe_that_is_broken_off_leaves_its_place_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_breaker, "PROBE_SECONDS", 0.0)
    breaker = opened()
    first, second, third = (breaker.guard(languages(60.0)) for _ in range(3))
    assert next(first) is PROBE
    assert breaker.state == "half-open"
    assert isinstance(next(second), float)  # it is told of the failure at once, and has patience
    first.close()
    assert breaker.state == "open"
    assert next(third) is PROBE
    assert third.send(Response(401, {}, b"")).path == "/v1/languages"
    assert breaker.state == "closed"


def test_an_answer_to_an_earlier_request_closes_it() -> None:
    breaker = Breaker()
    slow = breaker.guard(languages(60.0))
    assert isinstance(next(slow), Request)
    for _ in range(FAILURES):
        steps = breaker.guard(languages(60.0))
        next(steps)
        steps.send(Lost("nobody there"))
    assert breaker.state == "open"
    with pytest.raises(StopIteration):
        slow.send(Response(200, {}, b'{"languages": []}'))
    assert breaker.state == "closed"
