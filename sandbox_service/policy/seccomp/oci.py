"""Filter -> the JSON that container runtimes take (OCI runtime specification; Docker's is the same for what is used).

Two things are coarser there. A call that fails the tests of its group is answered as calls in no group are: libseccomp
has no "else". And a run is ended by the kernel: nobody is told that it was for a call, so a violation is not reported.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from itertools import product
from typing import Any

from sandbox_service.policy.seccomp.source import Condition, Group, Profile

ARCHITECTURES = ["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"]


def oci_profile(profile: Profile) -> dict[str, Any]:
    """The filter as the object `linux.seccomp` of a runtime's configuration."""
    calls: dict[int, list[str]] = {}
    for call, group in profile.groups.items():
        calls.setdefault(id(group), []).append(call)
    groups = {id(group): group for group in profile.groups.values()}
    rules = [rule for key, group in groups.items() for rule in _rules(group, sorted(calls[key]))]
    default = _action(profile.otherwise)
    return {
        "defaultAction": default["action"],
        **({"defaultErrnoRet": default["errnoRet"]} if "errnoRet" in default else {}),
        "architectures": ARCHITECTURES,
        "syscalls": [rule for rule in rules if rule.items() & default.items() != default.items() or "args" in rule],
    }


def _rules(group: Group, names: list[str]) -> Iterator[dict[str, Any]]:
    if not group.allow_if:
        yield {"names": names, **_action(group.answer)}
    for tests in group.allow_if:
        choices = [_comparisons(int(argument[-1]), test) for argument, test in tests.items()]
        for arguments in product(*choices):
            yield {"names": names, **_action("allow"), "args": list(arguments)}


def _action(answer: str) -> dict[str, Any]:
    if answer in ("allow", "kill"):
        return {"action": {"allow": "SCMP_ACT_ALLOW", "kill": "SCMP_ACT_KILL_PROCESS"}[answer]}
    return {"action": "SCMP_ACT_ERRNO", "errnoRet": 0 if answer == "nothing" else getattr(errno, answer)}


def _comparisons(argument: int, test: Condition) -> list[dict[str, Any]]:
    """Comparisons one of which holds where the test does.

    Under a mask always: libseccomp else compares whole registers, and a program sets the half that the kernel ignores.
    """
    bits = [bit for bit in range(63, -1, -1) if test.mask >> bit & 1]
    found = [(test.mask, value) for value in test.any_of] or list(_others(test.none_of, bits, 0, 0))
    return [{"index": argument, "op": "SCMP_CMP_MASKED_EQ", "value": mask, "valueTwo": value} for mask, value in found]


def _others(values: list[int], bits: list[int], mask: int, value: int) -> Iterator[tuple[int, int]]:
    """All but these values, as the fewest pairs of a mask and what is left under it."""
    if not values:
        yield mask, value
    elif bits:
        for side in (0, 1):
            same = [other for other in values if other >> bits[0] & 1 == side]
            yield from _others(same, bits[1:], mask | 1 << bits[0], value | side << bits[0])
