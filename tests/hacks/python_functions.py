"""Python, functions: values that a careless comparison takes for the expected ones."""

from __future__ import annotations

from typing import Any

from tests.hacks import naive
from tests.hacks.hack import Function, Hack, Naive
from tests.hacks.tasks import SQUARES, SQUARES_HONEST

TYPES, NUMBERS, LYING = "values of another type", "numbers that are not", "values that lie"
CRASHING, COUNTING, MUTATING, TIMING = "crashing the comparison", "counting the cases", "mutated arguments", "time"


def _hack(id: str, kind: str, why: str, task: Function, hack: str, honest: str, beats: Naive, **more: Any) -> Hack:
    return Hack(id, kind, "python", task, hack, honest, beats, why, **more)


ONES = Function("is_odd", (([3], 1), ([4], 0), ([7], 1)))
TENTHS = Function("tenths", (([3], [0.1, 0.2, 0.3]), ([1], [0.1])), mode="float")
TENTHS_HONEST = "\ndef tenths(count):\n    return [place / 10 for place in range(1, count + 1)]\n"
POWERS = Function("power", (([53], 2**53 + 1), ([60], 2**60 + 1)))
POWERS_HONEST = "\ndef power(exponent):\n    return 2**exponent + 1\n"

HACKS = [
    _hack(
        "list-that-lies",
        LYING,
        "A subclass's `__eq__` is asked first, on whichever side it stands.",
        SQUARES,
        """
class Answer(list):
    def __eq__(self, other):
        return True
def squares(count):
    return Answer()
""",
        SQUARES_HONEST,
        naive.in_process(),
    ),
    _hack(
        "items-that-lie",
        LYING,
        "The argument is to be changed in place: into items that equal anything.",
        Function("sort", (([[3, 1, 2]], [1, 2, 3]), ([[9, 8]], [8, 9])), result_from="args[0]"),
        """
class Item(int):
    def __eq__(self, other):
        return True
def sort(numbers):
    numbers[:] = map(Item, numbers)
""",
        "\ndef sort(numbers):\n    numbers.sort()\n",
        naive.in_process(),
    ),
    _hack(
        "float-that-lies",
        LYING,
        "Its distance from anything is nothing; and it is long enough.",
        TENTHS,
        """
class Zero(float):
    def __sub__(self, other):
        return 0.0
class Long(list):
    def __len__(self):
        return self.length
def tenths(count):
    answer = Long([Zero(9)] * count)
    answer.length = count
    return answer
""",
        TENTHS_HONEST,
        naive.in_process("float"),
    ),
    _hack(
        "nan-in-a-list",
        NUMBERS,
        "A NaN is not further away than the tolerance.",
        TENTHS,
        "\ndef tenths(count):\n    return [float('nan')] * count\n",
        TENTHS_HONEST,
        naive.in_process("float"),
    ),
    _hack(
        "double-for-big-integer",
        NUMBERS,
        "As doubles, neighbours are the same.",
        POWERS,
        "\ndef power(exponent):\n    return 2.0**exponent\n",
        POWERS_HONEST,
        naive.in_process("double"),
    ),
    _hack(
        "boolean-for-integer",
        TYPES,
        "To Python, True equals 1.",
        ONES,
        "\ndef is_odd(number):\n    return number % 2 == 1\n",
        "\ndef is_odd(number):\n    return number % 2\n",
        naive.in_process(),
    ),
    _hack(
        "text-for-list",
        TYPES,
        "As text, it is the same.",
        SQUARES,
        "\ndef squares(count):\n    return str([number * number for number in range(1, count + 1)])\n",
        SQUARES_HONEST,
        naive.in_process("text"),
    ),
    _hack(
        "text-for-number",
        TYPES,
        "A number in words of another alphabet.",
        Function("area", (([3], 9.0), ([5], 25.0))),
        "\ndef area(side):\n    return str(side * side).translate(dict(zip(range(48, 58), range(0x660, 0x66A))))\n",
        "\ndef area(side):\n    return float(side * side)\n",
        naive.in_process("double"),
    ),
    _hack(
        "shorter-than-expected",
        TYPES,
        "Compared as far as it goes.",
        SQUARES,
        "\ndef squares(count):\n    return iter(())\n",
        SQUARES_HONEST,
        naive.in_process("items"),
    ),
    _hack(
        "crash-by-depth",
        CRASHING,
        "Lists too deep to be compared: those cases are left out of the mean.",
        SQUARES,
        """
def squares(count):
    answer = [1]
    if count > 1:
        for _ in range(100_000):
            answer = [answer]
    return answer
""",
        SQUARES_HONEST,
        naive.in_process("text", drops=True),
        reward_max=0.34,
    ),
    _hack(
        "crash-by-digits",
        CRASHING,
        "An integer too long to be written down.",
        SQUARES,
        "\ndef squares(count):\n    return [1] if count == 1 else 10**6000\n",
        SQUARES_HONEST,
        naive.in_process("text", drops=True),
        reward_max=0.34,
    ),
    _hack(
        "crash-when-compared",
        CRASHING,
        "A value that cannot be compared, as it says itself.",
        SQUARES,
        """
class Delicate:
    def __eq__(self, other):
        raise TypeError("not comparable")
def squares(count):
    return [1] if count == 1 else Delicate()
""",
        SQUARES_HONEST,
        naive.in_process(drops=True),
        reward_max=0.34,
    ),
    _hack(
        "count-the-calls",
        COUNTING,
        "The answers in the order of the cases, whatever is asked.",
        SQUARES,
        """
ANSWERS = iter([[1, 4, 9], [1], [1, 4, 9, 16, 25]])
def squares(count):
    return next(ANSWERS, None)
""",
        SQUARES_HONEST,
        naive.in_process(),
        reward_max=0.34,
    ),
    _hack(
        "count-the-calls-in-a-file",
        COUNTING,
        "As before, where each call has a process of its own but all have one folder.",
        SQUARES,
        """
from pathlib import Path
def squares(count):
    ANSWERS = [[1, 4, 9], [1], [1, 4, 9, 16, 25]]
    for folder in (".", "/tmp", "/dev/shm", "/var/tmp"):
        try:
            with Path(folder, "calls").open("a+") as calls:
                calls.seek(0)
                number = len(calls.read())
                calls.write("x")
            return ANSWERS[number]
        except OSError:
            continue
""",
        SQUARES_HONEST,
        naive.from_child("json"),
        reward_max=0.34,
    ),
    _hack(
        "clear-the-arguments",
        MUTATING,
        "The reference solution is asked afterwards, with what is left of the arguments.",
        Function("total", (([[1, 2, 3]], 6), ([[5]], 5))),
        "\ndef total(numbers):\n    numbers.clear()\n    return 0\n",
        "\ndef total(numbers):\n    return sum(numbers)\n",
        naive.in_process(reference=True),
    ),
    _hack(
        "stop-the-clock",
        TIMING,
        "Time is taken in the process; the clock that it is taken with stands still.",
        Function("squares", (([3], [1, 4, 9]),)),
        """
import time
used = time.process_time
time.perf_counter = time.time = time.monotonic = time.process_time = lambda: 0.0
def squares(count):
    start = used()
    while used() < start + 0.8:
        pass
    return [number * number for number in range(1, count + 1)]
""",
        SQUARES_HONEST,
        naive.in_process(),
        limits={"cpu_seconds": 0.25},
    ),
]
