"""What `doctor` tells an ordinary user: the same as results do under `isolation`."""

from __future__ import annotations

import pytest

from tests.rootless.conftest import Kind
from tests.rootless.ordinary import User, python

LAYERS = {"memory", "delegation", "users"}


@pytest.mark.full
@pytest.mark.parametrize("kind", ["nothing", "groups", "both"], indirect=True)
def test_doctor(user: User, kind: Kind) -> None:
    done = user.run(python(), "-m", "sandbox_service.cli.main", "doctor")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [[cell.strip() for cell in line.split("│")[1:3]] for line in done.stdout.splitlines() if "│" in line]
    expected = {"users"} if "uid_per_run" in kind.degraded else set()
    if "memory" in kind.degraded:
        expected |= {"memory", "delegation"}
    assert {layer for layer, state in rows if state == "degraded"} == expected
    assert {layer for layer, state in rows if state == "ok"} >= LAYERS - expected
