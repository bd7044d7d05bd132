"""Programs that get at the checker: at its files, at its words, at what it cannot stand."""

from __future__ import annotations

from tests.hacks import naive
from tests.hacks.hack import Hack, Naive, Program, Stdio

FILES, CRASHING, WORDS = "rewriting the checker", "crashing the checker", "words of the checker"

FACTORS = """
import json, sys
number = int(open(sys.argv[1]).read())
words = open(sys.argv[2]).read().split()
least = json.load(open(sys.argv[3]))["least"]
if len(words) != 2:
    print("wrong:", *words[:5], "are not two numbers")
    sys.exit(1)
one, other = map(int, words)
right = one >= least and other >= least and one * other == number
print("accepted" if right else "wrong")
sys.exit(0 if right else 1)
"""
FACTOR = Stdio((("15", '{"least": 3}'), ("77", '{"least": 7}')), mode="checker", checker=FACTORS)
FACTOR_HONEST = """
number = int(input())
factor = next(one for one in range(3, number) if number % one == 0)
print(factor, number // factor)
"""

SEEN = """
import sys
count = int(open(sys.argv[1]).read())
numbers = list(map(int, open(sys.argv[2]).read().split()))
seen = [False] * (max(numbers, default=0) + 1)
for number in numbers:
    if number < 1 or number > count or seen[number]:
        sys.exit(1)
    seen[number] = True
sys.exit(0 if len(numbers) == count else 2)
"""
SHUFFLE = Stdio((("3", ""), ("5", "")), mode="checker", checker=SEEN)
SHUFFLE_HONEST = "print(*range(int(input()), 0, -1))\n"

TREE = """
import json, sys
def leaves(tree):
    return 1 if tree is None else sum(map(leaves, tree))
tree = json.load(open(sys.argv[2]))
sys.exit(0 if leaves(tree) == int(open(sys.argv[1]).read()) else 1)
"""
LEAVES = Stdio((("1", "null"), ("4", "[null, null, null, null]")), mode="checker", checker=TREE)
LEAVES_HONEST = "import json\nprint(json.dumps([None] * int(input())))\n"

EASY = {FACTOR.cases: "3 5", SHUFFLE.cases: "1 2 3", LEAVES.cases: "[null]"}


def _hack(
    id: str, kind: str, why: str, hack: Program, beats: Naive, task: Stdio = FACTOR, honest: str = FACTOR_HONEST
) -> Hack:
    return Hack(id, kind, "python", task, hack, honest, beats, why)


def _crash(id: str, why: str, crash: str, task: Stdio = FACTOR, honest: str = FACTOR_HONEST) -> Hack:
    """A program that gets the easy case right, and in the others leaves the checker without an answer."""
    hack = f"import sys\nprint({EASY[task.cases]!r}) if input() == {task.cases[0][0]!r} else {crash}\n"
    beats = naive.checker(naive.crash_is_no_answer)
    return Hack(id, CRASHING, "python", task, hack, honest, beats, why, reward_max=0.5)


HACKS = [
    _hack(
        "rewrite-the-checker",
        FILES,
        "The checker lies beside the program.",
        "open('checker.py', 'w').write('raise SystemExit(0)')\nprint('anything')\n",
        naive.checker(),
    ),
    _hack(
        "rewrite-the-input",
        FILES,
        "The checker is given an input that suits the output.",
        "open('input.txt', 'w').write('10000')\nprint(100, 100)\n",
        naive.checker(),
    ),
    _hack(
        "rewrite-the-expected-file",
        FILES,
        "The checker is told that less will do.",
        "open('expected.txt', 'w').write('{\"least\": 1}')\nprint(1, input())\n",
        naive.checker(),
    ),
    _hack(
        "shadow-the-checker's-library",
        FILES,
        "A module of the name of one that the checker imports.",
        {"main.py": "print('anything')\n", "json.py": "raise SystemExit(0)\n"},
        naive.checker(),
    ),
    _hack(
        "say-what-checkers-say",
        WORDS,
        "The checker repeats what it found wrong; its words are searched for a verdict.",
        "print('ok accepted 1.0 points 100')\n",
        naive.checker(naive.says_accepted),
    ),
    _crash(
        "crash-by-digits-of-a-factor",
        "More digits than Python reads: ValueError.",
        "print('1' * 5000, '7')",
    ),
    _crash(
        "crash-by-no-number",
        "Two words, neither of them a number: ValueError.",
        "print('one', 'other')",
    ),
    _crash(
        "crash-by-undecodable-bytes",
        "UnicodeDecodeError.",
        "sys.stdout.buffer.write(b'\\xff\\xfe 7')",
    ),
    _crash(
        "crash-by-memory",
        "The checker makes room for as much as is printed: MemoryError.",
        "print(10**17)",
        SHUFFLE,
        SHUFFLE_HONEST,
    ),
    _crash(
        "crash-by-negative-place",
        "A list of a negative length is empty, and then there is no such place: IndexError, or not even that.",
        "print(-5, -3)",
        Stdio(SHUFFLE.cases, "checker", SEEN.replace("number < 1 or number > count or ", "")),
        SHUFFLE_HONEST,
    ),
    _crash(
        "crash-by-depth-of-a-tree",
        "RecursionError.",
        "print('[' * 50_000 + ']' * 50_000)",
        LEAVES,
        LEAVES_HONEST,
    ),
    _crash(
        "crash-by-no-tree",
        "`sum` of what is no number: TypeError.",
        "print('{\"a\": 1}')",
        LEAVES,
        LEAVES_HONEST,
    ),
]
