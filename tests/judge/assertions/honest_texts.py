"""Kinds of test texts, each with a right program: all have to be accepted."""

from __future__ import annotations

DIGITS = """
def digits(n):
    if n < 0: raise ValueError("neg")
    return sum(map(int, str(n)))
"""

TEXTS: dict[str, tuple[str, str]] = {
    "check-that-is-called": (DIGITS, "def check(candidate):\n    assert candidate(12) == 3\ncheck(digits)"),
    "names-that-the-solution-imported": (
        "import math\nfrom collections import Counter\nfrom math import sqrt\ndef f(x): return Counter(x)",
        "assert f('aab') == Counter('aab')\nassert math.isclose(sqrt(4), 2)\nassert isinstance(f('a'), Counter)",
    ),
    "typing": (
        "from typing import List\ndef f(x: List[int]) -> int: return 1",
        "def g(x: List[int]): return x\nassert f([1]) == 1",
    ),
    "builtin-defined-anew": ("def sum(a, b): return a - b", "assert sum(10, 15) == -5"),
    "functions-of-tests": (
        "def f(x): return x",
        "def test_a():\n    assert f(1) == 1\ndef test_b():\n    assert f(2) == 2\n"
        "async def test_c():\n    assert f(3) == 3",
    ),
    "functions-of-tests-called": (
        "def f(x): return x",
        "def test_a():\n    assert f(1) == 1\nif __name__ == '__main__':\n    test_a()",
    ),
    "class-of-tests": (
        "def f(x): return x",
        "class TestF:\n    def setup_method(self): self.x = 1\n    def test_a(self):\n        assert f(self.x) == 1",
    ),
    "helper": (
        DIGITS,
        "def same(n, want):\n    assert digits(n) == want\nsame(12, 3)\nfor n in range(3):\n    same(n, n)",
    ),
    "solution-as-a-module": (
        "def f(x): return x\nclass K: pass",
        "from solution import f, K\nimport main\nassert f(1) == 1\nassert main.f(2) == 2\nassert isinstance(K(), K)",
    ),
    "no-assert": ("def f(x): return x", "if f(1) != 1:\n    raise Exception"),
    "never-reached": (
        DIGITS,
        "for n in []:\n    assert digits(n) == 5\nif digits(1) == 2:\n    assert False\nassert digits(3) == 3",
    ),
    "end": ("def f(): return 1", "import sys\nassert f() == 1\nsys.exit(0)"),
    "retry": (
        "import itertools\ncount = itertools.count()\ndef f(): return next(count)",
        "for _ in range(5):\n    try:\n        assert f() == 2\n        break\n"
        "    except AssertionError:\n        continue",
    ),
    "main-guard-and-output-of-the-solution": (
        "print('loading')\ndef f(): return 1\nif __name__ == '__main__':\n    raise SystemExit(1)",
        "assert f() == 1",
    ),
    "carriage-returns": ("def f(): return 1\r\n", "x = 1\r\nassert f() == 1\r\nassert f() == x\r\n"),
    "words-to-evaluate": (
        "def f(): return '1 + 2'\ndef g(): return 'def h(x): return x + 1'",
        "assert eval(f()) == 3\nassert eval('f()') == '1 + 2'\nspace = {}\nexec(g(), space)\n"
        "assert space['h'](1) == 2\n"
        "assert [eval(s) for s in ('f()', '2')] == ['1 + 2', 2]",
    ),
    "unittest": (
        DIGITS,
        """
import unittest
class Base(unittest.TestCase):
    def setUp(self): self.v = 1
class TestDigits(Base):
    @classmethod
    def setUpClass(cls): cls.k = 2
    def test_a(self): self.assertEqual(digits(12), 3)
    def test_b(self):
        with self.assertRaises(ValueError): digits(-1)
        with self.assertRaisesRegex(ValueError, "neg"): digits(-1)
        self.assertRaises(ValueError, digits, -1)
    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i): self.assertEqual(digits(i), i)
    @unittest.expectedFailure
    def test_x(self): self.assertEqual(digits(1), 2)
    def test_k(self): self.assertEqual(self.k + self.v, 3)
if __name__ == "__main__":
    unittest.main()
""",
    ),
    "unittest-with-a-mixin": (
        DIGITS,
        """
from unittest import TestCase, main
class Shared:
    def test_shared(self): self.assertEqual(digits(self.n), self.n)
class One(Shared, TestCase): n = 1
class Two(Shared, TestCase): n = 2
main()
""",
    ),
    "unittest-with-its-own-runner": (
        DIGITS,
        """
import unittest
class T(unittest.TestCase):
    def test_a(self): self.assertEqual(digits(1), 1)
    def tearDown(self): pass
    @classmethod
    def tearDownClass(cls): pass
suite = unittest.TestLoader().loadTestsFromTestCase(T)
result = unittest.TextTestRunner(verbosity=2).run(suite)
assert result.wasSuccessful() and result.testsRun == 1
""",
    ),
    "unittest-without-await": (
        "async def f(): return 3",
        "import unittest\nclass T(unittest.IsolatedAsyncioTestCase):\n"
        "    async def test_a(self): self.assertEqual(await f(), 3)\nunittest.main()",
    ),
    "unittest-with-what-the-solution-imported": (
        "import unittest\n" + DIGITS,
        "class T(unittest.TestCase):\n    def test(self): self.assertEqual(digits(1), 1)",
    ),
    "doctest": (
        DIGITS + "def show(x): print('x is', x)\n",
        """
Digits are summed up.

>>> digits(12)
3
>>> x = digits(3)
>>> x
3
>>> show(x)
x is 3
>>> list(range(20))  # doctest: +ELLIPSIS
[0, 1, ..., 19]
>>> digits(-1)
Traceback (most recent call last):
    ...
ValueError: neg
""",
    ),
    "doctest-in-docstrings": (
        DIGITS,
        '"""\n>>> digits(12)\n3\n"""\nimport doctest\n'
        'def other():\n    """\n    >>> digits(1)\n    1\n    """\ndoctest.testmod()',
    ),
}

# name: (solution, test text, entry point)
ENTERED: dict[str, tuple[str, str, str]] = {
    "check-that-is-not-called": (DIGITS, "def check(candidate):\n    assert candidate(12) == 3\n", "digits"),
    "candidate": (DIGITS, "assert candidate(12) == 3", "digits"),
    "named-like-a-builtin": (
        "def max(a, b): return a - b",
        "def check(candidate):\n    assert candidate(1, 2) == -1",
        "max",
    ),
    "expression": (
        "class Solution:\n    def two(self, a): return a * 2",
        "def check(candidate):\n    assert candidate(a=2) == 4",
        "Solution().two",
    ),
    "method": ("class Solution:\n    def two(self, a): return a * 2", "assert candidate(2) == 4", "Solution.two"),
}
