"""What stands before the policy's filter of system calls where runs share their user with their reaper.

That is so rootless without a range of users. The kernel tells such processes apart by their user namespace where one
would read or trace the other, but by their user alone where it would signal it, slow it down or take its resources
away. A program that did so would make us fail, and a failure of ours is tried again instead of getting its verdict.
"""

from __future__ import annotations

import os
import struct
from functools import lru_cache

from sandbox_service.policy.seccomp import default_bpf

REAPER = 1
"""Its process id, as the run sees it."""
EPERM = 1
PRIO_USER, IOPRIO_WHO_USER = 2, 3
REFUSED = {
    "kill": (62, 129, 0, REAPER),
    "tkill": (200, 130, 0, REAPER),
    "tgkill": (234, 131, 0, REAPER),
    "rt_sigqueueinfo": (129, 138, 0, REAPER),
    "rt_tgsigqueueinfo": (297, 240, 0, REAPER),
    "sched_setparam": (142, 118, 0, REAPER),
    "sched_setscheduler": (144, 119, 0, REAPER),
    "sched_setaffinity": (203, 122, 0, REAPER),
    "sched_setattr": (314, 274, 0, REAPER),
    "prlimit64": (302, 261, 0, REAPER),
    "setpriority": (141, 140, 1, REAPER),
    "setpriority of a user's processes": (141, 140, 0, PRIO_USER),
    "ioprio_set": (251, 30, 1, REAPER),
    "ioprio_set of a user's processes": (251, 30, 0, IOPRIO_WHO_USER),
}
"""By system call: its number on x86_64 and on aarch64, and which argument must not have which value."""
PIDFD_SEND_SIGNAL = 424
"""Refused altogether: a folder of /proc also stands for a process."""
MACHINES = ("x86_64", "aarch64")
LOAD, IF_EQUAL, RETURN, ERRNO = 0x20, 0x15, 0x06, 0x00050000


@lru_cache
def guarded(filter: bytes | None, *, shares_user: bool) -> bytes:
    """The filter of a run for this machine, as an array of `struct sock_filter`.

    Args:
        filter: the policy's; `None` for that of the policy `default`.
        shares_user: whether runs have the user of their reaper.

    Raises:
        ValueError: an architecture whose system calls are not known here.
    """
    filter = default_bpf() if filter is None else filter
    return _guard(MACHINES.index(os.uname().machine)) + filter if shares_user else filter


def _guard(column: int) -> bytes:
    """Steps that only refuse, and else lead on; other architectures' numbers are refused by what follows."""
    number_offset = 0
    program = [
        _step(LOAD, number_offset),
        _step(IF_EQUAL, PIDFD_SEND_SIGNAL, skip_if_not=1),
        _step(RETURN, ERRNO | EPERM),
    ]
    for *numbers, argument, value in REFUSED.values():
        # These are ints for the kernel: the upper half of the register counts for nothing.
        program += [
            _step(LOAD, number_offset),
            _step(IF_EQUAL, numbers[column], skip_if_not=3),
            _step(LOAD, 16 + 8 * argument),
            _step(IF_EQUAL, value, skip_if_not=1),
            _step(RETURN, ERRNO | EPERM),
        ]
    return b"".join(program)


def _step(code: int, operand: int, *, skip_if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", code, 0, skip_if_not, operand)
