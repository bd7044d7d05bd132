"""What holds the programs of an ordinary user's service."""

from __future__ import annotations

import pytest

from tests.elsewhere.checks import Checks, Told
from tests.elsewhere.programs import RUNS, runs
from tests.rootless.conftest import Kind
from tests.rootless.ordinary import User


@pytest.fixture(scope="module", params=[pytest.param("cold", marks=pytest.mark.full), "warm"])
def told(request: pytest.FixtureRequest, user: User, kind: Kind) -> Told:
    told = Told(user.drive(runs(warm=request.param == "warm")), kind.degraded)
    assert told.of("ids")["warm"] == (request.param == "warm")
    return told


class TestLimits(Checks):
    """As each kind of user."""


@pytest.mark.parametrize("kind", ["nothing"], indirect=True)
@pytest.mark.parametrize("allowed", [0, 1])
def test_without_user_namespaces_it_says_why(user: User, allowed: int) -> None:
    """Where there may be none, or but the sandbox's and not the run's as well, the executor does not start."""
    forbid = f"echo {allowed} > /proc/sys/user/max_user_namespaces"
    forbid += ' && exec setpriv --ambient-caps -all --inh-caps -all "$@"'
    before = ("unshare", "--user", "--map-current-user", "--keep-caps", "sh", "-c", forbid, "sh")
    (line,) = user.drive(RUNS, *before)
    assert "namespace" in line["start_error"]
