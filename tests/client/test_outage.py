"""A service that is stopped, or killed, in the middle of a scoring and comes back."""

from __future__ import annotations

import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from redis import Redis

from sandbox_service import Client
from tests import whole

WRONG_EACH = 7


def program(number: int) -> dict[str, object]:
    expected = f"{number}\n" if number % WRONG_EACH else "something else\n"
    task = {"type": "stdio", "cases": [{"expected": expected}]}
    return {"language": "bash", "code": f"echo {number}", "task": task}


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


@pytest.mark.parametrize(
    ("number", "count", "seconds"),
    [
        (signal.SIGTERM, 400, 2),
        pytest.param(signal.SIGTERM, 2000, 30, marks=pytest.mark.full),
        pytest.param(signal.SIGKILL, 2000, 30, marks=pytest.mark.full),
    ],
)
def test_a_scoring_goes_on(tmp_path: Path, number: int, count: int, seconds: float) -> None:
    """Nothing is lost, doubled or made a zero."""
    begun, port = threading.Event(), free_port()

    def progress(done: int, total: int | None) -> None:
        if done >= count // 4:
            begun.set()

    with ThreadPoolExecutor(1) as thread, Client(f"http://127.0.0.1:{port}") as client:
        with whole.up(tmp_path, "--port", port) as service:
            scoring = thread.submit(client.score, map(program, range(count)), batch_size=100, progress=progress)
            assert begun.wait(60)
            processes = service.pids() + service.queue()
            service.stop(number)
        whole.wait_until_gone(processes)
        assert not scoring.done()
        time.sleep(seconds)
        with whole.up(tmp_path, "--port", port):
            results = scoring.result(120 + count / 10)
            stats = httpx.get(f"http://127.0.0.1:{port}/v1/stats", trust_env=False).json()
    assert [result.cases[0].stdout for result in results] == [f"{number}\n" for number in range(count)]
    assert [result.reward for result in results] == [1.0 if number % WRONG_EACH else 0.0 for number in range(count)]
    assert len({result.id for result in results}) == count
    right = sum(result.reward == 1.0 for result in results)
    assert stats["verdicts"] == {"accepted": right, "wrong_answer": count - right}  # each ended once


def test_a_service_that_forgot_everything(tmp_path: Path) -> None:
    """Its queue came back without its last data, as after a crash of the machine: what is missing is sent again."""
    count, begun = 200, threading.Event()

    def progress(done: int, total: int | None) -> None:
        if done >= count // 4:
            begun.set()

    with whole.up(tmp_path) as service, Client(service.url) as client, ThreadPoolExecutor(1) as thread:
        scoring = thread.submit(client.score, map(program, range(count)), batch_size=100, progress=progress)
        assert begun.wait(60)
        with Redis.from_url(f"unix://{tmp_path}/data/queue/redis.sock") as redis:
            redis.flushall()
        results = scoring.result(120)
    assert [result.cases[0].stdout for result in results] == [f"{number}\n" for number in range(count)]
    assert [result.reward for result in results] == [1.0 if number % WRONG_EACH else 0.0 for number in range(count)]
