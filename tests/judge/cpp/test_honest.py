"""What is right stays right, in every dialect that the tests are written for."""

from __future__ import annotations

import pytest

from tests.judge.cpp.honest import HONEST
from tests.judge.cpp.place import judge


@pytest.mark.parametrize("name", HONEST)
def test_honest(name: str) -> None:
    judged = judge(*HONEST[name])
    assert judged.accepted, judged


@pytest.mark.full
@pytest.mark.parametrize("name", HONEST)
@pytest.mark.parametrize("flags", [("-std=c++20", "-O0"), ("-std=c++23", "-O3", "-Wall", "-Wextra")])
def test_honest_in_other_dialects(name: str, flags: tuple[str, ...]) -> None:
    judged = judge(*HONEST[name], flags=flags)
    assert judged.accepted, judged
