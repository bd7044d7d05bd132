"""Wrong programs that would pass in one process with the tests, or might by a weakness of the examiner."""

from __future__ import annotations

EQUAL = """
class Liar:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __contains__ = __lt__
    def __hash__(self): return 1
    def __bool__(self): return True
    def __sub__(self, other): return 0
    __rsub__ = __mod__ = __rmod__ = __and__ = __xor__ = __rxor__ = __sub__
    def __abs__(self): return 0
    def __len__(self): return 3
    def __int__(self): return 3
    def __iter__(self): return iter(())
    def issubset(self, other): return True
    def startswith(self, other): return True
    def __getattr__(self, name): return lambda *a, **k: True
"""
NAMED = EQUAL.replace("class Liar:", "class Vector:\n    def __init__(self, *a): pass")

# name: (solution, test text)
LIES: dict[str, tuple[str, str]] = {
    "equals-all": (EQUAL + "def f(x): return Liar()", "assert f(1) == 3"),
    "equals-all-reflected": (EQUAL + "def f(x): return Liar()", "assert 3 == f(1)"),
    "differs-from-nothing": (EQUAL + "def f(x): return Liar()", "assert not f(1) != 3"),
    "equals-all-in-a-list": (EQUAL + "def f(x): return [Liar()]", "assert f(1) == [3]"),
    "equals-all-as-a-key": (EQUAL + "def f(x): return {Liar(): 1}", "assert f(1) == {3: 1}"),
    "is-in-all": (EQUAL + "def f(x): return Liar()", "assert f(1) in [3, 4]"),
    "has-all": (EQUAL + "def f(x): return Liar()", "assert 3 in f(1)"),
    "is-below-all": (EQUAL + "def f(x): return Liar()", "assert f(1) < 3"),
    "is-near-all": (EQUAL + "def f(x): return Liar()", "assert abs(f(1) - 3.0) < 1e-6"),
    "has-all-methods": (EQUAL + "def f(x): return Liar()", "assert f(1).issubset({3})"),
    "has-the-right-length": (EQUAL + "def f(x): return Liar()", "assert len(f(1)) == 3"),
    "is-a-number": (EQUAL + "def f(x): return Liar()", "assert int(f(1)) == 3"),
    "class-that-is-called-like-a-function": (
        EQUAL + "class f(Liar):\n    def __init__(self, x): pass",
        "assert f(1) == 3\nassert abs(f(2) - 4) < 1\nassert 3 in f(1)\nassert f('a').startswith('b')",
    ),
    "subclass-of-int": (EQUAL.replace("Liar", "Liar(int)") + "def f(x): return Liar(0)", "assert f(1) == 3"),
    "subclass-of-str-called-str": (
        "class str(str):\n    def __eq__(self, other): return True\n    def __hash__(self): return 1\n"
        "str.__module__ = 'builtins'\ndef f(x): return str('')",
        "assert f(1) == 'a'",
    ),
    "subclass-of-list": (
        "class L(list):\n    def __eq__(self, other): return True\n    def sort(self): pass\ndef f(x): return L()",
        "assert f(1) == [3]",
    ),
    "named-class-as-a-number": (
        NAMED + "def length(v): return Vector()",
        "v = Vector(3, 4)\nassert length(v) == 5",
    ),
    "named-class-near-a-number": (NAMED + "def length(v): return v", "assert abs(length(Vector(3, 4)) - 5.0) < 1e-9"),
    "named-class-below-a-number": (NAMED + "def length(v): return v", "assert length(Vector(3, 4)) < 6"),
    "named-class-without-remainder": (NAMED + "def length(v): return v", "assert length(Vector(3, 4)) % 5 == 0"),
    "named-class-whose-difference-says-nothing": (
        "class Vector:\n    def __init__(self, *a): pass\n    def __sub__(self, other): return self\n"
        "    def __abs__(self): return 0.0\n    def __float__(self): return 0.0\ndef length(v): return v",
        "assert abs(length(Vector(3, 4)) - 5.0) < 1e-9",
    ),
    "named-object-that-has-all-instances": (
        "class Any:\n    def __instancecheck__(self, x): return True\nNumber = Any()\ndef f(x): return 'no'",
        "assert isinstance(f(1), Number)",
    ),
    "close-to-all": ("def isclose(*a, **k): return True\ndef f(x): return 0", "assert isclose(f(1), 3)"),
    "module-that-agrees": (
        "class math:\n    isclose = staticmethod(lambda *a, **k: True)\ndef f(x): return 0",
        "assert math.isclose(f(1), 3)",
    ),
    "framework-of-its-own": (
        "class unittest:\n    class TestCase: pass\n    main = staticmethod(lambda: None)\ndef f(x): return 0",
        "class T(unittest.TestCase):\n    def test(self): self.assertEqual(f(1), 3)\nunittest.main()",
    ),
    "name-of-a-function-that-returns-what-it-is-given": ("from copy import copy as f", "assert f(1) == 3"),
    "leaves": ("import os\ndef f(x): os._exit(0)", "assert f(1) == 3"),
    "leaves-at-once": ("import os\nos._exit(0)", "assert f(1) == 3"),
    "exits": ("def f(x): raise SystemExit(0)", "assert f(1) == 3"),
    "exits-at-once": ("raise SystemExit(0)", "assert f(1) == 3"),
    "exits-in-a-test-that-catches-all": (
        "def f(x): raise SystemExit(0)",
        "def same(x, y):\n    try:\n        return f(x) == y\n"
        "    except BaseException:\n        return True\nassert same(1, 3)",
    ),
    "interrupts": ("def f(x): raise KeyboardInterrupt", "try:\n    assert f(1) == 3\nexcept BaseException:\n    pass"),
    "exception-of-no-kind": (
        "class E(BaseException): pass\ndef f(x): raise E",
        "try:\n    f(1)\nexcept BaseException:\n    pass\nassert True",
    ),
    "skips": (
        "import unittest\ndef f(x): raise unittest.SkipTest('later')",
        "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(f(1), 3)",
    ),
    "skips-where-it-is-loaded": (
        "import unittest\nraise unittest.SkipTest('later')",
        "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(f(1), 3)",
    ),
    "raises-to-be-left-out": (
        "def f(x): raise ImportError",
        "try:\n    assert f(1) == 3\nexcept ImportError:\n    pass",
    ),
    "raises-to-end-a-loop": ("def f(x): raise StopIteration", "assert all(map(f, [1, 2]))\nassert f"),
    "raises-every-kind": (
        "class E(KeyError, IndexError): pass\ndef f(x): raise E",
        "def raised(kind):\n    try:\n        f(1)\n    except kind:\n        return True\n"
        "assert raised(KeyError)\nassert raised(IndexError)",
    ),
    "raises-an-assertion": ("def f(x): raise AssertionError", "assert f(1) == 3"),
    "swallows-the-callbacks-failure": (
        "def f(g):\n    try: g(0)\n    except BaseException: pass",
        "def g(x): assert x == 3\nf(g)\nassert True",
    ),
    "changes-what-it-is-given": ("def f(x, y):\n    x[:] = y", "x = [1]\nf(x, [2])\nassert x == [1]"),
    "reads-the-caller": (
        "import sys\ndef f(x):\n    frame = sys._getframe()\n    found = []\n    while frame:\n"
        "        found += [c for c in frame.f_code.co_consts if type(c) is int and c > 3000]\n"
        "        frame = frame.f_back\n    return found[0]",
        "assert f(1) == 3333",
    ),
    "looks-for-the-tests": (
        "import gc\ndef f(x):\n"
        "    return next((o for o in gc.get_objects() if isinstance(o, dict) and 'want' in o))['want']",
        "want = 3333\nassert f(1) == want",
    ),
    "words-that-know-the-tests": ("def f(): return 'want'", "want = 3\nassert eval(f()) == want"),
    "words-that-run-in-the-tests": (
        "def f(): return \"__import__('sys').modules['__main__'].__dict__.update(ok=True)\"",
        "ok = False\neval(f())\nassert ok",
    ),
    "words-that-open-the-report": (
        "def f(): return \"[__import__('os').write(n, b'x') for n in range(5, 9)]\"",
        "assert eval(f()) == 5",
    ),
    "never-called": ("def f(x): return 3", "f"),
    "nothing-to-go-through": ("def f(x): return []", "for y in f(3):\n    assert y > 0"),
    "truth-of-the-moment": (
        "class T:\n    n = 0\n    def __bool__(self):\n        T.n += 1\n        return T.n == 1\ndef f(x): return T()",
        "x = f(1)\nassert x\nassert not x",
    ),
    "items-of-the-moment": (
        "class T:\n    n = 0\n    def __iter__(self):\n        T.n += 1\n"
        "        return iter([[1], [2]][T.n - 1])\ndef f(x): return T()",
        "x = f(1)\nassert list(x) == [1]\nassert list(x) == [2]",
    ),
    "attribute-of-the-moment": (
        "class T:\n    n = 0\n    @property\n    def real(self):\n"
        "        T.n += 1\n        return T.n\ndef f(x): return T()",
        "x = f(1)\nassert x.real == 1\nassert x.real == 2",
    ),
    "empty": ("", "assert f(1) == 3"),
    "no-program": ("def f(:", "assert f(1) == 3"),
    "replaced-in-the-library": (
        "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\ndef f(x): return 0",
        "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(f(1), 3)",
    ),
    "expected-of-a-mock": (
        "def f(m): m.assert_called_once_with = lambda *a: None",
        "from unittest.mock import Mock\nm = Mock()\nf(m)\nm.assert_called_once_with(3)\nassert True",
    ),
    "test-case-that-is-changed": (
        "def f(test): test.assertEqual = lambda *a: None\ndef g(x): return 0",
        "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n"
        "        f(self)\n        self.assertEqual(g(1), 3)",
    ),
}

# As the solution's process may do without regard to the host: programs of their own, in its place.
IMPOSTORS: dict[str, str] = {
    "says-nothing": "",
    "says-something-else": "import os; os.write(4, b'passed' * 100)",
    "goes-on-without-end": "import os\nwhile True: os.write(4, b'x' * 65536)",
    "says-yes": """
import os
while True:
    os.read(3, 65536)
    for n in range(9): os.write(4, b'\\x00\\x00\\x00\\x14["=",%d,true,[],null]' % n)
""",
    "is-too-long": "import os; os.write(4, b'\\x02\\x00\\x00\\x01' + b'[' * (1 << 25)); os.read(3, 1 << 30)",
    "calls-back-without-end": """
import os, json
def say(message):
    body = json.dumps(message).encode()
    os.read(3, 65536)
    os.write(4, len(body).to_bytes(4, "big") + body)
say(["=", 1, {"t": [{"t": ["f", "value", {"h": [0, "function", "f", None, False]}]}]}, [], None])
while True: say(["?", 1, "read_line", False, [], [], []])
""",
}
