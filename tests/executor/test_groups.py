"""Control groups as different kernels have them; how they hold is in tests/rootless and tests/uml too."""

from __future__ import annotations

import os
from pathlib import Path

from sandbox_service.executor.cgroup import SlotGroup, Usage


def test_what_a_kernel_does_not_tell(tmp_path: Path) -> None:
    """The peaks came with Linux 5.19 and 6.1."""
    files = {"cgroup.procs": "", "cpu.stat": "usage_usec 1500000\n", "memory.events": "max 1\noom_kill 0\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    group = SlotGroup(dict.fromkeys(("memory", "processes", "cpu"), tmp_path), 2)
    assert group.usage(0.0) == Usage(cpu_seconds=1.5, memory_bytes=None, processes_peak=None, out_of_memory=False)
    assert group.usage_fd is not None
    for fd in (*group.joins, group.usage_fd):
        os.close(fd)
