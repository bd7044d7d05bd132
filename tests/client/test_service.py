"""The SDK on the whole service."""

from __future__ import annotations

import asyncio

import pytest

from sandbox_service import AsyncClient, Client, NotFound, RequestProblem, State, Submission, Verdict


def echo(text: str, expected: str) -> dict[str, object]:
    task = {"type": "stdio", "cases": [{"stdin": text, "expected": expected}]}
    return {"language": "python", "code": "print(input())", "task": task}


def test_run(service_url: str) -> None:
    with Client(service_url) as client:
        result = client.run("import sys; print(sys.stdin.read(), sys.argv[1:])", stdin="in", args=["a b", "ü"])
        assert (result.verdict, result.reward) == (Verdict.ACCEPTED, 1.0)
        assert result.cases[0].stdout == "in ['a b', 'ü']\n"
        files = {"main.sh": "cat other", "other": b"\xff\x00"}
        result = client.run(files=files, entrypoint="main.sh", language="bash", limits={"cpu_seconds": 2})
        assert result.cases[0].stdout_base64 == "/wA="


def test_submit_result_cancel(service_url: str) -> None:
    with Client(service_url) as client:
        first = client.submit(Submission(language="python", code=b"print(6 * 7)"))
        assert client.result(first).cases[0].stdout == "42\n"
        sleeper = client.submit({"language": "bash", "code": "sleep 60", "limits": {"wall_seconds": 100}})
        assert not client.result(sleeper, wait=0).state.ended
        client.cancel(sleeper)
        assert client.result(sleeper, wait=30).state == State.CANCELLED
        with pytest.raises(NotFound):
            client.result("sub_0")


def test_languages(service_url: str) -> None:
    with Client(service_url) as client:
        assert {"bash", "python"} <= {language["id"] for language in client.languages()}


def test_score_keeps_the_order(service_url: str) -> None:
    submissions = [echo(f"{number}", f"{number if number % 3 else 'three'}") for number in range(40)]
    counts: list[int] = []
    with Client(service_url) as client:
        results = client.score(
            iter(submissions), batch_size=7, in_flight=14, progress=lambda done, total: counts.append(done)
        )
    assert [result.cases[0].stdout for result in results] == [f"{number}\n" for number in range(40)]
    assert [result.reward for result in results] == [1.0 if number % 3 else 0.0 for number in range(40)]
    assert counts == list(range(1, 41))


def test_a_wrong_submission(service_url: str) -> None:
    with Client(service_url) as client:
        with pytest.raises(RequestProblem) as caught:
            client.submit({"language": "python", "code": "", "limits": {"cpu_seconds": float("nan")}})
        assert caught.value.problem.field == "limits.cpu_seconds"
        with pytest.raises(RequestProblem) as caught:
            client.score([echo("", ""), echo("", ""), echo("", "") | {"language": "klingon"}], batch_size=2)
        assert (caught.value.problem.field or "").startswith("submissions.2")


async def test_asyncio(service_url: str) -> None:
    async with AsyncClient(service_url) as client:
        results = await asyncio.gather(*(client.run(f"print({number})") for number in range(10)))
        assert [result.cases[0].stdout for result in results] == [f"{number}\n" for number in range(10)]
        assert [result.reward for result in await client.score([echo("a", "a"), echo("a", "b")])] == [1.0, 0.0]
        assert await client.languages()
        id = await client.submit(echo("x", "x"))
        await client.cancel(id)
        assert (await client.result(id)).state.ended
