"""The numbers of system calls, by name and architecture, from the kernel's headers.

A table of our own: what a filter means must depend on nothing that a machine happens to have installed.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

MACHINES = ("x86_64", "aarch64")


@cache
def numbers(machine: str) -> dict[str, int]:
    """The system calls of a machine, as `uname -m` calls it.

    Raises:
        ValueError: a machine whose system calls are not known here.
    """
    if machine not in MACHINES:
        raise ValueError(f"the system calls of {machine} are not known, only those of {', '.join(MACHINES)}")
    column = 1 + MACHINES.index(machine)
    rows = (line.split() for line in _table().splitlines())
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


@cache
def names() -> frozenset[str]:
    """All system calls that any of the machines has."""
    return frozenset(line.split()[0] for line in _table().splitlines())


def _table() -> str:
    return resources.files(__package__).joinpath("calls.txt").read_text()
