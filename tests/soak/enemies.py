"""Hostile submissions by the thousand: the attacks of tests/attacks, what comes before them, and plain bombs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tests.attacks.attack import Attack
from tests.attacks.catalogue import ATTACKS, filled
from tests.service import test_hostile as bombs

MIB = 1 << 20
STRIDE = 37
REACHED = "REACHED"
WORDS = {"{SECRET}": "/etc/shadow", "{SOCKET}": "/run/service.sock", "{PORT}": "22", "{NAME}": "service"}
"""What a host may have."""
LIMITS: dict[str, Any] = {
    "cpu_seconds": 0.5,
    "wall_seconds": 8.0,
    "memory_bytes": 64 * MIB,
    "processes": 40,
    "disk_bytes": 16 * MIB,
    "output_bytes": 256 * 1024,
}
COMPILE: dict[str, Any] = {"cpu_seconds": 2.0, "memory_bytes": 256 * MIB, "disk_bytes": 32 * MIB}
BOMBS = {
    "c": [bombs.FORK_BOMB, bombs.FLOOD, bombs.DAEMON],
    "python": [bombs.MEMORY_BOMB, bombs.DISK, bombs.INODES, "while True: pass", "import os\nos.kill(0, 19)"],
    "bash": [":(){ :|:& };:", "mkdir -p /tmp/{1..9}/{1..9}/{1..9}; mkfifo out.txt; chmod 0 .", "rm -rf /work/* /tmp/*"],
}


def enemies(count: int, seed: int, languages: set[str]) -> list[dict[str, Any]]:
    """So many submissions, the same for a seed, each kind as often as any other. None may be accepted."""
    kinds = [one for one in _kinds() if one["language"] in languages]
    order = [kinds[STRIDE * number % len(kinds)] for number in range(count)]  # few are of all sorts too
    random.Random(seed).shuffle(order)
    return order


def _kinds() -> Iterator[dict[str, Any]]:
    for attack in ATTACKS:
        language = attack.language.removeprefix("warm ")
        for code in filter(None, (attack.code, attack.before)):
            yield _submission(language, filled(code, WORDS), attack)
    for language, codes in BOMBS.items():
        for code in codes:
            yield _submission(language, code)
    yield _submission("python", "import time\ntime.sleep(1000)") | {"limits": LIMITS | {"wall_seconds": 0.5}}


def _submission(language: str, code: str, attack: Attack | None = None) -> dict[str, Any]:
    own = attack.limits if attack else {}
    compiler = own if attack and attack.kind.startswith("compilers") else {}
    return {
        "language": language,
        "code": code,
        "task": {"type": "stdio", "cases": [{"expected": REACHED}], "compare": {"mode": "contains"}},
        "limits": LIMITS | own | {"compile": COMPILE | compiler},
        "artifacts": list(attack.collect if attack else ["out.txt"]),
        "cache": False,
    }
