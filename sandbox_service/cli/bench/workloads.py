"""What is sent: programs and tests with a known verdict, each time with an input that no service has seen before."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Submission = dict[str, Any]
DOUBLE = "print(int(input())*2)\n"
CPP = """#include <bits/stdc++.h>
int main() {{
    std::vector<long long> numbers(1);
    std::cin >> numbers[0];
    std::map<std::string, long long> table{{{{"sum", numbers[0] * 2}}}};
    std::cout << table["sum"] << std::endl;  // {mark}
}}
"""
NUMPY = "import numpy\nprint(int(numpy.arange(int(input()) + 1).sum()))\n"
LOOP = "n = int(input())\nwhile True: n += 1\n"
SOLUTION = """
def below_zero(operations):
    balance = 0
    for operation in operations:
        balance += operation
        if balance < 0:
            return True
    return False  # {mark}
"""
TESTS = """
def check(candidate):
    assert candidate([]) == False
    assert candidate([1, 2, -3, 1, 2, -3]) == False
    assert candidate([1, 2, -4, 5, 6]) == True
    assert candidate([1, -1, 2, -2, 5, -5, 4, -4]) == False
    assert candidate([1, -1, 2, -2, 5, -5, 4, -5]) == True
    assert candidate([1, -2, 2, -2, 5, -5, 4, -4]) == True


check(below_zero)
"""
LIMIT_SECONDS = 1.0
RL_STEP = "rl-step"
PROMPTS, ROLLOUTS, RL_TESTS, DUPLICATES = 512, 8, 10, 0.4


@dataclass(frozen=True, slots=True)
class Workload:
    """One kind of submission.

    Attributes:
        about: what it is, for people.
        make: the submission of a number.
        verdict: that it must get.
        runs: the most of them that make sense: slow ones are sent less often.
    """

    about: str
    make: Callable[[int], Submission]
    verdict: str = "accepted"
    runs: int = 100_000


def stdio(language: str, code: str, cases: list[tuple[str, str]], **more: Any) -> Submission:
    """A submission with tests of input and output."""
    tests = [{"stdin": given, "expected": expected} for given, expected in cases]
    return {"language": language, "code": code, "task": {"type": "stdio", "cases": tests}, **more}


def _doubles(number: int, count: int = 1) -> list[tuple[str, str]]:
    return [(f"{number + k}\n", f"{2 * (number + k)}\n") for k in range(count)]


def _assertions(number: int) -> Submission:
    return {"language": "python", "code": SOLUTION.format(mark=number), "task": {"type": "assertions", "code": TESTS}}


def _sum_by_numpy(number: int) -> Submission:
    number %= 1_000_000
    return stdio("python", NUMPY, [(f"{number}\n", f"{number * (number + 1) // 2}\n")])


WORKLOADS = {
    "w1": Workload("Python, one test", lambda n: stdio("python", DOUBLE, _doubles(n))),
    "w2": Workload("Python, 20 tests", lambda n: stdio("python", DOUBLE, _doubles(20 * n, 20)), runs=100),
    "w3": Workload("C++17, compiled and run", lambda n: stdio("cpp", CPP.format(mark=n), _doubles(n)), runs=60),
    "w3-cached": Workload("C++17, compiled before", lambda n: stdio("cpp", CPP.format(mark=""), _doubles(n)), runs=200),
    "w4": Workload("Python with numpy", _sum_by_numpy),
    "w5": Workload(
        "endless loop",
        lambda n: stdio("python", LOOP, _doubles(n), limits={"cpu_seconds": LIMIT_SECONDS}),
        "time_limit_exceeded",
        runs=10,
    ),
    "together": Workload(
        "assertions in one process with the solution",
        lambda n: {"language": "python", "code": SOLUTION.format(mark=n) + TESTS},
    ),
    "apart": Workload("the same apart from it", _assertions),
}


def rl_step(scale: int, number: int) -> Iterator[tuple[Submission, str]]:
    """The submissions of one step of a trainer, with their verdicts: one prompt in `scale`; other texts by `number`.

    Of each prompt's rollouts some are the same text: a policy repeats itself. A third of the others are wrong.
    """
    chance = random.Random(number)  # noqa: S311
    for prompt in range(PROMPTS // scale):
        tests = [(f"{number}\n", f"{number + prompt}\n") for number in range(RL_TESTS)]
        for rollout in range(ROLLOUTS):
            same = rollout > 0 and chance.random() < DUPLICATES
            mark = 0 if same else rollout
            wrong = mark % 3 == 2
            code = f"n = int(input())  # {number} {mark}\nprint(n + {prompt + wrong})\n"
            yield stdio("python", code, tests), "wrong_answer" if wrong else "accepted"
