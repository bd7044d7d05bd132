"""The outer wall as a plan: needs neither root nor a sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox_service.executor import plan
from sandbox_service.executor.plan import Data, Folder, ReadOnlyBind, Symlink


def pairs(arguments: list[str], option: str, count: int) -> list[tuple[str, ...]]:
    return [tuple(arguments[at + 1 : at + 1 + count]) for at, item in enumerate(arguments) if item == option]


def arguments_of(*entries: plan.Entry, userns: int | None = 7, fds: list[int] | None = None) -> list[str]:
    return plan.bwrap_arguments(plan.Plan(entries, ranged=userns is not None), userns, fds or [])


@pytest.mark.parametrize("userns", [7, None])
def test_every_wall_there_is(userns: int | None) -> None:
    arguments = arguments_of(userns=userns)
    for wall in ("pid", "net", "ipc", "uts"):
        assert f"--unshare-{wall}" in arguments
    assert "--die-with-parent" in arguments
    assert "--new-session" in arguments
    assert pairs(arguments, "--proc", 1) == [("/proc",)]
    assert pairs(arguments, "--dev", 1) == [("/dev",)]


def test_a_user_namespace_in_either_case() -> None:
    ranged, single = arguments_of(userns=7), arguments_of(userns=None)
    assert pairs(ranged, "--userns", 1) == [("7",)]
    assert "--unshare-user" not in ranged
    assert "--userns" not in single
    assert "--unshare-user" in single
    assert pairs(single, "--uid", 1) == pairs(single, "--gid", 1) == [("0",)]


def test_each_entry() -> None:
    entries = (
        ReadOnlyBind(Path("/usr"), "/usr"),
        Symlink("usr/bin", "/bin"),
        Folder("/work"),
        Data("x", "/etc/passwd"),
    )
    arguments = arguments_of(*entries, fds=[11])
    assert pairs(arguments, "--ro-bind", 2) == [("/usr", "/usr")]
    assert pairs(arguments, "--symlink", 2) == [("usr/bin", "/bin")]
    assert ("/work",) in pairs(arguments, "--dir", 1)
    assert pairs(arguments, "--perms", 4) == [("0644", "--ro-bind-data", "11", "/etc/passwd")]


def test_texts_go_to_their_files_in_order() -> None:
    entries = (Data("a", "/a"), Folder("/between"), Data("b", "/b"))
    assert pairs(arguments_of(*entries, fds=[21, 22]), "--ro-bind-data", 2) == [("21", "/a"), ("22", "/b")]


def test_all_is_closed_after_the_last_entry() -> None:
    arguments = arguments_of(Folder("/work"), Data("a", "/a"), fds=[3])
    closing = arguments[arguments.index("/a") + 1 :]
    assert {"/", "/dev"} <= {target for (target,) in pairs(closing, "--remount-ro", 1)}
    assert len(closing) == 2 * closing.count("--remount-ro")


@pytest.mark.parametrize("ranged", [True, False])
def test_nothing_of_the_host_can_be_written_to(ranged: bool) -> None:
    made = plan.host_plan(ranged=ranged)
    arguments = plan.bwrap_arguments(made, 5 if ranged else None, list(range(100, 110)))
    assert not [item for item in arguments if item in ("--bind", "--bind-try", "--dev-bind", "--dev-bind-try")]
    assert made.ranged == ranged


def test_what_the_host_shows() -> None:
    """Programs and the few files that they need: no folder of users, none of the machine's state, no secrets."""
    made = plan.host_plan(ranged=True)
    sources = [entry.source for entry in made.entries if isinstance(entry, ReadOnlyBind)]
    assert sources
    assert Path("/etc") not in sources
    for source in sources:
        assert source.exists()
        assert source.parts[1] in ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "etc"), source
    for name in ("shadow", "ssh", "ssl", "machine-id", "resolv.conf", "hostname", "passwd", "environment"):
        assert Path("/etc", name) not in sources


def test_a_shared_folder_can_be_read_alone(tmp_path: Path) -> None:
    arguments = plan.bwrap_arguments(plan.host_plan(ranged=True, shared=tmp_path), 5, list(range(100, 110)))
    assert [target for source, target in pairs(arguments, "--ro-bind", 2) if source == str(tmp_path)] == [plan.SHARED]


def test_usr_local_is_covered() -> None:
    arguments = plan.bwrap_arguments(plan.host_plan(ranged=True), 5, list(range(100, 110)))
    at = arguments.index("--tmpfs")
    assert arguments[at : at + 4] == ["--tmpfs", "/usr/local", "--remount-ro", "/usr/local"]
    assert at > arguments.index("/usr")


def test_users_of_a_sandbox_are_nobody_of_the_host() -> None:
    made = plan.host_plan(ranged=True)
    texts = {entry.target: entry.text for entry in made.entries if isinstance(entry, Data)}
    assert [line.split(":")[0] for line in texts["/etc/passwd"].splitlines()] == ["root", "sandbox", "nobody"]
    assert all(line.endswith(("nologin", "/bin/sh")) for line in texts["/etc/passwd"].splitlines())
    assert "localhost" in texts["/etc/hosts"]


def test_the_environment_is_the_plans_own() -> None:
    assert plan.ENVIRONMENT["HOME"] == plan.WORK
    assert not [name for name in plan.ENVIRONMENT if "SANDBOX" in name or "REDIS" in name]
