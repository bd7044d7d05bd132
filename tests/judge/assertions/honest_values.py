"""Right programs and tests of what they return, change, raise and call: all have to be accepted."""

from __future__ import annotations

# name: (solution, test text)
VALUES: dict[str, tuple[str, str]] = {
    "plain": (
        "def f(x): return x",
        """
for x in [None, True, 0, -1, 10**3000, -(1 << 1024), 1.5, -0.0, 1j, "", "é", "\\ud83d" + "\\ude00", b"\\xff",
          (1, (2,)), [1, [2]], {1, 2}, frozenset([1]), {1: "a", (2,): [3]},
          range(1, 9, 2), slice(1, None), bytearray(b"ab"), ..., int]:
    y = f(x)
    assert y == x and type(y) is type(x)
""",
    ),
    "huge-numbers": (
        "def f(n): return 10**n",
        "assert f(5000) == 10**5000\nassert f(400) == 10**400\nassert -f(900) < 0",
    ),
    "floats": (
        "def f(): return [float('nan'), float('inf'), -0.0, 0.1 + 0.2]",
        "import math\na, b, c, d = f()\nassert math.isnan(a) and b == math.inf\nassert math.copysign(1, c) == -1\n"
        "assert d == 0.30000000000000004",
    ),
    "lone-surrogates": (
        "def f(): return '\\ud83d' + '\\ude00', '\\udc80'",
        "a, b = f()\nassert a == '\\ud83d' + '\\ude00' and len(a) == 2\nassert b == '\\udc80'",
    ),
    "collections": (
        """
from collections import Counter, OrderedDict, defaultdict, deque
def f(): return deque([1], 3), defaultdict(list, {1: [2]}), OrderedDict(a=1), Counter("aab")
""",
        """
from collections import *
a, b, c, d = f()
assert a == deque([1]) and a.maxlen == 3
assert b[5] == [] and b[1] == [2]
assert c == OrderedDict(a=1)
assert d.most_common(1) == [("a", 2)]
""",
    ),
    "library-values": (
        """
import datetime, decimal, fractions, pathlib
def f():
    zone = datetime.timezone(datetime.timedelta(hours=1))
    return [decimal.Decimal("-0.10"), fractions.Fraction(1, 3), datetime.date(2020, 1, 2), datetime.time(1, 2, 3, 4),
            datetime.timedelta(-1, 5), datetime.datetime(2020, 1, 2, 3, 4, 5, 6, zone, fold=1),
            pathlib.PurePosixPath("a/b")]
""",
        """
from datetime import *; from decimal import Decimal; from fractions import Fraction; from pathlib import PurePosixPath
a, b, c, d, e, g, h = f()
assert a == Decimal("-0.10") and str(a) == "-0.10"
assert b == Fraction(1, 3)
assert c == date(2020, 1, 2) and type(c) is date
assert d == time(1, 2, 3, 4) and e == timedelta(-1, 5)
assert g == datetime(2020, 1, 2, 3, 4, 5, 6, timezone(timedelta(hours=1))) and g.fold == 1
assert h == PurePosixPath("a/b")
""",
    ),
    "named-tuples": (
        """
from collections import namedtuple
from typing import NamedTuple
P = namedtuple("P", "x y")
class N(NamedTuple):
    a: int
    b: int = 5
def f(): return P(1, 2)
def g(): return N(1)
def h(p): return isinstance(p, P) and p.x
""",
        """
assert f() == (1, 2) == P(1, 2)
assert f().x == 1 and isinstance(f(), P)
assert g().b == 5
assert repr(f()) == "P(x=1, y=2)"
assert h(P(7, 8)) == 7
""",
    ),
    "dictionary-views": (
        "def f(d): return d.keys(), d.values(), d.items()",
        "k, v, i = f({'a': 1})\nassert list(k) == ['a'] and list(v) == [1] and list(i) == [('a', 1)]\n"
        "assert k == {'a'}",
    ),
    "types-and-functions-of-python": (
        "def f(x, t): return t(x)\ndef g(x): return type(x)",
        "assert f('5', int) == 5\nassert f('ab', len) == 2\nimport math, operator\nassert f(4, math.sqrt) == 2\n"
        "assert g(1) is int\nassert g('') == str\nassert f('ab', str.upper) == 'AB'",
    ),
    "subclass-of-a-plain-type": (
        "from enum import IntEnum\nclass Level(IntEnum):\n    LOW = 1\nclass Text(str): pass\n"
        "def f(): return Level.LOW\ndef g(): return Text('ab')\ndef h(): return [Text('x')]",
        "assert f() == 1\nassert g() == 'ab'\nassert h() == ['x']",
    ),
}

CHANGES: dict[str, tuple[str, str]] = {
    "sorted-in-place": ("def f(xs): xs.sort(); return xs", "xs = [3, 1]\nassert f(xs) is xs\nassert xs == [1, 3]"),
    "keyword": ("def f(*, d): d['a'] = 1", "d = {}\nf(d=d)\nassert d == {'a': 1}"),
    "every-container": (
        "def f(a, b, c, d, e): a.append(1); b.add(1); c[1] = 1; d.append(1); e.append(1)",
        """
from collections import deque
a, b, c, d, e = [], set(), {}, bytearray(), deque()
f(a, b, c, d, e)
assert a == [1] and b == {1} and c == {1: 1}
assert d == bytearray([1]) and e == deque([1])
""",
    ),
    "alias": (
        "def f(m): m[0].append(9); return m[1]",
        "a = [1]\nm = [a, a]\nr = f(m)\nassert r is a and a == [1, 9] and m[1] is a",
    ),
    "nested": ("def f(m): m[1][0][0] = [5]; return m[1][0]", "m = [0, ([1],)]\nr = f(m)\nassert r is m[1][0] == [[5]]"),
    "swapped": ("def f(m): m[0], m[1] = m[1], m[0]", "a, b = [], []\nm = [a, b]\nf(m)\nassert m[0] is b and m[1] is a"),
    "cycle": ("def f():\n    a = [1]; a.append(a); return a", "a = f()\nassert a[1] is a"),
    "cycle-in": (
        "def f(a): a.append(5); return a[1] is a",
        "a = [1]\na.append(a)\nassert f(a)\nassert a[2] == 5 and a[1] is a",
    ),
    "unchanged": ("def f(a): return sorted(a)", "a = [2, 1]\nassert f(a) == [1, 2]\nassert a == [2, 1]"),
    "changed-by-a-callback": (
        "def f(xs, g): xs.append(1); g(); xs.append(3); return xs",
        "xs = []\nassert f(xs, lambda: None) is xs\nassert xs == [1, 3]",
    ),
    "changed-though-it-raised": (
        "def f(xs):\n    xs.append(1)\n    raise ValueError",
        "xs = []\ntry:\n    f(xs)\nexcept ValueError:\n    pass\nassert xs == [1]",
    ),
    "a-global-of-the-solution": (
        "count, seen = 0, []\ndef f():\n    global count\n    count += 1\n    seen.append(count)",
        "f()\nf()\nassert count == 2\nassert seen == [1, 2]\nseen.clear()\nf()\nassert seen == [3]",
    ),
    "kept-by-an-object": (
        "class Sorter:\n    def __init__(self, xs): self.xs = xs\n    def sort(self): self.xs.sort()",
        "xs = [2, 1]\ns = Sorter(xs)\ns.sort()\nassert xs == [1, 2]\nassert s.xs is xs",
    ),
    "an-attribute-changed-in-place": (
        """
class Node:
    def __init__(self, value): self.value, self.children, self.tags = value, [], {"a": []}
def total(node): return node.value + sum(total(child) for child in node.children)
""",
        """
root = Node(1)
root.children.append(Node(2))
root.children[0].children.append(Node(4))
assert total(root) == 7
root.tags["a"].append(1)
root.tags["b"] = 2
assert root.tags == {"a": [1], "b": 2}
""",
    ),
}

CALLS: dict[str, tuple[str, str]] = {
    "callback": (
        "def f(g, xs): return [g(x) for x in xs]",
        "assert f(lambda x: x * 2, [1, 2]) == [2, 4]\nassert f(len, ['a', 'bc']) == [1, 2]\n"
        "assert f(str, [1]) == ['1']\n"
        "assert f([3, 4].index, [4]) == [1]",
    ),
    "callback-raises": (
        "def f(g):\n    try: g()\n    except ValueError as e: return str(e)",
        "def g(): raise ValueError('no')\nassert f(g) == 'no'",
    ),
    "callback-raises-what-is-its-own": (
        "def f(g): g()",
        "class E(Exception): pass\nerr = E(1)\ndef g(): raise err\ntry:\n    f(g)\n    assert False\n"
        "except E as e:\n    assert e is err",
    ),
    "callback-of-a-callback": (
        "def f(g, n): return g(n)",
        "def g(n): return 0 if n == 0 else 1 + f(g, n - 1)\nassert f(g, 20) == 20",
    ),
    "callback-from-threads": (
        """
import threading
def f(g):
    results = []
    threads = [threading.Thread(target=lambda i=i: results.append(g(i))) for i in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return sorted(results)
""",
        "assert f(lambda x: x * x) == [0, 1, 4, 9]",
    ),
    "callback-whose-parameters-matter": (
        """
import inspect
def curry(f, *args):
    if len(args) == f.__code__.co_argcount: return f(*args)
    return lambda *more: curry(f, *args, *more)
def names(f): return list(inspect.signature(f).parameters)
""",
        "assert curry(lambda a, b, c: a + b + c)(1)(2)(3) == 6\nassert names(lambda x, y=2: 0) == ['x', 'y']",
    ),
    "iterator-given": (
        "def f(xs): return [x + 1 for x in xs]",
        "assert f(iter([1, 2])) == [2, 3]\nassert f(i for i in (5,)) == [6]",
    ),
    "closure": (
        "def f(n): return lambda x: x + n",
        "g = f(3)\nassert g(4) == 7\nassert callable(g)\nassert f(1) != f(1)",
    ),
    "generator": (
        "def f(n):\n    for i in range(n): yield i\n    return 9",
        """
import types
assert list(f(3)) == [0, 1, 2]
g = f(2)
assert next(g) == 0
assert isinstance(g, types.GeneratorType)
assert sum(f(5)) == 10
assert list(zip(f(2), f(3))) == [(0, 0), (1, 1)]
assert next(f(0), "none") == "none"
""",
    ),
    "endless-generator": (
        "def f():\n    n = 0\n    while True:\n        yield n\n        n += 1",
        "import itertools\nassert list(itertools.islice(f(), 3)) == [0, 1, 2]",
    ),
    "generator-that-is-sent-to": (
        "def f():\n    t = 0\n    while True:\n        x = yield t\n        t += x",
        "g = f()\nnext(g)\nassert g.send(5) == 5\nassert g.send(2) == 7",
    ),
    "lazy-iterators": (
        "def f(x): return map(str, x)\ndef g(x): return zip(x, x)\ndef h(x): return reversed(x)",
        "assert list(f([1, 2])) == ['1', '2']\nassert list(g('a')) == [('a', 'a')]\nassert list(h([1, 2])) == [2, 1]",
    ),
    "coroutines": (
        """
import asyncio
async def f(x):
    await asyncio.sleep(0)
    return x + 1
async def ag(n):
    for i in range(n): yield i
class C:
    async def __aenter__(self): return self
    async def __aexit__(self, *a): return False
    async def get(self): return 5
""",
        """
import asyncio
assert asyncio.run(f(1)) == 2
assert asyncio.iscoroutinefunction(f)
async def main():
    assert await f(2) == 3
    assert await asyncio.gather(f(1), f(2)) == [2, 3]
    assert [x async for x in ag(3)] == [0, 1, 2]
    async with C() as c:
        assert await c.get() == 5
asyncio.run(main())
""",
    ),
    "coroutine-given": (
        "async def f(g): return await g(3)",
        "import asyncio\nasync def g(x):\n    await asyncio.sleep(0)\n    return x * 2\nassert asyncio.run(f(g)) == 6",
    ),
    "decorator": (
        """
import functools
def deco(fn):
    @functools.wraps(fn)
    def inner(*a, **k):
        inner.calls += 1
        return fn(*a, **k)
    inner.calls = 0
    return inner
""",
        """
@deco
def greet(name):
    "Says hi."
    return "hi " + name
assert greet("bob") == "hi bob"
assert greet.calls == 1
assert greet.__name__ == "greet"
assert greet.__doc__ == "Says hi."
""",
    ),
    "cache": (
        "from functools import lru_cache\n@lru_cache(None)\ndef fib(n): return n if n < 2 else fib(n-1) + fib(n-2)",
        "assert fib(30) == 832040\nfib.cache_clear()\nassert fib.cache_info().hits == 0",
    ),
    "partial": (
        "from functools import partial\ndef add(a, b): return a + b\ninc = partial(add, 1)",
        "assert inc(2) == 3",
    ),
    "deep-recursion": ("def f(n): return 0 if n == 0 else 1 + f(n - 1)", "assert f(990) == 990"),
    "printed": (
        "def f(): print('hi')",
        "import io, contextlib\nb = io.StringIO()\nwith contextlib.redirect_stdout(b):\n    f()\n"
        "assert b.getvalue() == 'hi\\n'",
    ),
    "input": (
        "import sys\ndef f(): return int(input('n? ')) + 1\ndef g(): return sum(map(int, sys.stdin))",
        """
import io, sys
from unittest.mock import patch
with patch("builtins.input", return_value="4"):
    assert f() == 5
with patch("sys.stdin", io.StringIO("7\\n")):
    assert f() == 8
sys.stdin = io.StringIO("1\\n2\\n")
assert g() == 3
""",
    ),
    "keyword-arguments": (
        "def f(a, *b, c=1, **d): return a, b, c, d",
        "assert f(1, 2, c=3, e=4, target=5) == (1, (2,), 3, {'e': 4, 'target': 5})",
    ),
}

RAISES: dict[str, tuple[str, str]] = {
    "builtin": (
        "def f(x): raise ValueError('bad', x)",
        "try:\n    f(3)\n    assert False\nexcept ValueError as e:\n    assert e.args == ('bad', 3)",
    ),
    "its-own": (
        """
class MyErr(ValueError):
    def __init__(self, code):
        super().__init__("code %d" % code)
        self.code = code
def f(): raise MyErr(5)
""",
        """
try:
    f()
except MyErr as e:
    assert e.code == 5
    assert str(e) == "code 5"
    assert isinstance(e, ValueError)
else:
    assert False
assert issubclass(MyErr, ValueError)
assert str(MyErr(6)) == "code 6"
""",
    ),
    "its-own-caught-by-the-base": (
        "class MyErr(ValueError): pass\ndef f(): raise MyErr('x')",
        "try:\n    f()\nexcept ValueError as e:\n    assert str(e) == 'x'",
    ),
    "below-what-the-text-names": (
        "class Base(Exception): pass\nclass Deep(Base): pass\ndef f(): raise Deep(1)",
        "try:\n    f()\n    assert False\nexcept Base as e:\n    assert e.args == (1,)",
    ),
    "of-a-library": (
        "import json, statistics\ndef f(s): return json.loads(s)\ndef g(): return statistics.mean([])",
        "import json, statistics\ntry:\n    f('{')\n    assert False\nexcept json.JSONDecodeError as e:\n"
        "    assert e.pos == 1\n"
        "try:\n    g()\n    assert False\nexcept statistics.StatisticsError:\n    pass",
    ),
    "expected-to-fail": (
        "def f(x):\n    if x < 0: raise ValueError\n    return x",
        "try:\n    f(-1)\n    assert False, 'no'\nexcept ValueError:\n    pass\nassert f(1) == 1",
    ),
    "key": ("def f(): return {}['a']", "try:\n    f()\nexcept KeyError as e:\n    assert e.args == ('a',)"),
    "as-a-value": ("def f(): return ValueError('x')", "e = f()\nassert isinstance(e, ValueError) and str(e) == 'x'"),
    "stop-iteration": (
        "def f(): raise StopIteration",
        "try:\n    f()\n    assert False\nexcept StopIteration:\n    pass",
    ),
    "assertion": (
        "def f(x): assert x > 0",
        "try:\n    f(-1)\nexcept AssertionError:\n    pass\nelse:\n    raise Exception\nassert f(1) is None",
    ),
}
