"""The outer wall as a typed plan: what a sandbox sees of the host. Built first, executed later."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

WORK = "/work"
SHARED = "/opt/shared"
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": WORK,
    "LANG": "C.UTF-8",
    "USER": "sandbox",
    # One run owns one core; libraries that start a thread a core only get in their own way.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
}
# The few files of /etc that programs need; /etc/alternatives holds links that numpy's BLAS, java and cc go through.
ETC = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "services", "protocols")
PASSWD = """\
root:x:0:0:root:/nonexistent:/usr/sbin/nologin
sandbox:x:1000:1000:sandbox:/work:/bin/sh
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
"""  # noqa: S105
GROUP = "root:x:0:\nsandbox:x:1000:\nnogroup:x:65534:\n"
HOSTS = "127.0.0.1 localhost\n::1 localhost\n"


@dataclass(frozen=True, slots=True)
class ReadOnlyBind:
    """A file or folder of the host, read-only; left out where the host has none."""

    source: Path
    target: str


@dataclass(frozen=True, slots=True)
class Symlink:
    """A symbolic link."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Folder:
    """An empty folder."""

    target: str


@dataclass(frozen=True, slots=True)
class Data:
    """A small file with the given text."""

    text: str
    target: str


Entry = ReadOnlyBind | Symlink | Folder | Data


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything the outer wall is made of.

    Attributes:
        entries: the root file system, in order; all of it read-only.
        ranged: whether a user namespace with a range of users is handed in.
    """

    entries: tuple[Entry, ...]
    ranged: bool


def host_plan(*, ranged: bool, shared: Path | None = None, root: Path = Path("/")) -> Plan:
    """The wall of a sandbox that uses a root's programs: `/usr` without `/usr/local`, and little else.

    Args:
        ranged: see `Plan`.
        shared: a folder of the host that all programs may read, at `SHARED`.
        root: that of the host, or of an image that was unpacked.
    """
    entries: list[Entry] = [ReadOnlyBind(root / "usr", "/usr"), Folder("/usr/local")]
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        path = root / name
        if path.is_symlink():
            entries.append(Symlink(str(path.readlink()), f"/{name}"))
        elif path.is_dir():
            entries.append(ReadOnlyBind(path, f"/{name}"))
    entries.append(Folder("/etc"))  # by itself, else bubblewrap makes it for root's eyes alone
    # Debian keeps here what java asks for before it runs anything.
    java = sorted(path.name for path in (root / "etc").glob("java-*-openjdk"))
    entries += [ReadOnlyBind(root / "etc" / name, f"/etc/{name}") for name in (*ETC, *java)]
    entries += [Data(PASSWD, "/etc/passwd"), Data(GROUP, "/etc/group"), Data(HOSTS, "/etc/hosts")]
    if shared:
        entries += [Folder("/opt"), ReadOnlyBind(shared, SHARED)]
    entries += [Folder("/tmp"), Folder(WORK), Folder("/dev/shm")]  # noqa: S108
    return Plan(
        tuple(entry for entry in entries if not isinstance(entry, ReadOnlyBind) or entry.source.exists()), ranged
    )


def bwrap_arguments(plan: Plan, userns_fd: int | None, data_fds: list[int]) -> list[str]:
    """The argument list of bubblewrap for a plan.

    Args:
        plan: what to build.
        userns_fd: descriptor of the user namespace to enter; without one bwrap makes one that maps this user as root.
        data_fds: descriptors with the texts of the plan's `Data` entries, in order.
    """
    arguments = [
        "--die-with-parent",
        "--new-session",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
    ]
    arguments += ["--unshare-cgroup-try", "--hostname", "sandbox", "--cap-add", "ALL"]
    arguments += ["--unsetenv", "LD_LIBRARY_PATH"]  # meant for bwrap alone
    # As the namespace's root in either case: init needs it to make the namespaces of each run.
    arguments += (
        ["--userns", str(userns_fd)] if userns_fd is not None else ["--unshare-user", "--uid", "0", "--gid", "0"]
    )
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    texts = iter(data_fds)
    for entry in plan.entries:
        arguments += _argument(entry, texts)
    # Also what bwrap itself made is closed to a run that has init's user (rootless without a range of users).
    return [*arguments, "--remount-ro", "/dev", "--remount-ro", "/"]


def _argument(entry: Entry, texts: object) -> list[str]:
    match entry:
        case ReadOnlyBind(source, target):
            return ["--ro-bind", str(source), target]
        case Symlink(source, target):
            return ["--symlink", source, target]
        case Folder("/usr/local"):
            return ["--tmpfs", "/usr/local", "--remount-ro", "/usr/local"]  # covers the host's
        case Folder(target):
            return ["--dir", target]
        case Data(_, target):
            return ["--perms", "0644", "--ro-bind-data", str(next(texts)), target]  # type: ignore[call-overload]
