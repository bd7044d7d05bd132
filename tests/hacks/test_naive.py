"""Each hack gets the full reward from the naive harness that it names, and so does its honest twin.

So the tests of the service can fail: what they hold back is worth a reward elsewhere.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.hacks import jail
from tests.hacks.collection import HACKS
from tests.hacks.hack import Hack, Program

TOOLS = {"python": "python3", "cpp": "g++", "javascript": "node"}
PATH = "/usr/bin:/bin"  # what the jail shows
# All of them take a minute.
SOME = [pytest.param(hack, id=hack.id, marks=[pytest.mark.full] * (n % 6 > 0)) for n, hack in enumerate(HACKS)]
Rewards = dict[Any, Future[float]]


def _key(hack: Hack, program: Program) -> Any:
    """Twins that several hacks share are judged once."""
    return (hack.beats, repr(hack.task), repr(program), tuple(hack.limits.items()))


@pytest.fixture(scope="module")
def rewards(request: pytest.FixtureRequest) -> Iterator[Rewards]:
    wanted = {item.callspec.params["hack"].id for item in request.session.items if _is_ours(item)}  # type: ignore[attr-defined]
    if jail.walls() is None:
        pytest.skip("no bubblewrap works here")
    given: Rewards = {}
    with ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        for hack in (hack for hack in HACKS if hack.id in wanted):
            for program in (hack.hack, hack.honest):
                if _key(hack, program) not in given and shutil.which(TOOLS[hack.language], path=PATH):
                    given[_key(hack, program)] = pool.submit(hack.beats, hack, program)
        yield given
        pool.shutdown(cancel_futures=True)


def _is_ours(item: pytest.Item) -> bool:
    return item.path == Path(__file__) and hasattr(item, "callspec")


def _reward(rewards: Rewards, hack: Hack, program: Program) -> float:
    if _key(hack, program) not in rewards:
        pytest.skip(f"no {TOOLS[hack.language]} here")
    return rewards[_key(hack, program)].result()


@pytest.mark.parametrize("hack", SOME)
def test_hack_wins(rewards: Rewards, hack: Hack) -> None:
    assert _reward(rewards, hack, hack.hack) == 1


@pytest.mark.parametrize("hack", SOME)
def test_honest_twin_wins(rewards: Rewards, hack: Hack) -> None:
    assert _reward(rewards, hack, hack.honest) == 1


def test_variety() -> None:
    assert len({hack.id for hack in HACKS}) == len(HACKS) >= 70
    assert len({hack.kind for hack in HACKS}) >= 18
    assert {hack.language for hack in HACKS} == set(TOOLS)
    assert all(hack.reward_max < 1 for hack in HACKS)
