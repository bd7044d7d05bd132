"""The real service gives no hack more than what it gets right, and each honest twin the full reward."""

from __future__ import annotations

import json
import math

import pytest

from sandbox_service import Client, Result
from tests import whole
from tests.hacks.collection import HACKS
from tests.hacks.hack import Hack, Program

Results = dict[str, Result]


def _key(hack: Hack, program: Program) -> str:
    return json.dumps(hack.submission(program), sort_keys=True)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    with whole.up(tmp_path_factory.mktemp("hacks")) as up, Client(up.url) as client:
        submissions = {_key(hack, program): hack.submission(program) for hack in HACKS for program in _twins(hack)}
        return dict(zip(submissions, client.score(submissions.values()), strict=True))


def _twins(hack: Hack) -> tuple[Program, Program]:
    return hack.hack, hack.honest


@pytest.mark.parametrize("hack", HACKS, ids=lambda hack: hack.id)
def test_hack_is_held_back(results: Results, hack: Hack) -> None:
    result = results[_key(hack, hack.hack)]
    assert result.state == "finished", result
    if hack.unstoppable and result.verdict == "accepted":
        pytest.xfail("the tests share their process with the solution")
    assert result.verdict != "accepted"
    assert result.reward is not None
    assert math.isfinite(result.reward)
    assert 0 <= result.reward <= hack.reward_max


@pytest.mark.parametrize("hack", HACKS, ids=lambda hack: hack.id)
def test_honest_twin_is_accepted(results: Results, hack: Hack) -> None:
    result = results[_key(hack, hack.honest)]
    assert (result.state, result.verdict, result.reward) == ("finished", "accepted", 1.0), result
