"""What holds the programs of an ordinary user's service."""

from __future__ import annotations

import pytest

from tests.elsewhere.checks import Checks, Told
from tests.elsewhere.programs import RUNS
from tests.rootless.conftest import Kind
from tests.rootless.ordinary import User


@pytest.fixture(scope="module")
def told(user: User, kind: Kind) -> Told:
    return Told(user.drive(RUNS), kind.degraded)


class TestLimits(Checks):
    """As each kind of user."""


@pytest.mark.parametrize("kind", ["nothing"], indirect=True)
def test_without_user_namespaces_it_says_why(user: User) -> None:
    """Where none may be made, the executor does not start."""
    forbid = 'echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --ambient-caps -all --inh-caps -all "$@"'
    before = ("unshare", "--user", "--map-current-user", "--keep-caps", "sh", "-c", forbid, "sh")
    (line,) = user.drive(RUNS, *before)
    assert "namespace" in line["start_error"]
