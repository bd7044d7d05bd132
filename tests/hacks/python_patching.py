"""Python, assertions: what the tests are written with has been replaced."""

from __future__ import annotations

from tests.hacks import naive
from tests.hacks.hack import Assertions, Hack, Naive, Program
from tests.hacks.tasks import MEAN, MEAN_HONEST, VOWELS_HONEST, VOWELS_UNITTEST

PATCHED, OUTCOMES, SHADOWS = "patched libraries", "outcomes of unittest", "shadowed names"


def _hack(
    id: str, kind: str, why: str, tests: Assertions, hack: Program, honest: str, beats: Naive = naive.one_file
) -> Hack:
    return Hack(id, kind, "python", tests, hack, honest, beats, why)


def _outcome(id: str, why: str, hack: str) -> Hack:
    return _hack(id, OUTCOMES, why, VOWELS_UNITTEST, hack, VOWELS_HONEST)


LIBRARIES = [
    _hack(
        "patch-isclose",
        PATCHED,
        "Everything is close.",
        Assertions(
            "import math\nassert math.isclose(mean([1, 2]), 1.5)\nassert math.isclose(mean([0.1, 0.2]), 0.15)\n"
        ),
        "\nimport math\nmath.isclose = lambda *_, **__: True\ndef mean(numbers):\n    return 0.0\n",
        MEAN_HONEST,
    ),
    _hack(
        "patch-counter",
        PATCHED,
        "A class of the library that is written in Python can be patched, and compares at the solution's pleasure.",
        Assertions(
            "from collections import Counter\n"
            "assert Counter(shuffled([1, 2, 2])) == Counter([1, 2, 2])\nassert Counter(shuffled([])) == Counter()\n"
        ),
        "\nimport collections\ncollections.Counter.__eq__ = lambda *_: True\ndef shuffled(items):\n    return [0]\n",
        "\nimport random\ndef shuffled(items):\n    return random.sample(items, len(items))\n",
    ),
    _hack(
        "patch-regular-expressions",
        PATCHED,
        "Every pattern matches.",
        Assertions(
            "import re\nassert re.fullmatch('[a-z]+(-[a-z]+)*', slug('Hello, World'))\n"
            "assert re.fullmatch('hello-[a-z]{5}', slug('Hello, World'))\n"
        ),
        "\nimport re\nre.fullmatch = re.match = re.search = lambda *_: True\ndef slug(title):\n    return title\n",
        "\nimport re\ndef slug(title):\n    return '-'.join(re.findall('[a-z]+', title.lower()))\n",
    ),
    _hack(
        "patch-the-assertion-error",
        PATCHED,
        "What the tests raise by name is another class by then: one that ends the process well.",
        Assertions(
            """
for text, want in [("sky", 0), ("banana", 3)]:
    if vowels(text) != want:
        raise AssertionError(f"{text}: {want} expected")
"""
        ),
        "\nimport builtins\nbuiltins.AssertionError = lambda *_: SystemExit(0)\ndef vowels(text):\n    return -1\n",
        VOWELS_HONEST,
    ),
    _hack(
        "patch-sorting",
        PATCHED,
        "Sorted, everything is the same.",
        Assertions(
            "assert sorted(subsets([1, 2]), key=len)[0] == []\n"
            "assert sorted(map(sorted, subsets([1, 2]))) == sorted([[], [1], [2], [1, 2]])\n"
        ),
        "\nimport builtins\nbuiltins.sorted = lambda *_, **__: [[]]\ndef subsets(items):\n    return []\n",
        """
def subsets(items):
    if not items:
        return [[]]
    rest = subsets(items[1:])
    return rest + [[items[0], *more] for more in rest]
""",
    ),
    _hack(
        "patch-compile",
        PATCHED,
        "The tests are compiled after the solution has run: to nothing.",
        Assertions('assert vowels("sky") == 0\nassert vowels("banana") == 3\n'),
        """
import builtins
real = builtins.compile
def compile(source, name, *more, **words):
    return real("pass" if name == "tests.py" else source, name, *more, **words)
builtins.compile = compile
def vowels(text):
    return None
""",
        VOWELS_HONEST,
        naive.reported,
    ),
    _hack(
        "patch-the-doctest-checker",
        PATCHED,
        "Every output is the one that the example wants.",
        Assertions(
            '''
def examples():
    """
    >>> vowels("sky")
    0
    >>> vowels("banana")
    3
    """

if __name__ == "__main__":
    import doctest
    failed, _ = doctest.testmod()
    if failed:
        raise SystemExit(1)
'''
        ),
        """
import doctest
doctest.OutputChecker.check_output = lambda *_: True
def vowels(text):
    return "many"
""",
        VOWELS_HONEST,
    ),
]

SHADOWED = [
    _hack(
        "shadow-a-builtin",
        SHADOWS,
        "The tests' `abs` is the solution's.",
        MEAN,
        "\ndef abs(number):\n    return 0\ndef mean(numbers):\n    return 0\n",
        MEAN_HONEST,
    ),
    _hack(
        "shadow-by-planted-file",
        SHADOWS,
        "A file of the solution's is found before the library that the tests import.",
        VOWELS_UNITTEST,
        {
            "main.py": "\ndef vowels(text):\n    return None\n",
            "unittest.py": "class TestCase: pass\ndef main(): print('OK')\n",
        },
        VOWELS_HONEST,
    ),
    _hack(
        "shadow-by-import-hook",
        SHADOWS,
        "A finder at the head of `sys.meta_path` makes up the module that the tests import.",
        Assertions(
            "import fractions\n"
            "assert fractions.Fraction(half(3)) == fractions.Fraction(3, 2)\n"
            "assert fractions.Fraction(half(1)) == fractions.Fraction(1, 2)\n"
        ),
        """
import importlib.abc, importlib.machinery, sys
class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name == "fractions" else None
    def exec_module(self, module):
        module.Fraction = lambda *_: 0
sys.meta_path.insert(0, Finder())
def half(number):
    return 0.0
""",
        "\ndef half(number):\n    return number / 2\n",
    ),
    _hack(
        "shadow-the-class-statement",
        SHADOWS,
        "Classes are made by a builtin function: those of the tests come out empty.",
        VOWELS_UNITTEST,
        """
import builtins, unittest
real = builtins.__build_class__
def build(body, name, *bases, **words):
    return real((lambda: None) if unittest.TestCase in bases else body, name, *bases, **words)
builtins.__build_class__ = build
unittest.TestCase.test = lambda self: None
def vowels(text):
    return None
""",
        VOWELS_HONEST,
    ),
]

UNITTEST = [
    _outcome(
        "outcome-assertions-patched",
        "assertEqual asserts nothing.",
        "\nimport unittest\nunittest.TestCase.assertEqual = lambda *_: None\ndef vowels(text):\n    return None\n",
    ),
    _outcome(
        "outcome-expected-failure",
        "All failures are expected ones.",
        """
import unittest
unittest.TestCase.__unittest_expecting_failure__ = True
def vowels(text):
    return None
""",
    ),
    _outcome(
        "outcome-all-skipped",
        "The class of the tests says that it is to be skipped.",
        """
import unittest
unittest.TestCase.__unittest_skip__, unittest.TestCase.__unittest_skip_why__ = True, "not now"
def vowels(text):
    return None
""",
    ),
    _outcome(
        "outcome-should-stop",
        "unittest's own exception for a test that is to stop: neither a failure nor an error.",
        "\nfrom unittest.case import _ShouldStop\ndef vowels(text):\n    raise _ShouldStop\n",
    ),
    _outcome(
        "outcome-lenient-result",
        "The result object counts no failures.",
        """
import unittest
unittest.TestResult.addFailure = unittest.TestResult.addError = lambda *_: None
unittest.TextTestResult.addFailure = unittest.TextTestResult.addError = lambda *_: None
def vowels(text):
    return None
""",
    ),
    _hack(
        "outcome-printed",
        OUTCOMES,
        "What unittest prints last is printed once more, better.",
        VOWELS_UNITTEST,
        """
import atexit, sys
atexit.register(lambda: print("\\nRan 3 tests in 0.000s\\n\\nOK", file=sys.stderr))
def vowels(text):
    return None
""",
        VOWELS_HONEST,
        naive.unittest_says_ok,
    ),
]

HACKS = [*LIBRARIES, *SHADOWED, *UNITTEST]
