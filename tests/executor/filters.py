"""The filters of system calls, for tests: those of the policies, and one that lets everything through."""

from __future__ import annotations

import os
import struct

from sandbox_service.contract.data import data_dir
from sandbox_service.policy.seccomp import Profile, compile_bpf, load_profile
from sandbox_service.policy.seccomp.calls import numbers

MACHINE = os.uname().machine
NUMBERS = numbers(MACHINE)
OPEN = struct.pack("=HBBI", 0x06, 0, 0, 0x7FFF0000)
"""No filter at all: what then stops a call is another layer."""


def profile(name: str) -> Profile:
    return load_profile(data_dir("policies") / "seccomp", name)


def filter_of(name: str) -> bytes:
    return compile_bpf(profile(name), MACHINE)
