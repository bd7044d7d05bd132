"""What the SDK does when the service is in trouble: over real connections."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from sandbox_service import AsyncClient, Client, NotFound, RequestProblem, State, Unavailable, UnexpectedAnswer
from tests.client.server import Answer, Cut, Seen, answer, problem, result_line, serving

PROGRAM = {"language": "python", "code": "print(1)"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def finished(id: str = "sub_1") -> dict[str, object]:
    return {"id": id, "state": "finished", "verdict": "accepted", "reward": 1.0}


def test_a_lost_connection_goes_on_from_the_last_cursor() -> None:
    def lines(after: str | None) -> Iterator[bytes]:
        if after is None:
            yield result_line(2) + b"\n" + result_line(0)
            yield result_line(1)[:20]
            raise Cut
        yield result_line(0) + result_line(1)  # one comes twice: it counts once

    def answers(seen: Seen) -> Answer:
        if seen.method == "POST":
            return answer(202, {"id": "bat_1", "total": 3})
        return Answer(200, lines(seen.query.get("after")))

    counts: list[tuple[int, int | None]] = []
    with serving(answers) as (url, seen), Client(url) as client:
        results = client.score([PROGRAM] * 3, progress=lambda done, total: counts.append((done, total)))
    assert [result.id for result in results] == ["sub_0", "sub_1", "sub_2"]
    assert [request.query.get("after") for request in seen[1:]] == [None, "c0"]
    assert counts == [(1, 3), (2, 3), (3, 3)]


def test_a_full_queue_is_asked_again_with_the_same_key() -> None:
    def answers(seen: Seen) -> Answer:
        if len(requests) == 1:
            return problem(429, "queue_full", headers={"Retry-After": "0"})
        return answer(202, {"id": "sub_1", "state": "queued"})

    with serving(answers) as (url, requests), Client(url) as client:
        assert client.submit(PROGRAM) == "sub_1"
    keys = {request.headers["idempotency-key"] for request in requests}
    assert len(requests) == 2
    assert len(keys) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_a_pause_longer_than_the_patience_is_not_begun(status: int) -> None:
    with (
        serving(lambda _: problem(status, "busy", headers={"Retry-After": "3600"})) as (url, seen),
        Client(url) as client,
    ):
        with pytest.raises(Unavailable, match=str(status)):
            client.submit(PROGRAM)
        assert len(seen) == 1


def test_nobody_there() -> None:
    with Client(f"http://127.0.0.1:{free_port()}", patience=0.2) as client:
        with pytest.raises(Unavailable, match="no answer from http"):
            client.languages()
        (result,) = client.score([PROGRAM])
    assert (result.state, result.verdict, result.reward) == (State.FAILED, None, None)
    assert result.infra_error is not None
    assert result.infra_error.retryable


@pytest.mark.parametrize(
    "broken",
    [
        answer(500, {"detail": "oops"}),
        answer(404, {"title": "t", "status": 404, "detail": "gone", "code": "result_expired"}),
        Answer(200, b"<html>"),
        Answer(200, [b"no json\n"]),
        Answer(200, [b'{"index": 0}\n']),
        Answer(200, [b'{"index": 0, "cursor": "c", "id": "s", "state": "odd"}\n']),
    ],
)
def test_a_batch_whose_results_cannot_be_read_has_failed_and_no_reward(broken: Answer) -> None:
    def answers(seen: Seen) -> Answer:
        return answer(202, {"id": "bat_1"}) if seen.method == "POST" else broken

    with serving(answers) as (url, _), Client(url, patience=0.2) as client:
        results = client.score([PROGRAM] * 2)
    assert [(result.state, result.reward) for result in results] == [(State.FAILED, None)] * 2


def test_a_wrong_submission_is_named_by_its_place_among_all() -> None:
    def answers(seen: Seen) -> Answer:
        if seen.method == "GET":
            return Answer(200, [result_line(0), result_line(1)])
        if "odd" in seen.lines[1]:
            return problem(422, "unknown_field", field="submissions.1.odd")
        return answer(202, {"id": "bat_1"})

    with serving(answers) as (url, _), Client(url) as client, pytest.raises(RequestProblem) as caught:
        client.score([PROGRAM, PROGRAM, PROGRAM, PROGRAM | {"odd": 1}], batch_size=2)
    assert caught.value.problem.field == "submissions.3.odd"
    assert caught.value.problem.code == "unknown_field"


def test_refusals() -> None:
    def answers(seen: Seen) -> Answer:
        match seen.path.rpartition("/")[2]:
            case "sub_unknown":
                return problem(404, "not_found")
            case "languages":
                return Answer(403, b"<html>a proxy says no")
        return Answer(200, b"[]")

    with serving(answers) as (url, _), Client(url) as client:
        with pytest.raises(NotFound, match="not_found, HTTP 404"):
            client.result("sub_unknown")
        with pytest.raises(RequestProblem, match="a proxy says no"):
            client.languages()
        with pytest.raises(UnexpectedAnswer):
            client.submit(PROGRAM)


def test_run_polls_until_it_has_ended() -> None:
    def answers(seen: Seen) -> Answer:
        if seen.method == "POST":
            return answer(202, {"id": "sub_1", "state": "queued"})
        return answer(200, finished() if len(requests) == 3 else {"id": "sub_1", "state": "running"})

    with serving(answers) as (url, requests), Client(url) as client:
        assert client.run("print(1)").state == State.FINISHED
    assert [request.path for request in requests[1:]] == ["/v1/submissions/sub_1"] * 2


def test_result_without_waiting_is_asked_for_once() -> None:
    with serving(lambda _: answer(200, {"id": "sub_1", "state": "queued"})) as (url, seen), Client(url) as client:
        assert client.result("sub_1", wait=0).state == State.QUEUED
    assert len(seen) == 1


def test_the_key_is_sent_and_never_shown() -> None:
    with serving(lambda _: answer(200, {"languages": []})) as (url, seen), Client(url, "secret-key") as client:
        assert client.languages() == []
    assert seen[0].headers["authorization"] == "Bearer secret-key"
    assert "secret" not in repr(client) + repr(client._config)


def test_in_flight_is_a_bound_and_the_iterable_is_read_as_needed() -> None:
    read: list[int] = []
    open_now, most, lock = 0, 0, threading.Lock()

    def programs() -> Iterator[dict[str, object]]:
        for number in range(12):
            read.append(number)
            yield PROGRAM

    def results(count: int) -> Iterator[bytes]:
        nonlocal open_now
        ahead.append(len(read))
        with lock:
            open_now -= count
        yield b"".join(map(result_line, range(count)))

    def answers(seen: Seen) -> Answer:
        nonlocal open_now, most
        if seen.method == "GET":
            return Answer(200, results(2))
        with lock:
            open_now += len(seen.lines)
            most = max(most, open_now)
        return answer(202, {"id": "bat_1"})

    ahead: list[int] = []
    with serving(answers) as (url, _), Client(url) as client:
        assert len(client.score(programs(), batch_size=2, in_flight=4)) == 12
    assert most <= 4
    assert ahead[0] <= 6  # at most one more is read than has been sent, to see where a batch ends


def test_one_async_client_in_several_loops_and_threads() -> None:
    with serving(lambda _: answer(200, finished())) as (url, _):
        client = AsyncClient(url)
        states: list[State] = []

        async def twice() -> None:
            results = await asyncio.gather(client.run("1"), client.run("2"))
            states.extend(result.state for result in results)

        asyncio.run(twice())
        threads = [threading.Thread(target=asyncio.run, args=(twice(),)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        asyncio.run(twice())
    assert states == [State.FINISHED] * 10
    assert client._pools == {}  # the loops took their connections with them


async def test_score_inside_a_running_loop() -> None:
    def answers(seen: Seen) -> Answer:
        return answer(202, {"id": "bat_1"}) if seen.method == "POST" else Answer(200, [result_line(0)])

    with serving(answers) as (url, _):
        with Client(url) as client:  # as in a notebook
            assert [result.reward for result in client.score([PROGRAM])] == [1.0]
        async with AsyncClient(url) as aclient:
            assert [result.reward for result in await aclient.score([PROGRAM])] == [1.0]
            assert await aclient.score([]) == []


def test_an_interrupt_ends_the_scoring() -> None:
    def silence() -> Iterator[bytes]:
        yield b"\n"
        asked.set()
        over.wait(60)
        raise Cut

    def answers(seen: Seen) -> Answer:
        return answer(202, {"id": "bat_1"}) if seen.method == "POST" else Answer(200, silence())

    asked, over = threading.Event(), threading.Event()
    code = "import sys; from sandbox_service import Client; Client(sys.argv[1]).score([{}])"
    with serving(answers) as (url, _):
        process = subprocess.Popen([sys.executable, "-c", code, url], stderr=subprocess.PIPE, text=True)
        assert asked.wait(60)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=30)
        over.set()
    assert error.splitlines()[-1] == "KeyboardInterrupt"


def test_an_error_of_the_progress_callback_ends_the_scoring() -> None:
    def answers(seen: Seen) -> Answer:
        return answer(202, {"id": "bat_1"}) if seen.method == "POST" else Answer(200, [result_line(0)])

    def progress(done: int, total: int | None) -> None:
        raise KeyError("mine")

    with serving(answers) as (url, _), Client(url) as client, pytest.raises(KeyError, match="mine"):
        client.score([PROGRAM] * 3, batch_size=1, progress=progress)
