"""What the tests of ordinary users share: the copy of the service, and a user of each kind."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.elsewhere.checks import WITHOUT_GROUPS
from tests.rootless import ordinary


@dataclass(frozen=True)
class Kind:
    """What root has given a user, and what cannot be enforced then."""

    subordinates: bool
    groups: bool
    degraded: set[str] = field(default_factory=set)


KINDS = {
    "nothing": Kind(False, False, WITHOUT_GROUPS | {"uid_per_run"}),
    "groups": Kind(False, True, {"uid_per_run"}),
    "subordinates": Kind(True, False, WITHOUT_GROUPS),
    "both": Kind(True, True, set()),
}


@pytest.fixture(scope="session")
def service() -> Iterator[Path]:
    if os.geteuid() != 0:
        pytest.skip("makes users: needs root")
    if missing := [tool for tool in ordinary.TOOLS if not shutil.which(tool)]:
        pytest.skip(f"makes users: needs {', '.join(missing)}")
    with ordinary.service() as folder:
        yield folder


@pytest.fixture(scope="session", params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    kind = KINDS[request.param]
    if kind.groups and len(ordinary.own_groups()) < len(ordinary.CONTROLLERS):
        pytest.skip("delegates control groups of v1, which this host has not; for v2 see tests/uml")
    if kind.subordinates and not shutil.which("newuidmap"):
        pytest.skip("gives subordinate ids: needs the package uidmap")
    return kind


@pytest.fixture(scope="session")
def user(service: Path, kind: Kind) -> Iterator[ordinary.User]:
    with ordinary.user(service, subordinates=kind.subordinates, groups=kind.groups) as user:
        if user.run(ordinary.python(), "-c", "pass").returncode:
            pytest.skip(f"{ordinary.python()} is closed to other users")
        yield user
