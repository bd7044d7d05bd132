"""The real service gives no hack more than what it gets right, and each honest twin the full reward."""

from __future__ import annotations

import functools
import json
import math

import pytest

from sandbox_service import Client, Result
from sandbox_service.client import RequestProblem
from tests import whole
from tests.hacks.collection import HACKS
from tests.hacks.hack import Hack, Program

Results = dict[str, Result]


def _key(hack: Hack, program: Program) -> str:
    return json.dumps(hack.submission(program), sort_keys=True)


def _is_offered(client: Client, hack: Hack) -> bool:
    """Whether this version takes such a task: to go when it takes all types of task and modes of comparison."""
    if hack.language not in (language["id"] for language in client.languages()):
        return False
    try:
        client.submit(hack.submission(hack.honest))
    except RequestProblem as refused:
        if refused.problem.code != "not_offered":
            raise
        return False
    return True


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    with whole.up(tmp_path_factory.mktemp("hacks")) as up, Client(up.url) as client:

        @functools.cache
        def is_offered(language: str, type: str, mode: str) -> bool:
            return _is_offered(client, next(hack for hack in HACKS if _kind_of_task(hack) == (language, type, mode)))

        taken = [hack for hack in HACKS if is_offered(*_kind_of_task(hack))]
        submissions = {_key(hack, program): hack.submission(program) for hack in taken for program in _twins(hack)}
        return dict(zip(submissions, client.score(submissions.values()), strict=True))


def _kind_of_task(hack: Hack) -> tuple[str, str, str]:
    body = hack.task.body()
    return hack.language, body["type"], body.get("compare", {}).get("mode", "")


def _twins(hack: Hack) -> tuple[Program, Program]:
    return hack.hack, hack.honest


def _result(results: Results, hack: Hack, program: Program) -> Result:
    if _key(hack, program) not in results:
        pytest.skip(f"{' '.join(_kind_of_task(hack))} is not offered yet")
    return results[_key(hack, program)]


@pytest.mark.parametrize("hack", HACKS, ids=lambda hack: hack.id)
def test_hack_is_held_back(results: Results, hack: Hack) -> None:
    result = _result(results, hack, hack.hack)
    assert result.state == "finished", result
    if hack.unstoppable and result.verdict == "accepted":
        pytest.xfail("the tests share their process with the solution")
    assert result.verdict != "accepted"
    assert result.reward is not None
    assert math.isfinite(result.reward)
    assert 0 <= result.reward <= hack.reward_max


@pytest.mark.parametrize("hack", HACKS, ids=lambda hack: hack.id)
def test_honest_twin_is_accepted(results: Results, hack: Hack) -> None:
    result = _result(results, hack, hack.honest)
    assert (result.state, result.verdict, result.reward) == ("finished", "accepted", 1.0), result
