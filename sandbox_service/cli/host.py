"""What `doctor` finds out about the host itself, before any sandbox is made."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

GIB = 1 << 30
SPACE_BYTES = GIB
LEAST_TIME = 1_767_225_600
"""The start of 2026: no clock that is right shows less."""
SLOW_CLOCKS = {"acpi_pm", "hpet", "jiffies"}
"""A look at these costs a thousand times what one at the others does, and programs look often."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of one layer; `fix` is empty where it is in order."""

    layer: str
    detail: str
    fix: str = ""


def findings(root: Path, user: int) -> Iterator[Finding]:
    """All of them.

    Args:
        root: the host's, or a folder with what is to be told of its `proc` and `sys`.
        user: who the service runs as.
    """
    yield _namespaces(root, user)
    yield _apparmor(root, user)
    yield _groups(root)
    yield _space()
    yield _clock(root)
    yield _linker(root)


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def _namespaces(root: Path, user: int) -> Finding:
    most = _read(root / "proc/sys/user/max_user_namespaces")
    if not most:
        return Finding("user namespaces", "this kernel has none", "boot a kernel built with CONFIG_USER_NS")
    if most == "0":
        return Finding("user namespaces", "forbidden", "sysctl -w user.max_user_namespaces=10000")
    if user != 0 and _read(root / "proc/sys/kernel/unprivileged_userns_clone") == "0":
        return Finding("user namespaces", "for root alone", "sysctl -w kernel.unprivileged_userns_clone=1")
    return Finding("user namespaces", f"up to {most}")


def _apparmor(root: Path, user: int) -> Finding:
    restricted = _read(root / "proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1"
    if restricted and user != 0:
        fix = "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or a profile for bwrap that allows userns"
        return Finding("AppArmor", "takes capabilities away in user namespaces", fix)
    return Finding(
        "AppArmor", "restricts user namespaces, but not root's" if restricted else "does not stand in the way"
    )


def _groups(root: Path) -> Finding:
    mounted = root / "sys/fs/cgroup"
    if (mounted / "cgroup.controllers").exists():
        found = "version 2"
    else:
        found = "version 1 and 2 side by side" if (mounted / "unified").is_dir() else "version 1"
    if not (mounted / "memory").is_dir() and "memory" not in _read(mounted / "cgroup.controllers").split():
        fix = "mount control groups with the memory controller (kernel parameter cgroup_enable=memory)"
        return Finding("control groups", "no memory controller", fix)
    return Finding("control groups", found)


def _space() -> Finding:
    folder = tempfile.gettempdir()
    free = shutil.disk_usage(folder).free
    fix = (
        ""
        if free >= SPACE_BYTES
        else f"free some, or set TMPDIR: the queue's file needs at least {SPACE_BYTES // GIB} GiB"
    )
    return Finding("space", f"{free / GIB:.1f} GiB free in {folder}; programs write to memory alone", fix)


def _clock(root: Path) -> Finding:
    source = _read(root / "sys/devices/system/clocksource/clocksource0/current_clocksource") or "unknown source"
    said = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
    if time.time() < LEAST_TIME:
        return Finding("clock", said, "set the clock: results and keys expire by it")
    fix = "boot with another clocksource (tsc, kvm-clock): times cost programs much" if source in SLOW_CLOCKS else ""
    return Finding("clock", f"{said}, {source}", fix)


def _linker(root: Path) -> Finding:
    if (root / "usr/bin/mold").exists():
        return Finding("linker", "mold: C++ is linked faster")
    return Finding("linker", "the compiler's own; mold (apt-get install mold) would save some 40 ms a C++ program")
