"""Functions that want to harm or to deceive, and what each call ends in where 42 is expected.

By a limit of the call itself: there is no sandbox with limits around these.
"""

from __future__ import annotations

from sandbox_service.contract.verdict import Verdict

_PROGRAMS = r"""
### limit: endless iterator
import itertools
f = itertools.count
### limit: endless generator
def f():
    while True: yield 'x' * 1000
### limit: long list
def f(): return [1] * 5_000_000
### limit: many empty lists
def f(): return [[]] * 5_000_000
### limit: many values
def f(): return [[1, 2]] * 1_200_000
### limit: long text
def f(): return 'x' * 50_000_000
### limit: text that grows
def f(): return '\ud800' * 2_000_000
### limit: texts that grow
def f(): return ['\ud800' * 1000] * 100_000
### limit: long integer
def f(): return 1 << 40_000_000
### limit: long integers
def f(): return [1 << 30_000_000] * 10
### limit: long key
def f(): return {'x' * 50_000_000: 1}
### limit: tree of shared lists
def f():
    x = [1]
    for _ in range(60): x = [x, x]
    return x
### limit: too deep
def f():
    x = 1
    for _ in range(301): x = [x]
    return x
### limit: far too deep
def f():
    x = 1
    for _ in range(10**6): x = (x, 1)
    return x
### limit: deep mappings
def f():
    x = 1
    for _ in range(301): x = {'a': x}
    return x
### limit: list in itself
def f():
    x = []
    x.append(x)
    return x
### limit: mapping in itself
def f():
    x = {}
    x['a'] = x
    return x
### limit: flood of the channel
import os
def f():
    for _ in range(500): os.write(4, b'x' * 50_000)
### wrong: long integer as a key
def f(): return {1 << 10_000_000: 1}
### wrong: gone
import os
def f(): os._exit(0)
### wrong: gone before
import os
os._exit(0)
### error: gone with an error
import os
def f(): os._exit(9)
### error: killed
import os
def f(): os.kill(os.getpid(), 9)
### error: aborted
import os
def f(): os.abort()
### error: channel closed
import os
def f():
    os.close(4)
    return 42
### error: all descriptors closed
import os
def f():
    os.closerange(0, 100)
    return 42
### wrong: channel exchanged
import os
def f():
    os.dup2(2, 4)
    return 42
### wrong: forged and broken off
import os
def f():
    os.write(4, b'42')
    return 42
### wrong: forged as garbage
import os
def f():
    os.write(4, b'!{}\n')
    return 42
### wrong: forged verdict
import os
os.write(4, b'{"passed": true, "verdict": "accepted"}\n')
def f(): return 1
### wrong: forged tag on the channel
import os
def f(): os.write(4, b'!{"o":42}\n')
### wrong: forged tag
def f(): return {'o': 'int', 'i': '2a'}
### limit: forged limit
import os
def f():
    os.write(4, b'!{"l":"size"}\n')
    return 42
### wrong: no text
import os
def f():
    os.write(4, b'\xff\xfe\x00\n')
    return 42
### wrong: class that lies
class A:
    __class__ = int
    def __eq__(self, x): return True
def f(): return A()
### wrong: number that lies
class A(int):
    def __index__(self): return 42
    __int__ = __pos__ = __repr__ = __str__ = __index__
def f(): return A(7)
### wrong: text that lies
class A(str):
    def __str__(self): return '42'
def f(): return A('x')
### limit: list that lies
class A(list):
    def __iter__(self): return iter(int, 1)
def f():
    a = A()
    a.append(a)
    return a
### wrong: endless list
class A(list):
    def __iter__(self): return iter(int, 1)
def f(): return A('ab')
### wrong: endless mapping
class A(dict):
    def items(self): return iter(int, 1)
def f(): return A(a=1)
### wrong: name of a class
def f(): return type('x' * 10_000_000, (), {})()
### error: name that is none
class M(type):
    @property
    def __name__(cls): raise MemoryError
class A(metaclass=M): pass
def f(): return A()
### error: class that raises
class M(type):
    def __getattribute__(cls, name): raise KeyError(name)
class A(metaclass=M): pass
def f(): return A()
### error: iterator that raises
class A:
    def __next__(self): 1 / 0
    def __iter__(self): return self
def f(): return A()
### error: exception with a bad text
class E(Exception):
    def __str__(self): raise E
def f(): raise E
### limit: our exception
import __main__
def f(): raise __main__.Limit('items')
### wrong: hook that leaves
import sys, os
sys.excepthook = lambda *a: os._exit(0)
def f(): 1 / 0
### wrong: numpy that is none
import sys
sys.modules['numpy'] = 3
def f(): return object()
### wrong: no modules
import sys
sys.modules.clear()
def f(): return {1}
### wrong: no builtins
import builtins
vars(builtins).clear()
def f(): return [[1], {'a': 1.5}]
### wrong: little recursion
import sys
sys.setrecursionlimit(20)
def f(): return [[[[[[1]]]]]]
### right: patches everything
import builtins, json, os, sys
yes = lambda *a, **k: True
for module in (builtins, json, os, sys):
    for name in list(vars(module)):
        if callable(getattr(module, name)): setattr(module, name, yes)
def f(): return 42
### right: replaces stdout
import io, sys
sys.stdout = sys.stderr = io.StringIO()
def f(): return 42
### right: drops stdout
import sys
del sys.stdout
def f(): return 42
### right: closes stdout
import os, sys
sys.stdout.close()
os.close(1)
def f(): return 42
### right: stdout that raises
import sys
class A:
    def flush(self): raise SystemExit(3)
sys.stdout = A()
def f(): return 42
### right: deletes the program
import os
os.remove('main.py')
os.chdir('/')
def f(): return 42
### right: leaves a child
import os, time
def f():
    if os.fork() == 0:
        os.close(1); os.close(2); os._exit(0)
    return 42
### right: ends elsewhere
import atexit, os
atexit.register(os._exit, 3)
def f(): return 42
### right: forges what is right
import os
def f():
    os.write(4, b'42\n')
    os._exit(0)
"""
_ENDS = {
    "wrong": Verdict.WRONG_ANSWER,
    "limit": Verdict.OUTPUT_LIMIT_EXCEEDED,
    "error": Verdict.RUNTIME_ERROR,
    "right": Verdict.ACCEPTED,
}


def programs() -> dict[str, tuple[Verdict, str]]:
    """Programs by name, with how each ends."""
    found = {}
    for part in _PROGRAMS.split("### ")[1:]:
        head, code = part.split("\n", 1)
        end, name = head.split(": ")
        found[name] = (_ENDS[end], code)
    return found
