"""Which cases there are, which of them fail, and what is told of it."""

from __future__ import annotations

import json

import pytest

from tests.judge.assertions.driver import Report, examine

F = "def f(x): return x + 1"
HOLDS = "the assertion does not hold"
EARLIER = "an earlier exception ended the tests"
NOT_REACHED = "the tests ended before this one"


def lines(report: Report) -> list[int]:
    return [case["line"] for case in report.plan]


def test_a_failed_assertion_does_not_stop_the_next() -> None:
    report = examine(F, "assert f(1) == 2\nassert f(1) == 3\nif True:\n    assert f(2) == 0\n    assert f(2) == 3")
    assert report.passed == [True, False, False, True]
    assert report.faults == [None, "wrong", "wrong", None]
    assert report.cases[1] == {
        "case": 1,
        "passed": False,
        "fault": "wrong",
        "message": HOLDS,
        "actual": "2",
        "expected": "assert f(1) == 3",
    }


def test_the_plan_has_lines_and_text() -> None:
    report = examine(
        F, "é = 'é'\n\nassert (f(1) ==\n    2), é\ndef check(c):\n    for i in [1]: assert c(i) == '%s'" % ("x" * 300)
    )
    assert lines(report) == [3, 6]
    assert report.plan[0]["text"] == "assert (f(1) ==\n    2), é"
    assert len(report.plan[1]["text"]) == 200


def test_another_exception_fails_the_rest() -> None:
    report = examine("def f(x): return 1 // x", "assert f(1) == 1\nassert f(0) == 1\nassert f(1) == 1\nx = f(0)")
    assert report.passed == [True, False, False]
    assert report.messages == [None, "raised ZeroDivisionError: integer division or modulo by zero", EARLIER]
    assert report.faults == [None, "error", "error"]


def test_an_exception_between_assertions() -> None:
    report = examine("def f(x): return 1 // x", "assert f(1) == 1\nx = f(0)\nassert f(1) == 1")
    assert report.passed == [True, False]
    assert report.faults[1] == "error"


def test_the_tests_own_exception_tells_nothing() -> None:
    report = examine("def f(x): return None", "secret = {'a': 5}\nassert f(1)['secret'] == 3\nassert secret[f(2)]")
    assert report.messages == ["the tests could not go on: TypeError", EARLIER]
    assert report.faults == ["wrong", "wrong"]


def test_a_loop_counts_once() -> None:
    report = examine(F, "for i in range(3):\n    assert f(i) == i + 1\nfor i in range(3):\n    assert f(i) != 2")
    assert report.passed == [True, False]


def test_what_is_reached_under_a_condition_alone_may_be_left_out() -> None:
    report = examine(F, "assert f(1) == 2\nif f(1) == 0:\n    assert False\nfor x in []:\n    assert f(x)")
    assert report.accepted


def test_but_not_if_something_else_fails() -> None:
    report = examine(F, "assert f(1) == 3\nfor x in []:\n    assert f(x)")
    assert report.messages == [HOLDS, NOT_REACHED]


def test_a_straight_one_that_is_not_reached_has_failed() -> None:
    report = examine(F, "def check(c):\n    assert c(1) == 2\n    return\n    assert c(2) == 3", entry_point="f")
    assert report.passed == [True, False]


def test_an_early_end_fails_the_rest() -> None:
    assert examine(F, "import sys\nassert f(1) == 2\nsys.exit(0)\nassert f(2) == 3").passed == [True, False]
    assert examine(F, "import sys\nassert f(1) == 2\nfor x in [1]:\n    assert f(x) == 2\nsys.exit(1)").passed == [
        True,
        False,
    ]


def test_a_helper_counts_and_ends_the_statement_that_called_it() -> None:
    text = "def same(x, y):\n    assert f(x) == y\nsame(1, 2)\nsame(1, 3)\nassert f(1) == 2\nassert same(2, 0) is None"
    report = examine(F, text)
    assert lines(report) == [2, 5, 6]
    assert report.passed == [False, True, False]


def test_what_a_helper_catches_has_not_failed() -> None:
    text = """
def holds(x):
    try:
        assert x > 5
    except AssertionError:
        return False
    return True
assert not holds(f(1))
assert holds(f(9))
"""
    assert examine(F, text).accepted


def test_a_failure_that_the_text_only_prints_is_one() -> None:
    report = examine(F, "try:\n    assert f(1) == 3\nexcept AssertionError:\n    print('failed')\nassert f(1) == 2")
    assert report.passed == [False, True]


def test_a_failure_that_the_text_catches_goes_where_it_wants() -> None:
    text = """
steps = []
try:
    assert f(1) == 3
    steps.append(1)
except AssertionError:
    steps.append(2)
assert steps == [2]
"""
    assert examine(F, text).passed == [False, True]


def test_no_assertion_is_one_case() -> None:
    assert examine(F, "f(1)").passed == [True]
    assert examine(F, "f('a')").faults == ["error"]
    assert examine(F, "if f(1) != 3:\n    raise ValueError").faults == ["wrong"]
    assert examine(F, "import sys\nif f(1) != 3:\n    sys.exit(1)").passed == [False]
    assert examine(F, "x = 1", entry_point="f").messages == ["the tests ended without a call of the solution"]


def test_functions_of_tests_fail_alone() -> None:
    text = "def test_a():\n    f('a')\n    assert f(1) == 2\ndef test_b():\n    assert f(2) == 3"
    report = examine(F, text)
    assert report.passed == [False, True]


def test_a_name_that_the_solution_lacks() -> None:
    report = examine("", "assert f(1) == 2")
    assert report.faults == ["error"]
    assert report.messages == ["the program does not define a name that the tests use"]
    assert examine("", "def check(c):\n    assert c(1) == 2", entry_point="f").messages == report.messages


def test_a_solution_that_cannot_be_loaded() -> None:
    report = examine("def f(:", "assert f(1) == 2\nassert f(2) == 3")
    assert report.faults == ["error", "error"]
    assert str(report.messages[0]).startswith("raised SyntaxError: ")
    assert examine("x = 1 // 0", "assert f(1) == 2").messages == [
        "raised ZeroDivisionError: integer division or modulo by zero"
    ]


@pytest.mark.parametrize("code", ["def f(", "assert f(1) ==", "\0", "return 5", "assert '\ud800"])
def test_a_text_that_is_no_python(code: str) -> None:
    report = examine(F, code)
    assert (report.exit_code, report.plan) == (3, [])
    assert report.errors


def test_the_setup_comes_first_and_is_not_counted() -> None:
    report = examine(F, "assert g(1) == 2", setup="assert f(0) == 1\ndef g(x): return f(x)")
    assert report.plan == [{"line": 1, "text": "assert g(1) == 2"}]
    assert report.accepted


UNITTEST = """
import unittest
def same(x, y):
    assert f(x) == y
class T(unittest.TestCase):
    def test_holds(self): self.assertEqual(f(1), 2)
    def test_fails(self): self.assertEqual(f(1), 3)
    def test_raises(self): self.assertEqual(f("a"), 3)
    def test_skipped(self): self.skipTest("later")
    @unittest.skip("later")
    def test_skipped_too(self): pass
    @unittest.expectedFailure
    def test_unexpected(self): self.assertEqual(f(1), 2)
    def test_parts(self):
        for i in range(3):
            with self.subTest(i=i): self.assertEqual(f(i), 2)
    def test_with_help(self): same(1, 3)
    def not_a_test(self): assert False
if __name__ == "__main__":
    unittest.main()
"""


def test_methods_of_test_cases() -> None:
    report = examine(F, UNITTEST)
    by_text = {case["text"]: report.cases[number] for number, case in enumerate(report.plan)}
    assert len(by_text) == 9
    assert [text for text, case in by_text.items() if case["passed"]] == ["T.test_holds"]
    assert by_text["T.test_fails"]["fault"] == by_text["T.test_parts"]["fault"] == "wrong"
    assert by_text["T.test_raises"]["fault"] == "error"
    assert by_text["T.test_skipped"]["message"] == "a skipped test is a failed test"
    assert by_text["assert f(x) == y"]["fault"] == "wrong"


@pytest.mark.parametrize("name", ["setUpClass", "tearDownClass"])
def test_what_fails_for_a_class_fails_its_methods(name: str) -> None:
    text = f"""
import unittest
class A(unittest.TestCase):
    def test(self): self.assertEqual(f(1), 2)
class B(unittest.TestCase):
    @classmethod
    def {name}(cls): f('a')
    def test(self): self.assertEqual(f(1), 2)
"""
    report = examine(F, text)
    assert report.passed == [True, False]


def test_what_fails_for_a_module_fails_all() -> None:
    report = examine(
        F,
        "import unittest\ndef setUpModule(): f('a')\nclass A(unittest.TestCase):\n"
        "    def test(self): self.assertEqual(f(1), 2)",
    )
    assert report.faults == ["error"]


def test_methods_that_are_not_in_the_text() -> None:
    text = """
import unittest
class T(unittest.TestCase): pass
for n in (2, WANTED):
    setattr(T, 'test_%d' % n, lambda self, n=n: self.assertEqual(f(1), n))
"""
    assert examine(F, text.replace("WANTED", "2")).passed == [True]
    assert examine(F, text.replace("WANTED", "3")).passed == [False]


def test_examples() -> None:
    report = examine(F, "Text.\n\n>>> f(1)\n2\n>>> f(1)\n3\n>>> x = f(1)\n>>> f('a')\n1\n>>> x\n2\n")
    assert lines(report) == [3, 5, 8, 10]
    assert report.passed == [True, False, False, True]
    assert report.faults == [None, "wrong", "error", None]
    assert report.cases[1]["actual"] == "'2\\n'"


def test_the_evidence_is_short_and_asks_nobody() -> None:
    solution = """
class A:
    def __repr__(self): raise SystemExit
def f(x): return [A(), 'x' * 10**6, 10**9999, [[[[1]]]], {1: A()}]
"""
    (actual,) = [case["actual"] for case in examine(solution, "assert f(1) == 2").cases.values()]
    assert actual.startswith("[<object>, 'xxx")
    assert len(actual) <= 200


def test_a_report_is_ascii_and_has_no_secret_of_an_exception() -> None:
    report = examine("def f(x): raise ValueError('é\\ud800' * 1000)", "assert f(1) == 3")
    assert json.dumps(report.cases)
    assert str(report.messages[0]).startswith("raised ValueError: é\ud800")
    assert len(str(report.messages[0])) <= 500


@pytest.mark.parametrize(
    "value",
    [
        "[[]] * 10**7",
        "'x' * (1 << 26)",
        "bytes(1 << 25)",
        "1 << (1 << 28)",
        "nested(400)",
        "nested(100_000)",
        "(lambda t: [t := (t, t) for _ in range(40)][-1])(())",
        "[object() for _ in range(200_000)]",
    ],
)
def test_too_much_of_a_value(value: str) -> None:
    solution = f"def nested(n):\n    x = []\n    for _ in range(n): x = [x]\n    return x\ndef f(x): return {value}"
    report = examine(solution, "assert list(f(1)) == 3\nassert f(1) == 3")
    assert report.faults == ["limit", "limit"]


def test_the_solution_reads_its_own_modules_and_not_ours() -> None:
    files = {"json.py": b"raise ValueError", "types.py": b"raise ValueError", "helper.py": b"def g(x): return x"}
    assert examine("from helper import g\ndef f(x): return g(x)", "assert f(1) == 1", files=files).accepted


def test_large_values_that_differ() -> None:
    text = """
import unittest
class T(unittest.TestCase):
    def test_list(self): self.assertEqual(f(1), [str(n) for n in range(100_000)])
    def test_text(self): self.assertEqual("\\n".join(f(1)), "\\n" * 100_000)
    def test_dict(self): self.assertEqual(dict.fromkeys(f(1)), {str(n): 1 for n in range(100_000)})
"""
    report = examine("def f(x): return [str(n * x) for n in range(1, 100_000)]", text)
    assert report.faults == ["wrong"] * 3


@pytest.mark.parametrize("code", ["(" * 5_000 + ")" * 5_000, "-" * 100_000 + "1", "x = " + "[" * 150 + "]" * 150])
def test_texts_that_are_too_deep_or_nearly(code: str) -> None:
    assert examine(F, code).exit_code in (0, 3)
