"""Filter -> classic BPF, as the kernel takes it.

Built from its end to its beginning: a jump leads only forward, so its target is always known when the jump is made.
"""

from __future__ import annotations

import errno
import os
import struct
from functools import cache
from itertools import pairwise

from sandbox_service.contract.data import data_dir
from sandbox_service.policy.seccomp.calls import MACHINES, numbers
from sandbox_service.policy.seccomp.source import Condition, Group, Profile, load_profile

AUDIT_ARCHITECTURES = dict(zip(MACHINES, (0xC000003E, 0xC00000B7), strict=True))
X32_BIT = 0x40000000
MAX_STEPS = 4096
LOAD, AND, JUMP, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x54, 0x05, 0x15, 0x35, 0x06
FARTHEST = 255
"""Steps that a conditional jump can leave out; the field has one byte."""
ALLOW, ERRNO, NOTIFY = 0x7FFF0000, 0x00050000, 0x7FC00000
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
"""Where they stand in `struct seccomp_data`; an argument's lower half comes first on both machines."""

Label = int
"""A step, counted from the end of the program."""


def compile_bpf(profile: Profile, machine: str) -> bytes:
    """The filter for a machine, as an array of `struct sock_filter`.

    A call to be killed for is held up until whoever listens to the filter has ended the run: that way it is known, not
    guessed from the number of a signal that any program can send to itself. Where nobody listens it answers ENOSYS.

    Raises:
        ValueError: a machine whose system calls are not known, or a filter larger than the kernel takes.
    """
    program = _Program()
    table = numbers(machine)
    absent, otherwise = program.answer("ENOSYS"), program.answer(profile.otherwise)
    starts = {0: otherwise}
    for call in sorted(profile.groups.keys() & table.keys(), key=table.__getitem__):
        starts |= {table[call]: program.group(profile.groups[call]), table[call] + 1: otherwise}
    starts[X32_BIT] = absent  # on all machines: none has calls of its own there
    program.search(_merged(sorted(starts.items())))
    body = program.add(LOAD, NUMBER)
    # Other architectures' numbers mean other calls.
    program.branch(IF_EQUAL, AUDIT_ARCHITECTURES[machine], body, absent)
    program.add(LOAD, ARCHITECTURE)
    return program.finish()


def _merged(starts: list[tuple[int, Label]]) -> list[tuple[int, Label]]:
    """Without the starts that lead where the one before them does."""
    return [start for before, start in pairwise([(-1, -1), *starts]) if before[1] != start[1]]


@cache
def default_bpf() -> bytes:
    """The filter `default` of this installation, for this machine."""
    return compile_bpf(load_profile(data_dir("policies") / "seccomp", "default"), os.uname().machine)


class _Program:
    def __init__(self) -> None:
        self._steps: list[bytes] = []
        self._answers: dict[str, Label] = {}

    def add(self, code: int, operand: int, skip_if: int = 0, skip_if_not: int = 0) -> Label:
        """Put a step before all others."""
        self._steps.append(struct.pack("=HBBI", code, skip_if, skip_if_not, operand))
        return len(self._steps)

    def branch(self, code: int, operand: int, yes: Label, no: Label) -> Label:
        """Put a conditional jump before all others."""
        yes, no = self._near(yes), self._near(no)
        here = len(self._steps)
        return self.add(code, operand, here - yes, here - no)

    def _near(self, target: Label) -> Label:
        """The target, or where it is far away, a jump to it that is near, also if another step comes between."""
        distance = len(self._steps) - target
        return target if distance < FARTHEST else self.add(JUMP, distance)

    def answer(self, answer: str) -> Label:
        """A step that ends the program with an answer."""
        if answer not in self._answers:
            known = {"allow": ALLOW, "kill": NOTIFY, "nothing": ERRNO}
            value = known[answer] if answer in known else ERRNO | getattr(errno, answer)
            self._answers[answer] = self.add(RETURN, value)
        return self._answers[answer]

    def group(self, group: Group) -> Label:
        """Steps that give the answer of a group."""
        refuse, allow = self.answer(group.answer), self.answer("allow")
        for tests in reversed(group.allow_if):
            met = allow
            for argument, test in reversed(tests.items()):
                met = self._test(int(argument[-1]), test, met, refuse)
            refuse = met
        return refuse

    def _test(self, argument: int, test: Condition, yes: Label, no: Label) -> Label:
        """Steps that look at an argument, one value after the other."""
        found, not_found = (yes, no) if test.any_of else (no, yes)
        for value in reversed(test.any_of or test.none_of):
            equal = found
            for half in (0, 1):
                mask, wanted = test.mask >> 32 * half & 0xFFFFFFFF, value >> 32 * half & 0xFFFFFFFF
                if mask:
                    self.branch(IF_EQUAL, wanted, equal, not_found)
                    if mask != 0xFFFFFFFF:
                        self.add(AND, mask)
                    equal = self.add(LOAD, ARGUMENTS + 8 * argument + 4 * half)
            not_found = equal
        return not_found

    def search(self, starts: list[tuple[int, Label]]) -> Label:
        """Steps that find, by halving, the last start that is not above the number."""
        if len(starts) == 1:
            return starts[0][1]
        middle = len(starts) // 2
        above = self.search(starts[middle:])
        below = self.search(starts[:middle])
        return self.branch(IF_AT_LEAST, starts[middle][0], above, below)

    def finish(self) -> bytes:
        """The program in the order in which it runs."""
        if len(self._steps) > MAX_STEPS:
            raise ValueError(f"the filter has {len(self._steps)} steps, the kernel takes {MAX_STEPS}")
        return b"".join(reversed(self._steps))
