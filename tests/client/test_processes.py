"""One client in many places: threads, event loops, notebooks, and processes made by fork and by spawn."""

from __future__ import annotations

import asyncio
import copy
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from sandbox_service import AsyncClient, Client, Result

CHILDREN, RUNS = 3, 4
Kinds = pytest.mark.parametrize("kind", [Client, AsyncClient])


def outputs(client: Client | AsyncClient, name: str) -> list[str]:
    """What programs of this name print, run one by one and in a batch."""
    codes = [f"echo {name} {number}" for number in range(RUNS)]
    programs = [{"language": "bash", "code": code} for code in codes]
    if isinstance(client, Client):
        results = [client.run(code, language="bash") for code in codes] + client.score(programs)
    else:
        results = asyncio.run(_outputs(client, codes, programs))
    return [result.cases[0].stdout for result in results]


async def _outputs(client: AsyncClient, codes: list[str], programs: list[dict[str, str]]) -> list[Result]:
    ran = await asyncio.gather(*(client.run(code, language="bash") for code in codes))
    return [*ran, *await client.score(programs)]


def expected(name: str) -> list[str]:
    return [f"{name} {number}\n" for number in range(RUNS)] * 2


@Kinds
def test_threads(service_url: str, kind: type[Client | AsyncClient]) -> None:
    client = kind(service_url)
    names = [f"thread-{number}" for number in range(CHILDREN)]
    with ThreadPoolExecutor(CHILDREN) as threads:
        assert list(threads.map(outputs, [client] * CHILDREN, names)) == [expected(name) for name in names]
    if isinstance(client, Client):
        client.close()


@Kinds
def test_spawn(service_url: str, kind: type[Client | AsyncClient]) -> None:
    """A client goes to the new process as its settings."""
    client = kind(service_url)
    assert outputs(client, "parent") == expected("parent")
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(outputs, client, "spawned").result(60) == expected("spawned")
    assert outputs(client, "parent") == expected("parent")
    if isinstance(client, Client):
        client.close()


# In a process of its own, so that a fork takes along what a trainer's would, and nothing of pytest's.
FORK = f"""
import os, sys
from sandbox_service import AsyncClient, Client
from tests.client.test_processes import expected, outputs

client = {{"Client": Client, "AsyncClient": AsyncClient}}[sys.argv[1]](sys.argv[2])
assert outputs(client, "before") == expected("before")  # there is an open connection now, which all would use
children = []
for number in range({CHILDREN}):
    if (pid := os.fork()) == 0:
        name = f"child-{{number}}"
        assert outputs(client, name) == expected(name), outputs(client, name)
        os._exit(42)
    children.append(pid)
assert outputs(client, "parent") == expected("parent")
print([os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children])
"""


@Kinds
def test_fork(service_url: str, kind: type[Client | AsyncClient]) -> None:
    """Parent and children go on at the same time, each with connections of its own."""
    command = [sys.executable, "-c", FORK, kind.__name__, service_url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == (f"{[42] * CHILDREN}\n", "")


def test_a_fork_while_another_thread_counts_a_failure() -> None:
    """The lock of the breaker is held at that moment, and nobody in the child would ever give it back."""
    client = Client("http://127.0.0.1:1")
    held, forked = threading.Event(), threading.Event()

    def hold() -> None:
        with client._breaker._lock:
            held.set()
            forked.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(30)
    if (pid := os.fork()) == 0:
        signal.alarm(30)  # instead of waiting for ever
        client._breaker._heard(None)
        os._exit(42)
    forked.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 42


async def test_a_notebook(service_url: str) -> None:
    """The waiting client inside a running event loop, next to the other one."""
    programs = [{"language": "bash", "code": "echo 1"}] * RUNS
    with Client(service_url) as client:
        assert client.run("print(1)").reward == 1.0
        assert [result.reward for result in client.score(programs)] == [1.0] * RUNS
    async with AsyncClient(service_url) as aclient:
        assert [result.reward for result in await aclient.score(programs)] == [1.0] * RUNS


@Kinds
def test_what_a_copy_takes_along(kind: type[Client | AsyncClient], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SANDBOX_KEY", raising=False)
    client = kind("http://127.0.0.1:1", "key", patience=7.0)
    for other in (pickle.loads(pickle.dumps(client)), copy.deepcopy(client)):
        assert type(other) is kind
        assert other._config == client._config
        assert other._breakers == {}
