"""A seccomp filter against what no namespace and no control group covers.

Sockets to the hypervisor are in no network namespace; io_uring would make them without a call that a filter sees.
Keys are a user's: they outlive the processes that could reach them. Contexts of asynchronous I/O are counted for the
whole host, which has but a few.

Where runs share their user with their reaper (rootless without a range of users), the kernel tells such processes
apart by their user namespace where one would read or trace the other, but by their user alone where it would signal
it, slow it down or take its resources away. A program that did so would make us fail, and a failure of ours is tried
again instead of getting its verdict.
"""

from __future__ import annotations

import os
import struct

REAPER = 1
"""Its process id, as the run sees it."""
EPERM, ENOSYS, EAFNOSUPPORT = 1, 38, 97
PRIO_USER = 2
X32_BIT = 0x40000000
AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
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
}
"""By system call: its number on x86_64 and on aarch64, and which argument must not have which value."""
SOCKET = (41, 198)
FAMILIES = {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16}
"""Sockets that there are; by netlink libraries ask for interfaces and routes."""
ABSENT = {
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "io_setup": (206, 0),
    "perf_event_open": (298, 241),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}
"""System calls that this kernel then has not, likewise."""
LOAD, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
ALLOW, ERRNO = 0x7FFF0000, 0x00050000


def guard_filter(*, shares_user: bool) -> bytes:
    """The filter for this machine, as an array of `struct sock_filter`.

    Args:
        shares_user: whether runs have the user of their reaper.

    Raises:
        KeyError: an architecture whose system calls are not known here.
    """
    machine = os.uname().machine
    number_offset, architecture_offset = 0, 4
    program = [
        _step(LOAD, architecture_offset),
        _step(IF_EQUAL, AUDIT_ARCHITECTURES[machine], skip_if=1),
        _step(RETURN, ERRNO | ENOSYS),  # the numbers of the 32-bit calls mean others
    ]
    if machine == "x86_64":
        program += [_step(LOAD, number_offset), _step(IF_AT_LEAST, X32_BIT, skip_if_not=1)]
        program += [_step(RETURN, ERRNO | ENOSYS)]
    column = list(AUDIT_ARCHITECTURES).index(machine)
    for *numbers, argument, value in REFUSED.values() if shares_user else ():
        # These are ints for the kernel: the upper half of the register counts for nothing.
        program += [
            _step(LOAD, number_offset),
            _step(IF_EQUAL, numbers[column], skip_if_not=3),
            _step(LOAD, 16 + 8 * argument),
            _step(IF_EQUAL, value, skip_if_not=1),
            _step(RETURN, ERRNO | EPERM),
        ]
    program += [_step(LOAD, number_offset), _step(IF_EQUAL, SOCKET[column], skip_if_not=len(FAMILIES) + 2)]
    program += [_step(LOAD, 16)]
    program += [_step(IF_EQUAL, family, skip_if=len(FAMILIES) - at) for at, family in enumerate(FAMILIES.values())]
    program += [_step(RETURN, ERRNO | EAFNOSUPPORT), _step(LOAD, number_offset)]
    for absent in ABSENT.values():
        program += [_step(IF_EQUAL, absent[column], skip_if_not=1), _step(RETURN, ERRNO | ENOSYS)]
    return b"".join([*program, _step(RETURN, ALLOW)])


def _step(code: int, operand: int, *, skip_if: int = 0, skip_if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", code, skip_if, skip_if_not, operand)
