"""Hostile programs run beside honest ones, and are cancelled: nobody else notices."""

from __future__ import annotations

import time
from typing import Any

from tests.service import host
from tests.service.conftest import Target

MIB = 1 << 20
CROWD = """
#include <unistd.h>
int main() { for (int i = 1; i < 250; i++) if (fork() == 0) { setsid(); for (;;); } for (;;); }
"""
HOLD = """
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main() { for (;;) { char *p = malloc(1 << 20); if (p) memset(p, 1, 1 << 20); if (fork() == 0) pause(); } }
"""
SOCKETS = """
import os, socket, time
for _ in range(20):
    if os.fork() == 0:
        held = []
        try:
            while True:
                a, b = socket.socketpair(); a.setblocking(False); held += [a, b]
                try:
                    while True: a.send(b"x" * 60000)
                except BlockingIOError: pass
        except OSError:
            time.sleep(1)
        os._exit(0)
time.sleep(2)
"""
FLOOD = "import os\nwhile True: os.write(2, b'x' * 65536)"
HOSTILE: list[dict[str, Any]] = [
    {"language": "c", "code": CROWD, "limits": {"cpu_seconds": 3.0, "processes": 256}},
    {"language": "c", "code": HOLD, "limits": {"cpu_seconds": 3.0, "memory_bytes": 256 * MIB}},
    {"language": "python", "code": SOCKETS, "limits": {"cpu_seconds": 3.0, "open_files": 1024}},
    {"language": "python", "code": FLOOD, "limits": {"cpu_seconds": 3.0}},
]
WORK = "import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end: pass\nprint(sum(range(10)))"
HONEST: dict[str, Any] = {
    "language": "python",
    "code": WORK,
    "limits": {"cpu_seconds": 1.0},
    "task": {"type": "stdio", "cases": [{"expected": "45"}]},
}


def test_neighbours_are_unharmed(target: Target) -> None:
    target.client.run("print(1)")
    mixed = [submission for hostile in HOSTILE for submission in (hostile, HONEST, HONEST, HONEST)]
    results = target.client.score(mixed)
    for number, result in enumerate(results):
        assert result.state == "finished", result
        assert (result.reward == 1.0) == (number % 4 > 0), result
    verdicts = [str(results[number].verdict) for number in range(0, len(mixed), 4)]
    assert verdicts[0] == "time_limit_exceeded"
    assert verdicts[3] == "output_limit_exceeded"


def test_a_cancelled_one_leaves_nothing(target: Target) -> None:
    before = host.busy_then_idle(target.up, target.client)
    code = "import os, time\nfor _ in range(5):\n    if os.fork() == 0: os.setsid()\ntime.sleep(1000)"
    id = target.client.submit({"language": "python", "code": code, "limits": {"wall_seconds": 100}})
    while target.client.result(id, wait=0).state != "running":
        time.sleep(0.02)
    target.client.cancel(id)
    result = target.client.result(id)
    assert (result.state, result.verdict, result.reward) == ("cancelled", None, None)
    target.client.run("print(1)")
    host.wait_until_no_more(target.up, before)
