"""User namespaces with a range of users, so that every run gets a user of its own and host root is never mapped."""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

CLONE_NEWUSER = 0x10000000
PR_SET_DUMPABLE = 4
RANGE = 65536
# Far above the users of a host and the usual ranges of /etc/subuid.
FIRST_HOST_ID = 0x6A000000


@dataclass(frozen=True, slots=True)
class UserNamespace:
    """A user namespace, kept alive by its descriptor.

    Attributes:
        fd: the descriptor.
        owner: the host user who must start what joins it; `None` is our own.
    """

    fd: int
    owner: int | None

    def close(self) -> None:
        """Let go of the namespace; it ends with its last process."""
        os.close(self.fd)


def make() -> UserNamespace | None:
    """A user namespace with 65536 users; `None` where this user may not have one (rootless without subordinate ids).

    As root the range lies far above all users of the host. bwrap must enter as the first of the
    range: entering as root fails, since root is not mapped.
    """
    if os.geteuid() == 0:
        return _make(FIRST_HOST_ID, _map_as_root)
    if (
        shutil.which("newuidmap")
        and shutil.which("newgidmap")
        and _subordinate("/etc/subuid")
        and _subordinate("/etc/subgid")
    ):
        return _make(None, _map_with_helpers)
    return None


def _make(owner: int | None, map_ids: object) -> UserNamespace | None:
    ready_read, ready_write = os.pipe()
    done_read, done_write = os.pipe()
    holder = os.fork()
    if holder == 0:
        os.close(done_write)  # so that it sees the end of the pipe
        _hold(owner, ready_write, done_read)
    os.close(ready_write)
    os.close(done_read)
    try:
        if os.read(ready_read, 1) != b"1":
            return None
        if not map_ids(holder):  # type: ignore[operator]
            return None
        return UserNamespace(os.open(f"/proc/{holder}/ns/user", os.O_RDONLY | os.O_CLOEXEC), owner)
    finally:
        os.close(ready_read)
        os.close(done_write)  # lets the holder go
        os.waitpid(holder, 0)


def _hold(owner: int | None, ready: int, done: int) -> None:
    """In the holder: make the namespace as its future owner, then wait until it is mapped and opened."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        if owner is not None:
            os.setgroups([])
            os.setresgid(owner, owner, owner)
            os.setresuid(owner, owner, owner)
            libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # else its files in /proc belong to root
        made = libc.unshare(CLONE_NEWUSER) == 0
        os.write(ready, b"1" if made else b"0")
        os.close(ready)
        os.read(done, 1)
    finally:
        os._exit(0)


def _map_as_root(holder: int) -> bool:
    for name in ("uid_map", "gid_map"):
        Path(f"/proc/{holder}/{name}").write_text(f"0 {FIRST_HOST_ID} {RANGE}")
    return True


def _map_with_helpers(holder: int) -> bool:
    for tool, own, table in (("newuidmap", os.geteuid(), "/etc/subuid"), ("newgidmap", os.getegid(), "/etc/subgid")):
        first = _subordinate(table)
        command = [tool, str(holder), "0", str(own), "1", "1", str(first), str(RANGE - 1)]
        if subprocess.run(command, check=False, capture_output=True).returncode:
            return False
    return True


def _subordinate(table: str) -> int | None:
    """The first id of a large enough range that /etc/subuid or /etc/subgid gives this user."""
    user = os.geteuid()
    names = {str(user)}
    with suppress(KeyError):  # some users have no name
        names.add(pwd.getpwuid(user).pw_name)
    try:
        lines = Path(table).read_text().split()
    except OSError:
        return None
    for line in lines:
        name, _, rest = line.partition(":")
        first, _, count = rest.partition(":")
        if name in names and count.isdigit() and int(count) >= RANGE - 1:
            return int(first)
    return None
