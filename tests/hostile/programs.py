"""Hostile solutions for every kind of task, and the submissions that bring them. None of them is right."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.hostile.values import values

PRELUDE = """
import array, collections, gc, json, os, random, signal, socket, struct, sys, threading, time, types

def code(body):
    names = {}
    exec("def method(self, *args, **kwargs):\\n    " + body.replace("; ", "\\n    "), globals(), names)
    return names["method"]

class Meta(type):
    def __instancecheck__(self, other): return True
    def __eq__(self, other): return True
    def __hash__(self): return 0
    def __getattribute__(self, name): raise SystemExit(0)

def nested(kind, depth):
    value = 0
    for _ in range(depth):
        value = {0: value} if kind is dict else kind([value])
    return value

def looped(value):
    if isinstance(value, list): value.append(value)
    else: value[0] = value
    return value

def everywhere(data):
    for fd in range(3, 30):
        try: os.write(fd, data)
        except OSError: pass

def frame(value):
    text = json.dumps(value).encode()
    return struct.pack(">I", len(text)) + text
"""
BEFORE = [
    "",
    "everywhere(b'\\xff' * 100)",
    "everywhere(struct.pack('>I', 1 << 31))",
    "everywhere(frame({'seq': 1, 'value': 42}) * 50)",
    "everywhere(b'[' * 60_000)",
    "everywhere(frame({'case': 0, 'passed': True}) + b'{\"end\": true}\\n')",
    "os.closerange(0, 64)",
    "os.closerange(3, 64)",
    "[os.dup2(1, fd) for fd in range(2, 8)]",
    "[os.dup2(fd, 3) for fd in (1, 4)]",
    "sys.stdout.write('x' * 3_000_000)",
    "sys.stdout.write('{\"end\": true}\\n' * 100)",
    "sys.setrecursionlimit(2**31 - 1)",
    "sys.setswitchinterval(1e-6)",
    "json.dumps = lambda *a, **k: '['",
    "sys.modules.clear()",
    "__import__('builtins').__dict__.update(len=lambda *a: -1, type=lambda *a: int, isinstance=lambda *a: True)",
    "__import__('builtins').__dict__.clear()",
    "gc.disable() or gc.freeze()",
    "sys.settrace(lambda *a: 1/0)",
    "sys.excepthook and setattr(sys, 'excepthook', lambda *a: os._exit(0))",
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001) or signal.signal(signal.SIGALRM, lambda *a: 1/0)",
    "__import__('resource').setrlimit(7, (3, 3))",
    "__import__('resource').setrlimit(1, (0, 0))",
    "threading.Thread(target=lambda: [everywhere(os.urandom(64)) for _ in iter(int, 1)], daemon=True).start()",
    "threading.Thread(target=time.sleep, args=(99,)).start()",
    "os.fork()",
    "__import__('atexit').register(os._exit, 0)",
    "os.nice(5)",
    "setattr(sys, 'stdout', None)",
    "os.kill(os.getpid(), signal.SIGSTOP)",
]
ENDS = [
    "os._exit(0)",
    "os._exit(7)",
    "os.kill(os.getpid(), signal.SIGKILL)",
    "os.abort()",
    "sys.exit(0)",
    "exit()",
    "raise SystemExit(None)",
    "raise KeyboardInterrupt",
    "raise GeneratorExit",
    "raise StopIteration('x' * 1_000_000)",
    "raise RecursionError",
    "raise MemoryError",
    "raise type('SkipTest', (Exception,), {'__str__': code('os._exit(0)')})()",
    "raise type('Outcome', (BaseException,), {'__reduce__': code('raise ValueError(1)')})()",
    "raise ExceptionGroup('x', [ValueError()] * 1000)",
    "bytearray(1 << 40)",
    "[bytearray(1 << 20) for _ in iter(int, 1)]",
    "f.__wrapped__",
    "f(*args)",
    "[0 for _ in iter(int, 1)]",
    "time.sleep(99)",
    "[print('y' * 1000) for _ in range(5000)]",
    "[args[0](object(), n) for n in range(10**6)]",
    "everywhere(b'\\n' * 60_000)",
]
CHECKERS = {
    "int": "sys.exit(0 if int(output) == -7 else 1)\n",
    "eval": "sys.exit(0 if eval(output) == -7 else 1)\n",
    "json": "sys.exit(0 if json.loads(output) == [-7] else 1)\n",
    "first": "words = output.split()\nsys.exit(0 if words[0] == words[1] == '-7' else 2)\n",
    "points": "print('points', output[:9], file=sys.stderr)\nsys.exit(7)\n",
}
EXPECTED = {"int": "-7", "eval": "-7", "json": "[-7]", "first": "-7 -7", "points": "0"}
READ = "import sys, json\noutput = open(sys.argv[2]).read()\n"
LIMITS = {"cpu_seconds": 1, "wall_seconds": 6, "memory_bytes": 160 << 20, "output_bytes": 1 << 20}


@st.composite
def solutions(draw: st.DrawFn) -> str:
    """A program whose `f` is never right."""
    early, late = draw(st.sampled_from(BEFORE)), draw(st.sampled_from(BEFORE))
    answer = draw(st.one_of(values().map(lambda value: f"return {value}"), st.sampled_from(ENDS)))
    return f"{PRELUDE}\ndef f(*args):\n    {late or 'pass'}\n    {answer}\n\n{early}\n"


@st.composite
def outputs(draw: st.DrawFn) -> str:
    """A program that prints what is hard to read."""
    early = draw(st.sampled_from(BEFORE))
    value = draw(values())
    how = draw(
        st.sampled_from(
            ["print({})", "print(repr({}))", "sys.stdout.buffer.write(bytes(str({}), 'utf-8', 'surrogatepass'))"]
        )
    )
    return f"{PRELUDE}\n{early}\n{how.format(value)}\n"


def functions() -> st.SearchStrategy[dict[str, Any]]:
    """Called with plain arguments; the value is compared outside."""
    cases = [{"args": [1], "expected": {"never": [7]}}, {"args": [[2, 3], "x"], "expected": -7.25}]
    modes = st.sampled_from([{"mode": "equal"}, {"mode": "float", "abs_tol": 1e-6}, {"mode": "tokens"}])
    return st.builds(
        lambda code, compare: _body(code, {"type": "function", "entry_point": "f", "cases": cases, "compare": compare}),
        solutions(),
        modes,
    )


TEXTS = [
    """
assert f(1) == {"never": [7]}
assert f([2, 3], "x") == -7.25
""",
    """
assert f(lambda *args: [args]) == {"never": 7}
assert sorted(f(3)) == ["never", "never"]
""",
    """
def check(candidate):
    for n in range(3):
        assert list(candidate(n)) == ["never", n]
    assert len(candidate(1)) == -1
""",
    """
import unittest
class Test(unittest.TestCase):
    def test_a(self):
        self.assertEqual(f(1), "never")
    def test_b(self):
        with self.assertRaises(ZeroDivisionError):
            f(2)
        self.assertEqual(f(3), "never")
""",
    """
>>> f(1)
'never'
>>> print(f(2))
never
""",
    """
data = [[1], {}]
f(data)
assert data == [[1], "never"]
""",
]


def assertions() -> st.SearchStrategy[dict[str, Any]]:
    """A test text, run apart."""
    return st.builds(
        lambda code, text: _body(code, {"type": "assertions", "code": text, "entry_point": "f"}),
        solutions(),
        st.sampled_from(TEXTS),
    )


def checked() -> st.SearchStrategy[dict[str, Any]]:
    """An output that a careless checker looks at."""
    return st.builds(
        lambda code, checker: _body(
            code,
            {
                "type": "stdio",
                "cases": [{"expected": EXPECTED[checker]}],
                "compare": {"mode": "checker", "language": "python", "code": READ + CHECKERS[checker]},
            },
        ),
        outputs(),
        st.sampled_from(sorted(CHECKERS)),
    )


def _body(code: str, task: dict[str, Any]) -> dict[str, Any]:
    return {"language": "python", "code": code, "task": task, "limits": LIMITS, "cache": False}


def submissions() -> st.SearchStrategy[dict[str, Any]]:
    """One of them all."""
    return st.one_of(functions(), assertions(), checked())
