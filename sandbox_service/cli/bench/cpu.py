"""CPU time of each part of a service that this process has started."""

from __future__ import annotations

import os
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")
PARTS = ("client", "gateway", "worker", "queue", "sandboxes")


def by_part() -> dict[str, float]:
    """CPU seconds so far: ours as the client's, and those of the processes below this one.

    Of a sandbox's programs, which are gone, their parent knows.
    """
    parts = dict.fromkeys(PARTS, 0.0)
    known = processes()
    for pid, (_, own, gone) in known.items():
        if part := _part(pid, known):
            parts[part] += own + (gone if part == "sandboxes" else 0.0)
    return parts


def processes() -> dict[int, tuple[int, float, float]]:
    """Of all processes: parent, CPU seconds, and those of the children that it has waited for."""
    found = {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                fields = (path / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            own, gone = (sum(map(int, fields[at : at + 2])) / TICK for at in (11, 13))
            found[int(path.name)] = (int(fields[1]), own, gone)
    return found


def _part(pid: int, known: dict[int, tuple[int, float, float]]) -> str | None:
    """To which part a process belongs: it is told by our own child above it, or that child itself."""
    line = [pid]
    while line[-1] in known and line[-1] != os.getpid():
        line.append(known[line[-1]][0])
    if line[-1] != os.getpid():
        return None
    if len(line) == 1:
        return "client"
    try:
        command = Path(f"/proc/{line[-2]}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return None
    for name in ("gateway", "worker"):
        if name.encode() in command:
            return "sandboxes" if len(line) > 2 else name
    return "queue" if len(line) == 2 else None
