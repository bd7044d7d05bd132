"""An ordinary user of this host, made for a test, with or without what root can give it."""

from __future__ import annotations

import json
import os
import pwd
import secrets
import shutil
import site
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sandbox_service
from sandbox_service.executor import cgroup
from tests.elsewhere import driver
from tests.whole import arguments_of

CONTROLLERS = ("memory", "pids", "cpuacct")
# Above the users that a host gives out; below the range that the service takes for itself as root.
FIRST_SUBORDINATE, SUBORDINATES = 1_500_000_000, 65536
TOOLS = ("useradd", "userdel", "usermod", "setpriv")
NOT_NEEDED = ("*mypy*", "hypothesis", "jsonschema_rs", "pip", "ruff*", "schemathesis", "setuptools", "virtualenv")
"""The largest of what the service does without."""
SECONDS, SOON = 120, 5


@dataclass
class User:
    """A user and how commands become its own.

    Attributes:
        name: of the user.
        home: a folder of its own.
        service: a copy of the service that it may read.
        groups: control groups that are the user's.
    """

    name: str
    home: Path
    service: Path
    groups: tuple[Path, ...] = ()

    def run(self, *command: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command of the service's Python as the user, in its control groups."""
        join = 'while [ "$1" != -- ]; do echo 0 > "$1"; shift; done; shift; exec "$@"'
        become = ["setpriv", "--reuid", self.name, "--regid", self.name, "--clear-groups"]
        joins = [str(group / "cgroup.procs") for group in self.groups]
        return subprocess.run(
            ["sh", "-c", join, "sh", *joins, "--", *become, *command],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            cwd=self.home,
            env={
                "PATH": os.defpath,
                "HOME": str(self.home),
                "TMPDIR": str(self.home),
                "PYTHONPATH": f"{self.service}:{self.service / 'packages'}",
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            check=False,
        )

    def drive(self, runs: list[dict[str, Any]], *before: str) -> list[dict[str, Any]]:
        """What the driver tells of these runs."""
        script = str(self.service / "driver.py")
        done = self.run(*before, python(), script, stdin=json.dumps(runs))
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def lingering(self) -> list[list[str]]:
        """The command lines of the user's processes that have not ended soon."""
        deadline = time.monotonic() + SOON
        while True:
            left = [command for pid in _processes_of(pwd.getpwnam(self.name).pw_uid) if (command := arguments_of(pid))]
            if not left or time.monotonic() > deadline:
                return left
            time.sleep(0.05)


def _processes_of(uid: int) -> Iterator[int]:
    for path in Path("/proc").iterdir():
        with suppress(FileNotFoundError):
            if path.name.isdigit() and path.stat().st_uid == uid:
                yield int(path.name)


def python() -> str:
    """The interpreter itself, as the virtual environment may be closed to the user."""
    return os.path.realpath(sys.executable)


@contextmanager
def service() -> Iterator[Path]:
    """A copy of the service, with all that it needs, which every user may read: the original may be closed to them."""
    package = Path(sandbox_service.__file__).parent
    with tempfile.TemporaryDirectory(prefix="sandbox-rootless-") as name:
        folder = Path(name)
        for source in (package, package.parent / "policies", package.parent / "runner_images", Path(driver.__file__)):
            subprocess.run(["cp", "-a", source, folder], check=True)
        shutil.copytree(site.getsitepackages()[0], folder / "packages", ignore=shutil.ignore_patterns(*NOT_NEEDED))
        subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
        yield folder


@contextmanager
def user(service: Path, *, subordinates: bool = False, groups: bool = False) -> Iterator[User]:
    """A user with a home; at the end nothing of it may be left."""
    name = f"sbx-{secrets.token_hex(4)}"
    home = service / name
    with ExitStack() as stack:
        stack.enter_context(_tables())
        # A system user: others may be given subordinate ids.
        subprocess.run(["useradd", "--system", "--user-group", "--home-dir", home, "--create-home", name], check=True)
        stack.callback(subprocess.run, ["userdel", name], check=True, capture_output=True)
        stack.callback(shutil.rmtree, home)
        if subordinates:
            _give_subordinates(name)
        yield User(name, home, service, stack.enter_context(_groups(name)) if groups else ())


@contextmanager
def _tables() -> Iterator[None]:
    """The files with subordinate ids, which hosts that give none need not have."""
    new = [table for table in (Path("/etc/subuid"), Path("/etc/subgid")) if not table.exists()]
    for table in new:
        table.touch()
    yield
    for table in new:
        table.unlink()


def _give_subordinates(name: str) -> None:
    """Ids for the users of its sandboxes; they go with the user."""
    ids = f"{FIRST_SUBORDINATE}-{FIRST_SUBORDINATE + SUBORDINATES - 1}"
    subprocess.run(["usermod", "--add-subuids", ids, "--add-subgids", ids, name], check=True)


@contextmanager
def _groups(name: str) -> Iterator[tuple[Path, ...]]:
    """A control group of each hierarchy of v1, with all files in it the user's."""
    folders = [group / f"test-{name}" for group in own_groups().values()]
    for folder in folders:
        folder.mkdir()
        for path in (folder, *folder.iterdir()):
            shutil.chown(path, name, name)
    try:
        yield tuple(folders)
    finally:
        for folder in folders:
            _remove(folder)


def own_groups() -> dict[str, Path]:
    """The folders of our own groups by controller, as far as they are v1's."""
    found = cgroup.own_groups()
    return {name: found[name] for name in CONTROLLERS if name in found}


def _remove(folder: Path) -> None:
    """Remove a control group; its last process may have ended a moment ago. What was left in it remains, and fails."""
    deadline = time.monotonic() + SOON
    while True:
        try:
            return folder.rmdir()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
