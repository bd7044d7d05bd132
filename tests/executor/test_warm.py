"""A program cannot tell whether it runs in a fresh Python or in one that had started already."""

# ruff: noqa: E501
from __future__ import annotations

import io
import re
import zipfile
from collections.abc import AsyncIterator
from typing import Any

import pytest

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import RunRequest
from sandbox_service.executor import Economy, NamespaceExecutor
from tests.executor.place import LIMITS, PYTHON, Place

CLASS = "class Loud:\n def __init__(self, name): self.name = name\n def __del__(self): print('gone', self.name)\n"

MODULES = [
    "collections",
    "heapq",
    "bisect",
    "math",
    "itertools",
    "functools",
    "operator",
    "re",
    "string",
    "random",
    "typing",
    "copy",
    "json",
    "datetime",
    "dataclasses",
    "enum",
    "types",
    "abc",
    "os",
    "sys",
    "time",
    "inspect",
    "contextlib",
    "warnings",
    "importlib",
    "struct",
    "threading",
    "decimal",
    "statistics",
]
PROGRAMS = {
    "globals": "print(__import__('__main__').__dict__ is globals(), sorted(globals()))",
    "values of globals": "print({k: repr(v) for k, v in globals().items() if k not in ('__loader__',)})",
    "loader": "print(type(__loader__), __loader__.name, __loader__.path, __spec__, __file__)",
    "modules": "import sys; print(list(sys.modules))",
    "modules of a library": "import sys, json, random, ctypes, socket, threading, struct; print(list(sys.modules))",
    **{
        f"module {name}": f"import {name}, sys; print(list(sys.modules), {name}.__spec__, sorted(vars({name})))"
        for name in MODULES
    },
    "modules from modules": "from collections.abc import Iterable; from json.decoder import JSONDecoder; import re._parser, sys; print(list(sys.modules))",
    "a part of a package": "import importlib, json, collections; print(sorted(vars(importlib)), sorted(vars(json)), sorted(vars(collections)))",
    "a module by name": "import importlib, sys; print(importlib.import_module('heapq'), list(sys.modules))",
    "a module of its making": "import sys; sys.modules['enum'] = sys; import re",
    "no such module": "import sys; sys.modules['json'] = None; import json",
    "another path": "import sys; sys.path.insert(1, '/tmp'); open('/tmp/heapq.py', 'w').write('x = 5'); import heapq; print(heapq.x)",
    "another finder": "import sys\nclass F:\n def find_spec(*a): print(a[1:])\nsys.meta_path.insert(0, F()); import heapq",
    "random numbers": "import random; print(len({random.random() for _ in range(3)}))",
    "frames": "import sys; print(sys._getframe().f_back, sys._getframe().f_code.co_name)",
    "stack": "import traceback; traceback.print_stack(); print(len(traceback.extract_stack()))",
    "inspect": "import inspect; print([f.filename for f in inspect.stack()])",
    "warning": "import warnings; warnings.warn('careful', stacklevel=1); warnings.warn('careful', stacklevel=2)",
    "recursion": "def f(n):\n try: return f(n + 1)\n except RecursionError: return n\nprint(f(0), __import__('sys').getrecursionlimit())",
    "deep recursion": "import sys\nsys.setrecursionlimit(10**6)\ndef f(n): return f(n - 1) if n else 0\nprint(f(50000))",
    "recursion in C": "x = []\nfor _ in range(100000): x = [x]\ntry: repr(x)\nexcept RecursionError as e: print(e)",
    "endless recursion": "def f(): return f()\nf()",
    "arguments": "import sys; print(sys.argv, sys.orig_argv)",
    "path": "import sys; print(sys.path, sys.meta_path, list(sys.path_importer_cache))",
    "hooks of the path": "import sys; print(len(sys.path_hooks), sys.path_hooks[0], sys.path_hooks[1].__name__)",
    "command line": "print(open('/proc/self/cmdline', 'rb').read())",
    "environment": "import os; print(dict(os.environ)); print(open('/proc/self/environ', 'rb').read())",
    "environment of children": "import subprocess; print(sorted(subprocess.check_output(['env']).splitlines()))",
    "the name": "print(open('/proc/self/comm').read(), __import__('os').readlink('/proc/self/exe'))",
    "flags": "import sys; print(sys.flags, sys.warnoptions, sys._xoptions, sys.dont_write_bytecode)",
    "executable": "import sys; print(sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix, sys.version)",
    "hashes": "print(hash('a'), hash(b'b'), {'x', 'y', 'z', 'w'}, hash((1, 'q')))",
    "sets": "print(set('the quick brown fox jumps over'), frozenset(map(str, range(20))))",
    "random state": "import random; random.seed(5); print(random.random(), random.getrandbits(64))",
    "tracing": "import sys; print(sys.gettrace(), sys.getprofile(), sys.getswitchinterval())",
    "garbage": "import gc; print(gc.isenabled(), gc.get_threshold(), gc.garbage, gc.callbacks)",
    "collected": "import gc; print(gc.collect())",
    "collected of its own": "import gc\nclass A: pass\na = A(); a.me = a; del a\nprint(gc.collect() > 0)",
    "signals": "import signal; print([signal.getsignal(n) for n in sorted(signal.valid_signals())])",
    "signal masks": "print([x for x in open('/proc/self/status') if x.startswith(('Sig', 'Shd'))])",
    "interrupt": "import os, signal\ntry: os.kill(os.getpid(), signal.SIGINT); __import__('time').sleep(5)\nexcept KeyboardInterrupt: print('caught')",
    "interrupted": "print('before', end='')\nraise KeyboardInterrupt",
    "interrupted from outside": "import os\nprint('x')\nos.kill(os.getpid(), 2)\nwhile True: pass",
    "broken pipe": "import os; r, w = os.pipe(); os.close(r)\ntry: os.write(w, b'x')\nexcept BrokenPipeError as e: print(e)",
    "alarm": "import signal; signal.alarm(1); signal.pause()",
    "handler": "import signal, os; signal.signal(10, lambda n, f: print(n, f.f_code.co_name)); os.kill(os.getpid(), 10)",
    "abort": "import os; print('lost'); os.abort()",
    "segmentation fault": "import ctypes; print('x', flush=True); ctypes.string_at(0)",
    "exit": "import sys; print('out'); sys.exit(7)",
    "exit with text": "import sys; sys.exit('the reason')",
    "exit with None": "raise SystemExit",
    "exit with a number": "raise SystemExit(300)",
    "exit with a negative one": "raise SystemExit(-1)",
    "exit with a tuple": "raise SystemExit(1, 2)",
    "exit of the site": "exit(3)",
    "sudden exit": "import os; print('lost'); os._exit(4)",
    "exit in a thread": "import threading, sys\nthreading.Thread(target=lambda: sys.exit(3)).start()",
    "exit of libc": "import ctypes; print('lost'); ctypes.CDLL(None).exit(5)",
    "exception": "def f(x): return 1 / x\n\nprint('out')\nf(0)",
    "chained exceptions": "try: {}['a']\nexcept KeyError as e: raise ValueError('b') from e",
    "exception in a library": "import json; json.loads('{')",
    "group of exceptions": "raise ExceptionGroup('many', [ValueError(1), TypeError(2)])",
    "notes": "e = ValueError('x'); e.add_note('a note'); raise e",
    "syntax error": "x = (1,\nprint(x",
    "indentation": "def f():\nreturn 1",
    "null byte": "x = 1\0",
    "bad encoding": "# coding: nonsense\nx = 1",
    "import error": "import nothing_of_the_kind",
    "import error from a module": "from os import nothing_of_the_kind",
    "hook of exceptions": "import sys; sys.excepthook = lambda *a: print('hook', a[0], a[2].tb_frame.f_back); 1 / 0",
    "broken hook": "import sys\ndef hook(*a): raise ValueError('in the hook')\nsys.excepthook = hook\n1 / 0",
    "what is last": "import sys; print(hasattr(sys, 'last_value'), sys.exc_info())",
    "unraisable": "class A:\n def __del__(self): raise ValueError('x')\nA()",
    "at exit": "import atexit\n@atexit.register\ndef a(): print('a')\natexit.register(print, 'b')\nprint('c')",
    "error at exit": "import atexit\n@atexit.register\ndef a(): 1 / 0\natexit.register(print, 'b')",
    "exit at exit": "import atexit, sys\natexit.register(sys.exit, 9)\nprint('x')",
    "at exit after an error": "import atexit; atexit.register(print, 'bye'); 1 / 0",
    "output at exit": "import atexit, sys; atexit.register(sys.stdout.write, 'unflushed')",
    "threads at exit": "import threading, time\ndef f(): time.sleep(0.2); print('late')\nthreading.Thread(target=f).start()\nprint('main')",
    "daemons at exit": "import threading, time\nthreading.Thread(target=time.sleep, args=(9,), daemon=True).start()\nprint('main')",
    "busy daemons at exit": "import threading\ndef f():\n while True: pass\nthreading.Thread(target=f, daemon=True).start()\nprint('main')",
    "threads": "import threading; print(threading.main_thread(), threading.active_count(), threading.current_thread().name)",
    "main thread": "import threading, os; print(threading.get_native_id() == os.getpid(), threading.main_thread().native_id == os.getpid())",
    "executor": "from concurrent.futures import *\nwith ThreadPoolExecutor(3) as p: print(list(p.map(abs, [-1, 2])))",
    "processes": "import multiprocessing as m\nif __name__ == '__main__':\n with m.Pool(2) as p: print(p.map(abs, [-1, -2]))",
    "asyncio": "import asyncio\nasync def f(): await asyncio.sleep(0.01); return 5\nprint(asyncio.run(f()))",
    "destructors": f"{CLASS}a = Loud('a'); b = Loud('b'); _c = Loud('c')",
    "destructors with functions": f"{CLASS}def f(): return a\na = Loud('a'); b = [Loud('b')]; _c = Loud('c')",
    "destructors in cycles": f"{CLASS}a = Loud('a'); a.me = a\nb = Loud('b'); b.a = a\ndel a",
    "destructors after garbage": f"{CLASS}for n in range(3): x = Loud(n); x.me = x\nx = [[] for _ in range(20000)]",
    "destructors in a class": f"{CLASS}class K: held = Loud('held')\nk = K()",
    "destructors after an error": f"{CLASS}a = Loud('a')\ndef f(): b = Loud('b'); 1 / 0\nf()",
    "destructors and imports": "class A:\n def __del__(self):\n  print(len, type(self).__name__)\na = A()",
    "weak references": "import weakref\nclass A: pass\na = A()\nr = weakref.ref(a, lambda _: print('dead'))\nf = weakref.finalize(a, print, 'final')",
    "generators at exit": "def g():\n try: yield 1\n finally: print('closed')\nx = g(); next(x)",
    "files at exit": "f = open('/tmp/x', 'w'); f.write('abc')\nimport atexit, os\natexit.register(lambda: print(os.path.getsize('/tmp/x')))",
    "standard input": "import sys; print(sys.stdin, sys.stdin.buffer.raw.seekable(), sys.stdin.read(3), sys.stdin.buffer.tell())",
    "lines of input": "import sys\nfor line in sys.stdin: print(repr(line))",
    "input": "print(input(), input('prompt '))",
    "end of input": "import sys; sys.stdin.read(); input()",
    "descriptor of input": "import os; print(os.read(0, 2), os.lseek(0, 0, 1), os.fstat(0).st_size)",
    "standard output": "import sys; print(sys.stdout, sys.stdout.line_buffering, sys.stdout.write_through, sys.stdout.errors)",
    "standard error": "import sys; print(sys.stderr, sys.stderr.line_buffering, sys.stderr.errors)",
    "buffers": "import sys, os; sys.stdout.write('x' * 9000); os.write(1, b'|'); sys.stdout.write('y')",
    "order of outputs": "import sys, os; print('a'); os.write(1, b'b\\n'); print('c', flush=True); os.write(1, b'd\\n')",
    "closed output": "import sys; print('x'); sys.stdout.close()",
    "closed descriptor": "import os; print('x'); os.close(1)",
    "closed descriptor of errors": "import os; os.close(2); print('x'); 1 / 0",
    "output without a reader": "import os, sys; r, w = os.pipe(); os.close(r); os.dup2(w, 1); print('x')",
    "replaced output": "import sys, io; sys.stdout = io.StringIO(); print('lost')",
    "no output": "import sys; sys.stdout = None; print('lost')",
    "surrogates": "import sys; print(ascii(sys.stdin.read()), sys.getfilesystemencoding(), sys.stdout.encoding)",
    "unprintable": "print('\\udcff'); print('\\ud800')",
    "locale": "import locale; print(locale.getlocale(), locale.getpreferredencoding(), locale.setlocale(0))",
    "time zone": "import time; print(time.tzname, time.timezone, time.daylight)",
    "pid": "import os; print(os.getpid(), os.getppid(), os.getsid(0) == os.getpgrp() == os.getpid())",
    "umask": "import os; print(oct(os.umask(0)), os.getcwd(), os.nice(0))",
    "limits": "import resource as r; print([r.getrlimit(n) for n in range(16)])",
    "descriptors": "import os; print(sorted(os.listdir('/proc/self/fd')), [os.get_inheritable(n) for n in range(3)])",
    "own files in /proc": "import os; print(os.stat('/proc/self').st_uid == os.getuid(), os.access('/proc/self/mem', os.R_OK))",
    "children in /proc": "import os\nif (p := os.fork()) == 0: os.execvp('sleep', ['sleep', '9'])\nprint(len(os.listdir(f'/proc/{p}/fd')) > 0)\nos.kill(p, 9)",
    "fork": "import os\nif os.fork() == 0: print('child')\nelse: os.wait(); print('parent')",
    "exit of a child": "import os, sys, atexit\natexit.register(print, 'end')\nif os.fork() == 0: sys.exit(3)\nprint(os.wait()[1])",
    "error in a child": "import os\nif os.fork() == 0: 1 / 0\nprint(os.wait()[1])",
    "exec": "import os, sys; print('lost'); os.execv(sys.executable, ['python3', '-c', 'print(5)'])",
    "subprocess": "import subprocess, sys; print(subprocess.run([sys.executable, '-c', 'import sys; print(sys.argv)'], capture_output=True))",
    "ctypes": "import ctypes, ctypes.util; print(ctypes.c_int(5), ctypes.CDLL(None).abs(-3), ctypes.sizeof(ctypes.c_long))",
    "callbacks of ctypes": "import ctypes\nf = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda x: x * 2)\nprint(f(21))",
    "initialized": "import ctypes; print(ctypes.pythonapi.Py_IsFinalizing() if hasattr(ctypes.pythonapi, 'Py_IsFinalizing') else 0)",
    "extensions": "import _socket, _ctypes, _struct, resource, fcntl, select, array, mmap, zlib, _json, _decimal; print(mmap.PAGESIZE)",
    "reloading": "import importlib, json; importlib.reload(json); print(json.dumps([1]))",
    "own modules": "import helper; print(helper.__file__, helper.x, helper.__name__)",
    "hidden modules": "import random; print(random.__file__)",
    "a package": "import package.inner as p; print(p.__package__, p.y)",
    "data beside it": "print(open('data.txt').read(), __import__('os').listdir('.'))",
    "pickle": "import pickle\nclass A: pass\nprint(type(pickle.loads(pickle.dumps(A()))) is A)",
    "dataclass": "from dataclasses import *\n@dataclass\nclass P:\n x: int = 1\nprint(P())",
    "unittest": "import unittest, sys\nclass T(unittest.TestCase):\n def test(self): self.assertEqual(1, 2)\nunittest.main()",
    "doctest": "'''\n>>> 1 + 1\n3\n'''\nimport doctest; print(doctest.testmod())",
    "run by name": "import runpy; print(sorted(runpy.run_path('helper.py')))",
    "compile": "exec(compile('print(__name__, __file__)', 'x', 'exec'))",
    "names of code": "def f(): pass\nprint(f.__code__.co_filename, f.__module__, f.__globals__ is globals())",
    "audit": "import sys; sys.addaudithook(lambda n, a: n == 'open' and print(n, a[0])); open('data.txt').close()",
    "faulthandler": "import faulthandler; print(faulthandler.is_enabled()); faulthandler.dump_traceback()",
    "memory tracing": "import tracemalloc; print(tracemalloc.is_tracing()); tracemalloc.start(); x = [1] * 9; print(tracemalloc.get_traced_memory()[0] > 0)",
    "interned": "print('ab' + 'c' is 'abc', sys.getrefcount(None) > 100) if (sys := __import__('sys')) else 0",
    "typing": "import typing, collections.abc, enum, re; print(typing.List[int], re.compile('a+').findall('aab'), enum.Enum('E', 'A B').A)",
    "queue": "import heapq, bisect, collections; h = [3, 1]; heapq.heapify(h); print(h, collections.Counter('aab'), bisect.bisect([1, 2], 2))",
    "decimal": "from decimal import *; from fractions import *; print(Decimal(1) / 3, getcontext(), Fraction(1, 3))",
    "big numbers": "import sys; print(2 ** 5000 > 0, sys.get_int_max_str_digits()); print(10 ** 5000)",
    "time of its own": "import time; print(time.process_time() < 1, time.monotonic() > 0)",
    "nothing": "",
}
FILES = {
    "helper.py": "x = 5\n",
    "random.py": "x = 6\n",
    "package/__init__.py": "",
    "package/inner.py": "y = 7\n",
    "data.txt": "data",
}
NEEDS_OWN_FILES = {"own modules", "hidden modules", "a package", "data beside it", "run by name", "audit"}
INPUT = b"first line\nsecond \xff line\nthird"


def compared(outcome: Outcome) -> tuple[Any, ...]:
    """What a program did, without what is another for every run."""
    text = [
        re.sub(rb"0x[0-9a-f]{6,}|pid=\d+|in [0-9.]+s|started \d+", b"?", stream)
        for stream in (outcome.stdout, outcome.stderr)
    ]
    return outcome.exit_code, outcome.signal, outcome.killed_by, outcome.out_of_memory, *text


class Both(Place):
    async def twice(self, command: list[bytes], files: dict[str, str], **more: Any) -> Outcome:
        """The outcome cold and warm, which is the same."""
        self.warm = False
        cold = await self.run(command, files, **more)
        self.warm = True
        warm = await self.run(command, files, **more)
        assert not cold.warm
        if "warm" not in more:
            assert warm.warm
        assert compared(warm) == compared(cold)
        return warm


@pytest.fixture
async def both(executor: NamespaceExecutor) -> AsyncIterator[Both]:
    sandbox = await executor.open()
    yield Both(executor, sandbox)
    await sandbox.close()


@pytest.mark.parametrize("arguments", [(), (b"an argument", b"\xff", b"")], ids=["", "arguments"])
@pytest.mark.parametrize("name", PROGRAMS)
async def test_as_a_file(both: Both, name: str, arguments: tuple[bytes, ...]) -> None:
    files = {"main.py": PROGRAMS[name]} | (FILES if name in NEEDS_OWN_FILES else {})
    await both.twice([PYTHON, b"main.py", *arguments], files, stdin=INPUT)


@pytest.mark.parametrize("name", [name for name in PROGRAMS if "\0" not in PROGRAMS[name]])
async def test_as_an_argument(both: Both, name: str) -> None:
    files = FILES if name in NEEDS_OWN_FILES else {}
    await both.twice([PYTHON, b"-c", PROGRAMS[name].encode(), b"-v", b"main.py"], files, stdin=INPUT)


@pytest.mark.parametrize("name", ["./main.py", "other.py", "folder/main.py", "/work/main.py", "nothing.py"])
async def test_names_of_files(both: Both, name: str) -> None:
    code = "import sys; print(sys.argv, sys.path[0], __file__, open('/proc/self/cmdline').read())\n1 / 0"
    files = {"main.py": code, "other.py": code, "folder/main.py": code}
    await both.twice([PYTHON, name.encode()], files)


@pytest.mark.parametrize("name", ["main.py", "other.py", "folder"])
async def test_packages(both: Both, name: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("__main__.py", "print(__file__)")
    content = packed.getvalue()
    files = {"main.py": content, "other.py": content, "folder/__main__.py": b"print(__file__)"}
    for both.warm in (False, True):
        outcome = await both.run([PYTHON, name.encode()], files)
        assert outcome.stdout == f"/work/{name}/__main__.py\n".encode()


@pytest.mark.parametrize(
    "command",
    [[b"-O", b"main.py"], [b"-m", b"main"], [b"-"], [b"-c"], [], [b"-uc", b"print(1)"], [b"--", b"main.py"], [b"-V"]],
    ids=str,
)
async def test_other_commands_run_cold(both: Both, command: list[bytes]) -> None:
    both.warm = True
    outcome = await both.run([PYTHON, *command], {"main.py": "print(__debug__)"}, stdin=b"print(2)")
    assert not outcome.warm


@pytest.mark.parametrize("name", ["PYTHONHASHSEED", "PYTHONPATH", "LANG", "LC_ALL", "TZ", "HOME", "PYTHONOPTIMIZE"])
async def test_what_counts_at_the_start_runs_cold(both: Both, name: str) -> None:
    both.warm = True
    outcome = await both.run([PYTHON, b"main.py"], {"main.py": "print(1)"}, environment={name: "1"})
    assert not outcome.warm


async def test_other_variables(both: Both) -> None:
    code = "import os; print(dict(os.environ)); os.system('env | sort'); print(open('/proc/self/environ').read())"
    more = {"A": "1", "USER": "other", "TWO": "a=b\udcff"}
    await both.twice([PYTHON, b"main.py"], {"main.py": code}, environment=more)


async def test_modules_of_its_user_run_cold(both: Both) -> None:
    both.warm = True
    path = ".local/lib/python3.11/site-packages/usercustomize.py"
    outcome = await both.run([PYTHON, b"-c", b""], {path: "print('mine')"})
    assert (outcome.stdout, outcome.warm) == (b"mine\n", False)


async def test_a_long_text(both: Both) -> None:
    code = b"x = '" + b"y" * 110_000 + b"'; print(len(x))"
    await both.twice([PYTHON, b"-c", code], {})


async def test_threads_have_stacks_of_the_size_of_the_limit(both: Both) -> None:
    code = """if True:
        import re, threading
        thread = threading.Thread(target=lambda: print(max(stacks())))
        def stacks():
            for line in open("/proc/self/maps"):
                start, end = (int(part, 16) for part in line.split()[0].split("-"))
                if "rw-p" in line and not re.search("[[/]", line):
                    yield end - start
        thread.start()
    """
    await both.twice([PYTHON, b"main.py"], {"main.py": code}, stack_bytes=32 << 20)


async def test_isolation_tells(both: Both) -> None:
    for warm in (True, False):
        both.warm = warm
        outcome = await both.run([PYTHON, b"-c", b""])
        assert outcome.warm == both.sandbox.isolation.warm == warm


async def test_it_can_be_switched_off() -> None:
    executor = NamespaceExecutor(Economy(warm=False))
    await executor.start()
    sandbox = await executor.open()
    outcome = await sandbox.run(RunRequest([PYTHON, b"-c", b"print(1)"], LIMITS, warm=True))
    await sandbox.close()
    await executor.stop()
    assert (outcome.stdout, outcome.warm) == (b"1\n", False)


async def test_nothing_of_a_run_is_in_the_memory_of_the_next(both: Both) -> None:
    secret = "".join(chr(ord("a") + number % 26) for number in range(7, 60, 3))
    both.warm = True
    await both.run([PYTHON, b"main.py", secret.encode()], {"main.py": f"x = '{secret}'"}, stdin=secret.encode())
    halves = secret[:9], secret[9:]
    code = f"""if True:
        found = 0
        with open("/proc/self/mem", "rb") as memory:
            for line in open("/proc/self/maps"):
                start, end = (int(part, 16) for part in line.split()[0].split("-"))
                if "rw-p" in line:
                    memory.seek(start)
                    data = memory.read(end - start)
                    at = data.find({halves[0]!r}.encode())
                    while at >= 0:
                        found += data[at + 9 : at + 18] == {halves[1]!r}.encode()
                        at = data.find({halves[0]!r}.encode(), at + 1)
        print(found)
    """
    outcome = await both.run([PYTHON, b"main.py"], {"main.py": code})
    assert (outcome.warm, outcome.stdout) == (True, b"0\n"), outcome


NUMPY = {
    "import": "import numpy\nprint(int(numpy.arange(10).sum()), numpy.__version__, numpy.__file__)",
    "modules": "import numpy, sys\nprint(sorted(sys.modules))",
    "names": "import numpy\nprint(sorted(vars(numpy)), numpy.linalg, 'numpy.testing' in __import__('sys').modules)",
    "parts": "import numpy.linalg as l, numpy as np\nprint(l.inv(np.eye(3) * 2), np.fft.fft([1, 2]))",
    "seeded": "import numpy as np\nnp.random.seed(1)\nprint(np.random.rand(2), np.random.default_rng(3).random(3))",
    "from": "from numpy import array, random\nprint(array([1, 2]) @ array([3, 4]), random)",
    "error": "import numpy as np\nnp.linalg.inv(np.zeros((2, 2)))",
    "threads": "import numpy as np, threading\nx = np.ones((300, 300))\nprint((x @ x).sum(), threading.active_count())",
    "its own": "import sys\nprint(sorted(sys.modules), 'numpy' in sys.modules)",
}


@pytest.mark.parametrize("name", NUMPY)
async def test_numpy_read_ahead(executor: NamespaceExecutor, name: str) -> None:
    sandbox = await executor.open(preload="numpy")
    both = Both(executor, sandbox)
    if (await both.python("import numpy")).exit_code == 0:
        await both.twice([PYTHON, b"main.py"], {"main.py": NUMPY[name]})
    await sandbox.close()


async def test_chance_is_another_in_each_run(executor: NamespaceExecutor) -> None:
    sandbox = await executor.open(preload="numpy")
    place = Place(executor, sandbox, warm=True)
    modules = ["random.random()"] + ["numpy.random.rand()"] * ((await place.python("import numpy")).exit_code == 0)
    for value in modules:
        code = f"import {value.rpartition('.')[0]}\nprint({value})"
        assert len({await place.seen(code) for _ in range(3)}) == 3
    await sandbox.close()
