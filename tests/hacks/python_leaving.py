"""Python, assertions: the process ends well before the tests have had their say, or the tests never run."""

from __future__ import annotations

from tests.hacks import naive
from tests.hacks.hack import Assertions, Hack
from tests.hacks.tasks import EVEN, EVEN_HONEST, VOWELS, VOWELS_HONEST, VOWELS_UNITTEST

EARLY, UNREACHED, EXCUSED = "leaving early", "assertions never reached", "errors that excuse"


def _vowels(id: str, why: str, hack: str) -> Hack:
    return Hack(id, EARLY, "python", VOWELS, hack, VOWELS_HONEST, naive.one_file, why)


LEAVING = [
    _vowels(
        "leave-by-thread",
        "A thread ends the process while the call takes its time.",
        """
import os, threading, time
def vowels(text):
    threading.Timer(0.05, os._exit, [0]).start()
    time.sleep(60)
""",
    ),
    _vowels(
        "leave-by-alarm",
        "A signal handler ends the process while the call takes its time.",
        """
import os, signal, time
signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
def vowels(text):
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    time.sleep(60)
""",
    ),
    _vowels(
        "leave-by-exec",
        "The process becomes another program, which succeeds.",
        """
import os
def vowels(text):
    os.execv("/bin/true", ["true"])
""",
    ),
    _vowels(
        "leave-by-quiet-exception",
        "SystemExit is no Exception, and its code is 0.",
        """
class Done(SystemExit):
    code = 0
def vowels(text):
    raise Done(0)
""",
    ),
    _vowels(
        "leave-while-compared",
        "The comparison itself ends the process.",
        """
import os
class Last:
    def __eq__(self, other):
        os._exit(0)
def vowels(text):
    return Last()
""",
    ),
    _vowels(
        "leave-when-collected",
        "The value is dropped when the assertion fails: its finaliser is quicker than the traceback.",
        """
import os
class Last(int):
    def __del__(self):
        os._exit(0)
def vowels(text):
    return Last(-1)
""",
    ),
    _vowels(
        "leave-by-garbage-collector",
        "A callback of the garbage collector ends the process.",
        """
import gc, os
def vowels(text):
    gc.callbacks.append(lambda *_: os._exit(0))
    gc.collect()
    return 0
""",
    ),
    Hack(
        "leave-after-first-round",
        UNREACHED,
        "python",
        Assertions(
            """
def check(candidate):
    for text, want in [("", 0), ("banana", 3), ("queue", 4)]:
        assert candidate(text) == want

check(vowels)
"""
        ),
        """
import os
def vowels(text):
    return 0 if text == "" else os._exit(0)
""",
        VOWELS_HONEST,
        naive.one_file,
        "The one assertion has held once when the process leaves; it stands in a loop that had more to ask.",
    ),
]

NEVER_RUN = [
    Hack(
        "not-the-main-module",
        UNREACHED,
        "python",
        VOWELS_UNITTEST,
        '\n__name__ = "vowels"\ndef vowels(text):\n    return None\n',
        VOWELS_HONEST,
        naive.one_file,
        "The tests run if the module is the main one: it no longer is.",
    ),
    Hack(
        "nothing-to-compare-with",
        UNREACHED,
        "python",
        Assertions("for got, want in zip(countdown(3), [3, 2, 1]):\n    assert got == want\n"),
        "\ndef countdown(start):\n    return []\n",
        "\ndef countdown(start):\n    return list(range(start, 0, -1))\n",
        naive.one_file,
        "`zip` ends with the shorter one, so the loop's assertion is never asked.",
    ),
    Hack(
        "nothing-to-look-through",
        UNREACHED,
        "python",
        Assertions(
            """
for divisor in divisors(12):
    assert 12 % divisor == 0
if divisors(1):
    assert divisors(1) == [1]
"""
        ),
        "\ndef divisors(number):\n    return []\n",
        "\ndef divisors(number):\n    return [one for one in range(1, number + 1) if number % one == 0]\n",
        naive.one_file,
        "No divisor is no wrong divisor.",
    ),
    Hack(
        "tests-in-a-trace",
        UNREACHED,
        "python",
        Assertions('assert vowels("sky") == 0\nassert vowels("banana") == 3\nprint("done")\n'),
        """
import sys
def jump(frame, event, _):
    if event == "line" and frame.f_lineno > here:
        frame.f_lineno = max(line for _, _, line in frame.f_code.co_lines() if line)
    return jump
def vowels(text):
    return None
here = sys._getframe().f_lineno + 2
sys._getframe().f_trace, _ = jump, sys.settrace(lambda *_: None)
pass
""",
        VOWELS_HONEST,
        naive.one_file,
        "A trace function sets the next line of the module: the last one.",
    ),
]

RAISING = [
    Hack(
        "stop-iteration-ends-map",
        EXCUSED,
        "python",
        EVEN,
        """
def is_even(number):
    if number == 10:
        return True
    raise StopIteration
""",
        EVEN_HONEST,
        naive.one_file,
        "StopIteration ends the `map` that calls the function: `all` of nothing holds, `any` of nothing does not.",
    ),
    Hack(
        "missing-package-excuses",
        EXCUSED,
        "python",
        Assertions(
            """
try:
    assert vowels("banana") == 3
    assert vowels("queue") == 4
except ImportError:
    print("skipped: an optional package is missing")
"""
        ),
        "\ndef vowels(text):\n    raise ImportError('no module named vowels')\n",
        VOWELS_HONEST,
        naive.one_file,
        "The tests excuse what lacks a package; the function says that it does.",
    ),
    Hack(
        "all-errors-at-once",
        EXCUSED,
        "python",
        Assertions(
            """
def raises(error, call, *arguments):
    try:
        call(*arguments)
    except error:
        return True
    return False

assert raises(KeyError, fetch, {"a": [1]}, "b", 0)
assert raises(IndexError, fetch, {"a": [1]}, "a", 9)
assert raises(TypeError, fetch, {"a": [1]}, "a", "0")
"""
        ),
        """
class Everything(KeyError, IndexError, TypeError):
    pass
def fetch(items, key, place):
    raise Everything
""",
        "\ndef fetch(items, key, place):\n    return items[key][place]\n",
        naive.one_file,
        "One exception that is of every class, whatever was asked.",
    ),
]

HACKS = [*LEAVING, *NEVER_RUN, *RAISING]
