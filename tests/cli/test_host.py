"""What `doctor` says of hosts in all sorts of states: copies of what theirs would show."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox_service.cli import host

GOOD = {
    "proc/sys/user/max_user_namespaces": "1000",
    "sys/fs/cgroup/cgroup.controllers": "cpu memory pids",
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc",
}


def found(folder: Path, files: dict[str, str | None] | None = None, *, user: int = 1000) -> dict[str, host.Finding]:
    for name, text in (GOOD | (files or {})).items():
        if text is not None:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text + "\n")
    return {finding.layer: finding for finding in host.findings(folder, user)}


def test_one_in_order(tmp_path: Path) -> None:
    told = found(tmp_path)
    assert [layer for layer, finding in told.items() if finding.fix and layer != "space"] == []
    assert told["control groups"].detail == "version 2"


@pytest.mark.parametrize(
    ("path", "text", "layer"),
    [
        ("proc/sys/user/max_user_namespaces", "0", "user namespaces"),
        ("proc/sys/user/max_user_namespaces", None, "user namespaces"),
        ("sys/fs/cgroup/cgroup.controllers", "cpu pids", "control groups"),
        ("sys/fs/cgroup/cgroup.controllers", None, "control groups"),
        ("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet", "clock"),
    ],
)
def test_one_that_lacks_something(tmp_path: Path, path: str, text: str | None, layer: str) -> None:
    told = found(tmp_path, {path: text})
    assert [name for name, finding in told.items() if finding.fix and name != "space"] == [layer]


@pytest.mark.parametrize(
    ("path", "text", "layer"),
    [
        ("proc/sys/kernel/unprivileged_userns_clone", "0", "user namespaces"),
        ("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "AppArmor"),
    ],
)
@pytest.mark.parametrize("user", [0, 1000])
def test_what_is_for_root_alone(tmp_path: Path, path: str, text: str, layer: str, user: int) -> None:
    told = found(tmp_path, {path: text}, user=user)
    assert bool(told[layer].fix) == (user != 0)


def test_what_one_may_do_without(tmp_path: Path) -> None:
    without, there = found(tmp_path)["linker"], found(tmp_path, {"usr/bin/mold": ""})["linker"]
    assert "apt-get install mold" in without.detail
    assert there.detail.startswith("mold")
    assert not without.fix + there.fix


def test_groups_side_by_side(tmp_path: Path) -> None:
    for name in ("memory", "unified"):
        (tmp_path / "sys/fs/cgroup" / name).mkdir(parents=True)
    told = found(tmp_path, {"sys/fs/cgroup/cgroup.controllers": None})
    assert told["control groups"] == host.Finding("control groups", "version 1 and 2 side by side")
