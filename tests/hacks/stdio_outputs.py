"""Programs that print something which a careless comparison takes for the right output."""

from __future__ import annotations

from tests.hacks import comparers, naive
from tests.hacks.comparers import Comparer
from tests.hacks.hack import Hack, Stdio
from tests.hacks.tasks import DOUBLE, DOUBLE_HONEST, SORTED, SORTED_HONEST

EVERYTHING, NOTHING, ORDER = "every answer at once", "no answer", "order and number"
NUMBERS, BYTES, SPACES, LENGTH = "numbers in other words", "bytes that vanish", "white space", "truncation"

WORDS = Stdio((("3", "10 20 30\n"), ("2", "10 20\n")))
WORDS_HONEST = "print(*(10 * place for place in range(1, int(input()) + 1)))\n"
ROOT = Stdio((("2", "1.4142135\n"), ("9", "3.0\n")), mode="float", tolerance=1e-6)
ROOT_HONEST = "print(int(input()) ** 0.5)\n"
BIG = Stdio((("53", f"{2**53 + 1}\n"), ("60", f"{2**60 + 1}\n")), mode="float", tolerance=1e-6)
TALLY = Stdio((("b a b", "a\nb\nb\n"), ("c c", "c\nc\n")), mode="unordered_lines")
TALLY_HONEST = "print(*input().split(), sep='\\n')\n"
EDGES = Stdio((("1 2", "1 2\n2 3\n"), ("5 9", "5 9\n9 10\n")), mode="unordered_lines")
EDGES_HONEST = "a, b = input().split()\nprint(b, int(b) + 1)\nprint(a, b)\n"
ROWS = Stdio((("4", "0\n" * 3000 + "16\n"), ("5", "0\n" * 3000 + "25\n")))
ROWS_HONEST = "print('0\\n' * 3000, int(input()) ** 2, sep='')\n"
POEM = Stdio(
    (
        ("7", "The quick brown fox jumps over the lazy dog while the answer to all of this is 49\n"),
        ("6", "The quick brown fox jumps over the lazy dog while the answer to all of this is 36\n"),
    ),
    mode="lines",
)
POEM_START = "print('The quick brown fox jumps over the lazy dog while the answer to all of this is',"
POEM_HONEST = f"{POEM_START} int(input()) ** 2)\n"
DECISION = Stdio((("4", "YES\n"), ("7", "NO\n"), ("10", "YES\n")))
DECISION_HONEST = "print('NO' if int(input()) % 2 else 'YES')\n"


def _python(id: str, kind: str, why: str, task: Stdio, hack: str, honest: str, beats: Comparer) -> Hack:
    return Hack(id, kind, "python", task, hack, honest, naive.stdio(beats), why)


PYTHON = [
    _python(
        "print-every-number",
        EVERYTHING,
        "The right one is among them.",
        DOUBLE,
        "print(*range(2000))\n",
        DOUBLE_HONEST,
        comparers.holds_expected,
    ),
    _python(
        "print-both-decisions",
        EVERYTHING,
        "Yes and no.",
        DECISION,
        "print('YES NO')\nprint('NO YES')\n",
        DECISION_HONEST,
        comparers.holds_expected,
    ),
    _python(
        "print-over-and-over",
        EVERYTHING,
        "As a terminal shows it, the last one alone is there; what is kept holds them all.",
        DOUBLE,
        "number = int(input())\nprint('wrong', 2 * number, sep='\\r')\n",
        DOUBLE_HONEST,
        comparers.after_carriage_returns,
    ),
    _python(
        "print-nothing",
        NOTHING,
        "Nothing is part of everything.",
        DOUBLE,
        "pass\n",
        DOUBLE_HONEST,
        comparers.within_expected,
    ),
    _python(
        "print-the-first-line",
        NOTHING,
        "Compared as far as it goes: the smallest is soon found.",
        SORTED,
        "print(min(map(int, input().split())))\n",
        SORTED_HONEST,
        comparers.as_far_as_it_goes,
    ),
    _python(
        "print-each-once",
        ORDER,
        "A set of lines knows nothing of repetitions.",
        TALLY,
        "print(*set(input().split()), sep='\\n')\n",
        TALLY_HONEST,
        comparers.same_line_set,
    ),
    _python(
        "print-across-lines",
        ORDER,
        "The right words, on the wrong lines.",
        EDGES,
        "a, b = input().split()\nprint(a, int(b) + 1)\nprint(b, b)\n",
        EDGES_HONEST,
        comparers.same_word_bag,
    ),
    _python(
        "print-nan",
        NUMBERS,
        "Not further away than the tolerance.",
        ROOT,
        "print('nan')\n",
        ROOT_HONEST,
        comparers.no_further_away,
    ),
    _python(
        "print-neighbour-of-big-integer",
        NUMBERS,
        "As doubles, neighbours are the same.",
        BIG,
        "print(2 ** int(input()))\n",
        "print(2 ** int(input()) + 1)\n",
        comparers.no_further_away,
    ),
    _python(
        "print-underscores",
        NUMBERS,
        "Python reads 1_000 as a number.",
        Stdio((("500", "1000.0\n"), ("1234", "2468.0\n")), mode="float", tolerance=1e-6),
        "print(f'{2 * int(input()):_}.0_0')\n",
        "print(2.0 * int(input()))\n",
        comparers.no_further_away,
    ),
    _python(
        "print-another-alphabet's-digits",
        NUMBERS,
        "Python reads Arabic digits as well.",
        Stdio((("2", "4.5\n"), ("3", "6.5\n")), mode="float", tolerance=1e-6),
        "print(str(2 * int(input()) + 0.5).translate({48 + digit: 0x660 + digit for digit in range(10)}))\n",
        "print(2 * int(input()) + 0.5)\n",
        comparers.no_further_away,
    ),
    _python(
        "print-hexadecimal",
        NUMBERS,
        "The same integer in another base.",
        DOUBLE,
        "print(hex(2 * int(input())))\n",
        DOUBLE_HONEST,
        comparers.same_integers,
    ),
    _python(
        "print-wide-digits",
        NUMBERS,
        "Characters that look alike are made one.",
        DOUBLE,
        "print(str(2 * int(input())).translate({48 + digit: 0xFF10 + digit for digit in range(10)}))\n",
        DOUBLE_HONEST,
        comparers.compatible,
    ),
    _python(
        "print-no-ascii",
        BYTES,
        "What cannot be read is dropped, and what is left is right.",
        DOUBLE,
        """
import sys
sys.stdout.buffer.write(b"\\xff\\xc0\\xb2".join(bytes([digit]) for digit in str(2 * int(input())).encode()) + b"\\n")
""",
        DOUBLE_HONEST,
        comparers.readable_part,
    ),
    _python(
        "print-accents",
        BYTES,
        "A word with a letter that is not in it.",
        DECISION,
        "print('N\\u00e9O' if int(input()) % 2 else 'Y\\u200bES')\n",
        DECISION_HONEST,
        comparers.readable_part,
    ),
    _python(
        "print-past-nul",
        BYTES,
        "The comparison ends at a NUL; the output goes on.",
        DOUBLE,
        "print(2 * int(input()), 'or anything else', sep='\\0')\n",
        DOUBLE_HONEST,
        comparers.up_to_nul,
    ),
    _python(
        "print-unicode-spaces",
        SPACES,
        "One word to whoever splits at ASCII white space.",
        WORDS,
        "print(*(10 * place for place in range(1, int(input()) + 1)), sep='\\u2003')\n",
        WORDS_HONEST,
        comparers.same_words,
    ),
    _python(
        "print-separators-of-old",
        SPACES,
        "File, group, record and unit separators split words in Python.",
        WORDS,
        "print(*(10 * place for place in range(1, int(input()) + 1)), sep='\\x1c')\n",
        WORDS_HONEST,
        comparers.same_words,
    ),
    _python(
        "print-line-separators",
        SPACES,
        "One line to whoever ends lines at line feeds.",
        SORTED,
        "print(*sorted(map(int, input().split())), sep='\\u2028')\n",
        SORTED_HONEST,
        comparers.same_lines,
    ),
    _python(
        "print-vertical-tabs",
        SPACES,
        "As before, with a character that is ASCII.",
        SORTED,
        "print(*sorted(map(int, input().split())), sep='\\v')\n",
        SORTED_HONEST,
        comparers.same_lines,
    ),
    _python(
        "print-the-easy-part",
        LENGTH,
        "What comes after the first kilobytes is not compared.",
        ROWS,
        "print('0\\n' * 3000)\n",
        ROWS_HONEST,
        comparers.first_kilobytes,
    ),
    _python(
        "print-a-flood",
        LENGTH,
        "The start is right, and the rest is more than anyone keeps.",
        ROWS,
        "print('0\\n' * 2_500_000)\n",
        ROWS_HONEST,
        comparers.first_kilobytes,
    ),
    _python(
        "print-nearly-right",
        LENGTH,
        "Much text, and the same but for the answer.",
        POEM,
        f"{POEM_START} 0)\n",
        POEM_HONEST,
        comparers.similar,
    ),
    _python(
        "print-without-capitals",
        BYTES,
        "A letter that case folding turns into two.",
        Stdio((("2", "STRASSE 2\n"), ("3", "STRASSE 3\n"))),
        "print('stra\\u00dfe', input())\n",
        "print('STRASSE', input())\n",
        comparers.case_folded,
    ),
]

OTHERS = [
    Hack(
        "print-every-number-in-cpp",
        EVERYTHING,
        "cpp",
        DOUBLE,
        '#include <cstdio>\nint main() { for (int number = 0; number < 2000; number++) printf("%d\\n", number); }\n',
        '#include <cstdio>\nint main() { int number; scanf("%d", &number); printf("%d\\n", 2 * number); }\n',
        naive.stdio(comparers.holds_expected),
        "The right one is among them.",
    ),
    Hack(
        "print-past-nul-in-javascript",
        BYTES,
        "javascript",
        DOUBLE,
        'const number = +require("fs").readFileSync(0, "utf8");\nconsole.log(`${2 * number}\\0${number}`);\n',
        'console.log(2 * +require("fs").readFileSync(0, "utf8"));\n',
        naive.stdio(comparers.up_to_nul),
        "The comparison ends at a NUL; the output goes on.",
    ),
]

HACKS = [*PYTHON, *OTHERS]
