"""Submissions whose verdicts are known beforehand: mostly cheap ones, and of each kind of ending some."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Known:
    """A submission, the verdict it must get, and what its only case must have printed (`None`: no matter)."""

    submission: dict[str, Any]
    verdict: str
    stdout: str | None = None

    @property
    def reward(self) -> float:
        return float(self.verdict == "accepted")

    def faults(self, result: dict[str, Any]) -> list[str]:
        """What is wrong with a finished result, if anything."""
        found = {"verdict": (result["verdict"], self.verdict), "reward": (result["reward"], self.reward)}
        if self.stdout is not None:
            found["stdout"] = (result["cases"][0]["stdout"], self.stdout)
        return [f"{name} {is_!r} instead of {should!r}" for name, (is_, should) in found.items() if is_ != should]


def _stdio(language: str, code: str, expected: str, **limits: float) -> dict[str, Any]:
    task = {"type": "stdio", "cases": [{"expected": expected}]}
    return {"language": language, "code": code, "task": task, "limits": limits}


def echo(name: str) -> Known:
    """The cheapest there is."""
    return Known(_stdio("bash", f"echo {name}", f"{name}\n"), "accepted", f"{name}\n")


def wrong(name: str) -> Known:
    return Known(_stdio("bash", f"echo {name}", f"not {name}\n"), "wrong_answer", f"{name}\n")


def python(name: str) -> Known:
    return Known(_stdio("python", f"print('{name}')", f"{name}\n"), "accepted", f"{name}\n")


def sleeper(name: str) -> Known:
    """Long to run, and cheap."""
    return Known(_stdio("bash", f"sleep 0.4; echo {name}", f"{name}\n"), "accepted", f"{name}\n")


def failing(name: str) -> Known:
    return Known(_stdio("bash", f"echo {name}; exit 3", f"{name}\n"), "runtime_error", f"{name}\n")


def endless(name: str) -> Known:
    return Known(_stdio("bash", "while :; do :; done", name, cpu_seconds=0.2), "time_limit_exceeded")


def sleeping_too_long(name: str) -> Known:
    code = f"echo {name}; sleep 60"
    return Known(_stdio("bash", code, f"{name}\n", wall_seconds=0.5), "time_limit_exceeded", f"{name}\n")


def greedy(name: str) -> Known:
    code = f"import sys; print('{name}', flush=True); x = b'x' * (200 << 20)"
    return Known(_stdio("python", code, f"{name}\n", memory_bytes=64 * MIB), "memory_limit_exceeded")


def talkative(name: str) -> Known:
    return Known(_stdio("bash", f"yes {name}", name, output_bytes=10_000), "output_limit_exceeded")


def long_output(name: str) -> Known:
    """Long to judge: a mistake at the very end of many tokens."""
    code = f"for i in range(120000): print(i)\nprint('{name}')"
    expected = "".join(f"{number}\n" for number in range(120_000)) + f"not {name}\n"
    return Known(_stdio("python", code, expected), "wrong_answer")


def compiled(name: str) -> Known:
    """Long to compile."""
    code = f'#include <iostream>\n#include <map>\nint main() {{ std::map<int, int> m; std::cout << "{name}\\n"; }}'
    return Known(_stdio("cpp", code, f"{name}\n"), "accepted", f"{name}\n")


def not_compiling(name: str) -> Known:
    return Known(
        _stdio("cpp", f'#include <cstdio>\nint main() {{ std::puts("{name}") }}', f"{name}\n"), "compile_error"
    )


SHARES: dict[Callable[[str], Known], int] = {
    echo: 600,
    wrong: 120,
    python: 80,
    sleeper: 40,
    failing: 40,
    compiled: 30,
    endless: 20,
    sleeping_too_long: 20,
    long_output: 20,
    not_compiling: 10,
    greedy: 10,
    talkative: 10,
}


def mixed(count: int, seed: int, languages: Iterable[str]) -> list[Known]:
    """So many submissions, the same ones for a seed; of those languages that are there."""
    chance, offered = random.Random(seed), set(languages)
    kinds = [kind for kind in SHARES if kind("").submission["language"] in offered]
    chosen = chance.choices(kinds, [SHARES[kind] for kind in kinds], k=count)
    return [kind(f"{seed}-{number}") for number, kind in enumerate(chosen)]
