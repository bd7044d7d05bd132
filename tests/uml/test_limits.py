"""Limits with control groups v2 alone, in a kernel of their own."""

from __future__ import annotations

import json
import platform
import shutil
from pathlib import Path

import pytest

from tests.elsewhere.checks import Checks, Told
from tests.elsewhere.programs import PROCESSES, runs
from tests.uml import kernel

# As root in the root of all groups; as a user without subordinate ids in a group that is its own.
DEGRADED: dict[str, set[str]] = {"root": set(), "delegated": {"uid_per_run"}}


@pytest.fixture(scope="module", params=[pytest.param("cold", marks=pytest.mark.full), "warm"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a kernel that ran all programs left."""
    if platform.machine() != "x86_64" or not shutil.which(kernel.PROGRAM):
        pytest.skip("needs the package user-mode-linux")
    folder = tmp_path_factory.mktemp("uml")
    (folder / "console").write_text(kernel.boot(folder, runs(warm=request.param == "warm")))
    return folder


@pytest.fixture(scope="module", params=DEGRADED)
def told(request: pytest.FixtureRequest, folder: Path) -> Told:
    name = request.param
    lines = [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().splitlines()]
    assert lines, (folder / f"{name}.log").read_text() + (folder / "console").read_text()
    return Told(lines, DEGRADED[name])


class TestLimits(Checks):
    """Enforced in full."""

    def test_peaks_are_told(self, told: Told) -> None:
        """This kernel tells both."""
        assert [outcome["processes_peak"] for outcome in told.all("forks")] == [PROCESSES] * 2
        assert told.of("memory")["memory_bytes"] is not None
