"""Programs whose output is made for `contains` and `regex`, where patterns and plain text are easily mistaken."""

from __future__ import annotations

from tests.hacks import comparers, naive
from tests.hacks.hack import Hack, Naive, Stdio

PATTERNS = "patterns"
COUNT = Stdio((("3", r"^3 apples\s*$"), ("12", r"^12 apples\s*$")), mode="regex")
COUNT_HONEST = "print(input(), 'apples')\n"
HALVES = Stdio((("15", "7.5"), ("21", "10.5")), mode="contains")
HALVES_HONEST = "print(int(input()) / 2)\n"


def _hack(id: str, why: str, task: Stdio, hack: str, honest: str, beats: Naive) -> Hack:
    return Hack(id, PATTERNS, "python", task, hack, honest, beats, why)


HACKS = [
    _hack(
        "match-on-one-line-of-many",
        "`^` and `$` are meant to be the ends of the output.",
        COUNT,
        "print(*(f'{number} apples' for number in range(100)), sep='\\n')\n",
        COUNT_HONEST,
        naive.stdio(comparers.any_line_matches),
    ),
    _hack(
        "text-read-as-pattern",
        "A full stop stands for any character, where plain text is taken for a pattern.",
        HALVES,
        "number = int(input())\nprint(number // 2, 5, sep='times')\nprint(number // 2, 5, sep=',')\n",
        HALVES_HONEST,
        naive.stdio(comparers.expected_as_pattern),
    ),
    _hack(
        "output-read-as-pattern",
        "A pattern that matches whatever is expected.",
        HALVES,
        "print('.*')\n",
        HALVES_HONEST,
        naive.stdio(comparers.output_as_pattern),
    ),
    _hack(
        "contained-in-expected",
        "A part of what is expected, for whoever asks the wrong way round.",
        HALVES,
        "print(int(input()) // 2)\n",
        HALVES_HONEST,
        naive.stdio(comparers.within_expected),
    ),
]
