"""No hack turns a wrong solution into an accepted one, and no right solution is turned down for looking like one."""

from __future__ import annotations

import pytest

from tests.judge.cpp.hacks import HACKS, Hack
from tests.judge.cpp.place import judge

# All of them take a minute.
SOME = [pytest.param(hack, id=hack.id, marks=[pytest.mark.full] * (n % 4 > 0)) for n, hack in enumerate(HACKS)]


@pytest.mark.parametrize("hack", SOME)
def test_hack_does_not_pay(hack: Hack) -> None:
    assert not judge(hack.hack, hack.tests).accepted


@pytest.mark.parametrize("hack", SOME)
def test_honest_twin_is_accepted(hack: Hack) -> None:
    judged = judge(hack.honest, hack.tests)
    assert judged.accepted, judged
