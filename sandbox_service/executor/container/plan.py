"""A container as a typed plan: what it has and may do. Built first, handed to a runtime later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox_service.contract.data import data_dir
from sandbox_service.executor.plan import ENVIRONMENT
from sandbox_service.policy.seccomp import load_profile, oci_profile

INIT_BYTES, INIT_TASKS = 1 << 30, 16
"""What init may have. Each run has a control group of its own."""
SENTRY_BYTES, SENTRY_TASKS = 8 << 30, 4096
"""What a kernel in user space may have with all that runs on it, before any run has limits."""
CAPABILITIES = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "KILL", "SETGID", "SETPCAP", "SETUID")
"""Init's: to lay and remove files of any user, to become one for good, and to end everyone. Programs have none."""
MASKED = (
    "/dev/mqueue",
    "/proc/acpi",
    "/proc/asound",
    "/proc/cmdline",
    "/proc/config.gz",
    "/proc/diskstats",
    "/proc/interrupts",
    "/proc/kallsyms",
    "/proc/kcore",
    "/proc/key-users",
    "/proc/keys",
    "/proc/latency_stats",
    "/proc/modules",
    "/proc/partitions",
    "/proc/sched_debug",
    "/proc/scsi",
    "/proc/softirqs",
    "/proc/timer_list",
    "/proc/timer_stats",
    "/sys",
)
"""What tells of the host and of its other users."""
READ_ONLY = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")
BOOT = """\
import os, sys
data = b""
while len(data) < 4: data += os.read(0, 4 - len(data)) or sys.exit()
size, data = int.from_bytes(data, "big"), b""
while len(data) < size: data += os.read(0, size - len(data)) or sys.exit()
fd = os.memfd_create("init")
os.write(fd, data)
sys.path.insert(0, "/proc/self/fd/%d" % fd)
from init.contained import main
main()
"""
"""Init comes over standard input, like all else: nothing of ours has to be in an image or on a disk."""


@dataclass(frozen=True, slots=True)
class Bind:
    """A folder of the host and where the container has it."""

    source: Path
    target: str


@dataclass(frozen=True, slots=True)
class ContainerPlan:
    """Everything a container is made of.

    Attributes:
        name: unique among all containers of the host.
        command: its first process.
        binds: all that can be written to.
        seccomp: the outer filter of system calls, as runtimes take it.
        labels: by which it is found again.
        environment: of its first process.
        capabilities: of its first process, without `CAP_`.
        masked: what is covered.
        read_only: what of /proc cannot be written to.
        memory_bytes, processes: most of what is in the container's own control group.
        core_bytes: too little for a file, and the only size for which the kernel starts no helper of the host.
        hostname: its name for programs.
    """

    name: str
    command: tuple[str, ...]
    binds: tuple[Bind, ...]
    seccomp: Mapping[str, Any]
    labels: Mapping[str, str]
    environment: Mapping[str, str]
    capabilities: tuple[str, ...] = CAPABILITIES
    masked: tuple[str, ...] = MASKED
    read_only: tuple[str, ...] = READ_ONLY
    memory_bytes: int = INIT_BYTES
    processes: int = INIT_TASKS
    core_bytes: int = 1
    hostname: str = "sandbox"


def container_plan(name: str, box: Path, labels: Mapping[str, str], *, gvisor: bool) -> ContainerPlan:
    """The plan of a container.

    Args:
        name: see `ContainerPlan`.
        box: the file system of its runs, with the folders `work`, `tmp` and `shm`.
        labels: see `ContainerPlan`.
        gvisor: programs run on a kernel in user space, and not as processes of the host.
    """
    return ContainerPlan(
        name=name,
        command=("/usr/bin/python3", "-I", "-S", "-c", BOOT),
        binds=(Bind(box / "work", "/work"), Bind(box / "tmp", "/tmp"), Bind(box / "shm", "/dev/shm")),  # noqa: S108
        seccomp=outer_filter(),
        labels=labels,
        environment={"PATH": ENVIRONMENT["PATH"]},
        memory_bytes=SENTRY_BYTES if gvisor else INIT_BYTES,
        processes=SENTRY_TASKS if gvisor else INIT_TASKS,
    )


def outer_filter() -> dict[str, Any]:
    """The filter `default` around the whole container, init too, which loads each run's own for programs.

    The strictest answer of all filters counts. So what is to be answered by the one inside passes here: loading it, and
    calls for which it tells init of a violation. The latter want capabilities that nobody in the container has.
    """
    filter = oci_profile(load_profile(data_dir("policies") / "seccomp", "default"))
    rules = []
    for rule in filter["syscalls"]:
        names = [name for name in rule["names"] if name != "seccomp"]
        if names and rule["action"] != "SCMP_ACT_KILL_PROCESS":
            rules.append({**rule, "names": names})
        elif names:
            rules.append({"names": names, "action": "SCMP_ACT_ALLOW"})
    return {**filter, "syscalls": [*rules, {"names": ["seccomp"], "action": "SCMP_ACT_ALLOW"}]}
