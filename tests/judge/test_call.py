"""Calling functions, in real processes: what honest solutions do."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge.values import Opaque, decode
from tests.judge.calls import call, found, task
from tests.judge.test_equal import VALUES

CLASS = """
class A:
    made = 0
    def __init__(self): A.made += 1
    def f(self, x): return [x, A.made]
    @classmethod
    def g(cls, x): return [x, cls.made]
    @staticmethod
    def h(x): return [x, A.made]
    class B:
        def f(self, x): return [x, A.made, "B"]
class C(A):
    def __init__(self, needed): pass
"""


def value(code: str, *args: Any, **options: Any) -> Any:
    """What a program gave."""
    called = call(code, task(args=list(args), **options))
    assert called.exit_code == 0, called.stderr
    return decode(called.data)


@pytest.mark.parametrize(
    ("code", "args", "right"),
    [
        ("def f(): return None", [], None),
        ("f = lambda x: x", [True], True),
        ("def f(x): return (x, [x, (x,)])", [1], [1, [1, [1]]]),
        ("def f(*args, k=2): return [args, k]", [1, 2], [[1, 2], 2]),
        ("def f(): return {1: 'a', 1.5: None, None: {}}", [], {"1": "a", "1.5": None, "null": {}}),
        ("def f(): return {False: [], True: '', '': 0}", [], {"false": [], "true": "", "": 0}),
        ("def f(x): return iter(x)", [[1, 2]], [1, 2]),
        ("def f(x):\n    yield x\n    yield (x,)", [1], [1, [1]]),
        ("def f(x): return map(str, range(x))", [2], ["0", "1"]),
        ("async def f(x):\n    import asyncio\n    await asyncio.sleep(0)\n    return x", ["a"], "a"),
        ("from functools import lru_cache\n@lru_cache\ndef f(x): return x + 1", [1], 2),
        ("from functools import partial\nf = partial(int, base=2)", ["11"], 3),
        ("f = str.upper", ["ß"], "SS"),
        ("class f:\n    def __new__(cls, x): return x", [1], 1),
        ("import enum\nclass E(enum.IntEnum):\n    A = 3\ndef f(): return [E.A, {E.A: E.A}]", [], [3, {"3": 3}]),
        ("class S(str): pass\nclass F(float): pass\ndef f(): return [S('a'), F(1.5)]", [], ["a", 1.5]),
        ("def f(): return [Counter('aab'), OrderedDict(a=1)]", [], [{"a": 2, "b": 1}, {"a": 1}]),
        ("import collections\nP = collections.namedtuple('P', 'x y')\ndef f(): return P(1, 2)", [], [1, 2]),
        ("import sys\nsys.setrecursionlimit(10**6)\ndef f(x): return x if x == 0 else f(x - 1)", [5000], 0),
        ("def f(x): return 2**x", [100_000], 2**100_000),
        ("def f(x): return -(2**x) + 1", [64], -(2**64) + 1),
        ("import sys\ndef f(): return sys.argv", [], ["main.py"]),
        ("def f(): return [__name__, f.__module__]", [], ["solution", "solution"]),
        ("import sys\ndef f(): return sys.stdin.read()", [], ""),
        ("if __name__ == '__main__':\n    print(int(input()))\ndef f(): return 1", [], 1),
        ("# -*- coding: latin-1 -*-\ndef f(): return 'é'", [], "Ã©"),
        ("from dataclasses import *\n@dataclass\nclass D:\n    x: 'int' = 1\ndef f(): return astuple(D())", [], [1]),
        ("import pickle\nclass D: x = 1\ndef f(): return pickle.loads(pickle.dumps(D())).x", [], 1),
        ("class ListNode:\n    pass\ndef f(x): return x", [[1]], [1]),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_what_is_given(code: str, args: list[Any], right: Any) -> None:
    got = value(code, *args)
    assert got == right
    assert type(got) is type(right)


@pytest.mark.parametrize(
    ("entry_point", "right"),
    [
        ("A.f", [7, 1]),
        ("A.g", [7, 0]),
        ("A.h", [7, 0]),
        ("A.B.f", [7, 0, "B"]),
        ("C.g", [7, 0]),
        ("C.h", [7, 0]),
    ],
)
def test_methods(entry_point: str, right: Any) -> None:
    assert value(CLASS, 7, entry_point=entry_point) == right


def test_keyword_arguments() -> None:
    assert value("def f(a, *, b): return [a, b]", 1, kwargs={"b": "x"}) == [1, "x"]
    assert value("def f(**k): return k", kwargs={"a b": 1, "\ud800": None}) == {"a b": 1, "\ud800": None}


def test_a_value_can_be_what_became_of_an_argument() -> None:
    code = "def f(xs, *, d):\n    xs.sort()\n    d['n'] = len(xs)\n    return 'no'"
    for source, right in (("args[0]", [1, 2, 3]), ("kwargs[d]", {"n": 3}), ("return", "no")):
        assert value(code, [3, 1, 2], kwargs={"d": {}}, result_from=source) == right


OPAQUE = ["{1, 2}", "frozenset()", "b'a'", "1j", "range(3)", "{}.keys()", "object()", "int", "{(1, 2): 3}", "print"]


@pytest.mark.parametrize("expression", OPAQUE)
def test_what_is_no_json_equals_nothing(expression: str) -> None:
    code = f"def f(): return {expression}"
    assert isinstance(value(code), Opaque)
    for expected in (None, [], [1, 2], {}, "a", [0, 1, 2], {"[1, 2]": 3}):
        assert found(code, task(expected=expected)).verdict is Verdict.WRONG_ANSWER


def test_names_that_online_judges_provide() -> None:
    code = """
class S:
    def f(self, x: List[int]) -> Optional[Dict[str, int]]:
        heapify(x)
        d = defaultdict(deque)
        d[inf].append(gcd(4, 6))
        return [heapq.heappop(x), d[math.inf][0], list(accumulate(x)), bisect_left(x, 2), bisect.bisect(x, 2),
                reduce(xor, x), Counter("a"), [*pairwise(x)], string.digits[1], re.sub("a", "b", "a")]
"""
    assert value(code, [3, 1, 2], entry_point="S.f") == [1, 2, [2, 5], 0, 1, 1, {"a": 1}, [[2, 3]], "1", "b"]


def test_own_definitions_go_before_those() -> None:
    code = "def gcd(a, b): return 'mine'\nclass Counter: pass\nbisect = 1\n"
    assert value(code + "def f(): return [gcd(1, 2), bisect, Counter.__module__]") == ["mine", 1, "solution"]


def test_numpy_values(tmp_path: Any) -> None:
    """With something like numpy, where it is not there: what counts is how it is asked."""
    code = """
import sys
try:
    import numpy
except ImportError:
    class generic:
        def __init__(self, plain): self.plain = plain
        def tolist(self): return self.plain
    numpy = sys.modules["numpy"] = type(sys)("numpy")
    numpy.ndarray, numpy.generic = type("ndarray", (generic,), {}), generic
    numpy.int64, numpy.array = generic, numpy.ndarray
def f(): return [numpy.int64(3), numpy.array([[1, 2], [3, 4]]), {"a": numpy.array([])}]
"""
    assert value(code) == [3, [[1, 2], [3, 4]], {"a": []}]


@pytest.mark.parametrize(
    ("code", "exit_code", "says"),
    [
        ("def f(): raise ValueError('why')", 1, 'main.py", line 1, in f\n'),
        ("def f(): raise ValueError('why')", 1, "ValueError: why\n"),
        ("def f(:", 1, "SyntaxError"),
        ("1 / 0", 1, "ZeroDivisionError: division by zero\n"),
        ("def g(): pass", 1, "AttributeError: module 'solution' has no attribute 'f'\n"),
        ("f = 3", 1, "TypeError: 'int' object is not callable\n"),
        ("def f(x): pass", 1, "TypeError: f() missing 1 required positional argument: 'x'\n"),
        ("def f():\n    yield 1\n    raise KeyError(2)", 1, "KeyError: 2\n"),
        ("def f(): f()", 1, "RecursionError"),
        ("import sys\ndef f(): sys.exit(7)", 7, ""),
        ("import sys\ndef f(): sys.exit('words')", 1, "words\n"),
        ("raise SystemExit", 0, ""),
        ("import sys\nsys.excepthook = lambda *a: print('mine', file=sys.stderr)\n1 / 0", 1, "mine\n"),
        ("raise KeyboardInterrupt", 1, "KeyboardInterrupt\n"),
        (
            "def f():\n    try:\n        1 / 0\n    except Exception as e:\n        raise ValueError from e",
            1,
            "direct cause",
        ),
        ("b = b'\0'\0", 1, "null bytes"),
    ],
)
def test_how_it_ends(code: str, exit_code: int, says: str) -> None:
    called = call(code, task())
    assert called.exit_code == exit_code
    assert says in called.stderr
    assert "<string>" not in called.stderr  # nothing of ours
    assert called.data == b""


def test_what_is_printed_is_as_always() -> None:
    called = call("import sys\nprint('a')\ndef f():\n    print('b', end='')\n    print('c', file=sys.stderr)", task())
    assert (called.stdout, called.stderr, called.data) == ("a\nb", "c\n", b"null\n")


def test_nobody_waits_for_threads() -> None:
    code = (
        "import threading, time\ndef f():\n    threading.Thread(target=time.sleep, args=(10**6,)).start()\n    return 1"
    )
    assert value(code) == 1


def test_another_file_name_and_modules_beside_it() -> None:
    called = call("import main2\ndef f(): return main2.f is f, __file__[-8:]", task(), file="main2.py")
    assert decode(called.data) == [False, "main2.py"]


@pytest.mark.parametrize("name", ["json", "os", "re", "typing", "collections", "_json", "builtins"])
def test_a_program_that_is_called_like_a_module_of_ours(name: str) -> None:
    called = call("def f(): return {'a': [1.5, 'x']}", task(), file=f"{name}.py")
    assert decode(called.data) == {"a": [1.5, "x"]}


WORDS = re.compile("nan|inf")
JSON = st.lists(VALUES, max_size=20).filter(lambda values: not WORDS.search(repr(values)))
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.integers(-(2**9999), 2**9999),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.integers() | st.text(), inner),
)


@given(JSON)
@settings(max_examples=15, suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow])
def test_values_there_and_back(values: list[Any]) -> None:
    assert repr(value("def f(*args): return args", *values)) == repr(values)


@given(st.lists(ANY, max_size=20))
@settings(max_examples=15, suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow])
def test_values_back(values: list[Any]) -> None:
    code = f"from math import nan, inf\ndef f(): return {hexed(values)}"
    assert hexed(value(code)) == hexed(as_json(values))


def hexed(value: Any) -> str:
    """Like `repr`, without decimal digits, of which not many are read."""
    if isinstance(value, int) and not isinstance(value, bool):
        return hex(value)
    if isinstance(value, (list, tuple)):
        inner = "".join(f"{hexed(item)}," for item in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    if isinstance(value, dict):
        return "{" + "".join(f"{hexed(key)}: {hexed(item)}," for key, item in value.items()) + "}"
    return ascii(value)


def as_json(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [as_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    return value


def test_numbers_that_json_lacks() -> None:
    nan, infinite, least = value("def f(): return [float('nan'), -float('inf'), 5e-324]")
    assert math.isnan(nan)
    assert (infinite, least) == (-math.inf, 5e-324)
