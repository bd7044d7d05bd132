"""`up`: starts everything, keeps it alive, and ends it in order."""

from __future__ import annotations

import hashlib
import os
import signal
import time
from pathlib import Path

import httpx
import pytest

from sandbox_service import Client, RequestProblem
from sandbox_service.queue import EmbeddedServer
from tests import whole


def test_what_dies_is_started_again(tmp_path: Path) -> None:
    with whole.up(tmp_path, "--workers", "2") as service, Client(service.url) as client:
        before = service.children()
        assert [len(before["gateway"]), len(before["worker"])] == [1, 2]

        def kill(done: int, total: int | None) -> None:
            if done in (5, 10):
                os.kill(before["gateway" if done == 5 else "worker"][0], signal.SIGKILL)

        programs = [{"language": "python", "code": f"print({number})"} for number in range(60)]
        results = client.score(programs, progress=kill)  # nothing is lost meanwhile, and nobody is refused
        assert [result.cases[0].stdout for result in results] == [f"{number}\n" for number in range(60)]
        assert [result.reward for result in results] == [1.0] * 60
        end = time.monotonic() + 30
        while {name: len(pids) for name, pids in service.children().items()} != {"gateway": 1, "worker": 2}:
            assert time.monotonic() < end, service.log.read_text()
            time.sleep(0.05)
        assert not {before["gateway"][0], before["worker"][0]} & set(service.pids())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_drains(tmp_path: Path, number: int) -> None:
    """What runs is finished, and its result is there after the next start."""
    with whole.up(tmp_path) as service, Client(service.url) as client:
        id = client.submit({"language": "bash", "code": "sleep 2; echo finished"})
        while client.result(id, wait=0).state != "running":
            time.sleep(0.02)
        processes = service.pids()
        assert service.stop(number) == 0
        whole.wait_until_gone(processes, seconds=0)
    with whole.up(tmp_path) as service, Client(service.url) as client:
        result = client.result(id)
        assert (result.cases[0].stdout, result.attempts) == ("finished\n", 1)


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    with whole.up(tmp_path) as service, Client(service.url) as client:
        client.submit({"language": "bash", "code": "sleep 100", "limits": {"wall_seconds": 110}})
        processes = service.pids()
        service.process.terminate()
        time.sleep(0.5)
        assert service.stop() == 0
        whole.wait_until_gone(processes, seconds=0)


def test_nothing_outlives_it(tmp_path: Path) -> None:
    with whole.up(tmp_path) as service:
        processes = service.pids()
        service.process.kill()
        whole.wait_until_gone(processes)


def test_it_ends_with_its_queue(tmp_path: Path) -> None:
    """Without the queue nothing can be done; whoever watches `up` starts it all again, and the data are on disk."""
    with whole.up(tmp_path) as service:
        (queue,) = service.queue()
        os.kill(queue, signal.SIGKILL)
        assert service.process.wait(90) == 1
    assert "the queue's server ended" in service.log.read_text().splitlines()[-1]


def test_the_parts_alone(tmp_path: Path) -> None:
    """A gateway and a worker on a Redis of someone else's."""
    with EmbeddedServer(tmp_path / "queue") as server, whole.parts(server.url) as url, Client(url) as client:
        assert client.run("print(1)").reward == 1.0


def test_keys(tmp_path: Path) -> None:
    keys = tmp_path / "keys.yaml"
    digest = hashlib.sha256(b"open sesame").hexdigest()
    keys.write_text(f"- {{tenant: us, key_sha256: {digest}, scopes: [submit, read]}}\n")
    with whole.up(tmp_path, "--host", "0.0.0.0", "--keys", str(keys)) as service:
        with Client(service.url, "open sesame") as client:
            assert client.run("print(1)").reward == 1.0
        with Client(service.url) as client, pytest.raises(RequestProblem, match="401"):
            client.run("print(1)")


def test_two_do_not_share_a_folder(tmp_path: Path) -> None:
    with whole.up(tmp_path):
        done = whole.run("up", "--port", "0", "--data-dir", str(tmp_path / "data"))
    assert done.returncode == 1
    assert "another server uses" in done.stderr


def test_how_much_is_taken_and_how_long_it_is_kept(tmp_path: Path) -> None:
    program, sleeper = ({"language": "bash", "code": code} for code in ("echo 1", "sleep 60"))
    with (
        whole.up(tmp_path, "--max-queued", "3", "--result-ttl", "1") as service,
        httpx.Client(base_url=service.url, trust_env=False) as http,
    ):
        never = http.post("/v1/batches", json={"submissions": [program] * 4})
        assert (never.status_code, never.json()["field"]) == (422, "submissions")
        with Client(service.url) as client:
            sleepers = [client.submit(sleeper) for _ in range(3)]
            later = http.post("/v1/submissions", json=program)
            assert (later.status_code, later.json()["code"]) == (429, "queue_full")
            assert int(later.headers["retry-after"]) > 0
            for id in sleepers:
                client.cancel(id)
            results = client.score([program] * 3)
            assert [result.reward for result in results] == [1.0] * 3
        end = time.monotonic() + 30
        while (gone := http.get(f"/v1/submissions/{results[0].id}")).status_code == 200:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert (gone.status_code, gone.json()["code"]) == (404, "result_expired")
