"""Right programs with classes, and tests of them: all have to be accepted."""

from __future__ import annotations

OBJECTS: dict[str, tuple[str, str]] = {
    "stack": (
        """
class Stack:
    kind = "lifo"
    def __init__(self, items=()): self.items = list(items)
    def push(self, x): self.items.append(x)
    def pop(self): return self.items.pop()
    def __len__(self): return len(self.items)
    def __eq__(self, o): return isinstance(o, Stack) and self.items == o.items
    def __repr__(self): return "Stack(%r)" % self.items
    def __iter__(self): return iter(self.items)
    def __contains__(self, x): return x in self.items
    def __getitem__(self, i): return self.items[i]
    def __setitem__(self, i, v): self.items[i] = v
    def __bool__(self): return bool(self.items)
    def __add__(self, o): return Stack(self.items + o.items)
    @property
    def top(self): return self.items[-1]
    @classmethod
    def of(cls, *a): return cls(a)
    @staticmethod
    def two(): return 2
class Big(Stack): pass
""",
        """
import copy
s = Stack()
assert not s
s.push(3); s.push(4)
assert len(s) == 2 and s.top == 4
assert s.pop() == 4
assert s.items == [3]
assert s == Stack([3])
assert s != Stack([4])
assert s != [3] and not s == [3]
assert repr(s) == "Stack([3])" and f"{s}" == str(s)
assert list(s) == [3]
assert 3 in s and 4 not in s
assert s[0] == 3
s[0] = 7
assert s[0] == 7
assert isinstance(s, Stack) and type(s) is Stack
assert Stack.kind == "lifo"
Stack.kind = "other"
assert s.kind == "other"
assert Stack.of(1, 2).items == [1, 2]
assert Stack.two() == 2
assert (Stack([1]) + Stack([2])).items == [1, 2]
b = Big([1])
assert isinstance(b, Stack) and issubclass(Big, Stack) and type(b) is Big
s.extra = 5
assert s.extra == 5
del s.extra
assert not hasattr(s, "extra")
assert Stack.__name__ == "Stack" and s.push.__name__ == "push"
assert [Stack([1]), Stack([2])] == [Stack([1]), Stack([2])]
assert vars(s) == {"items": [7]}
t = copy.deepcopy(s)
t.push(1)
assert len(s) == 1 and len(t) == 2
assert Stack.push(t, 5) is None and len(t) == 3
try:
    s["x"]
    assert False
except TypeError:
    pass
""",
    ),
    "operators": (
        """
import functools
@functools.total_ordering
class V:
    def __init__(self, a): self.a = a
    def __eq__(self, o): return self.a == o.a
    def __lt__(self, o): return self.a < o.a
    def __hash__(self): return hash(self.a)
    def __mul__(self, k): return V(self.a * k)
    def __rmul__(self, k): return V(self.a * k)
    def __matmul__(self, o): return self.a * o.a
    def __neg__(self): return V(-self.a)
    def __abs__(self): return abs(self.a)
    def __iadd__(self, o):
        self.a += o.a
        return self
    def __call__(self, x): return self.a + x
    def __format__(self, spec): return "V" + spec
""",
        """
assert V(1) < V(2) <= V(2)
assert max(V(1), V(3)) == V(3)
assert sorted([V(3), V(1)]) == [V(1), V(3)]
assert V(2) * 3 == V(6) == 3 * V(2)
assert V(2) @ V(3) == 6
assert -V(1) == V(-1)
assert abs(V(-3)) == 3
assert len({V(1), V(1), V(2)}) == 2
assert {V(1): "a"}[V(1)] == "a"
assert V(1)(2) == 3
assert f"{V(1):x}" == "Vx"
v = V(1)
w = v
v += V(2)
assert v is w and v.a == 3
""",
    ),
    "dataclasses": (
        """
from dataclasses import dataclass, field
@dataclass(frozen=True)
class P:
    x: int
    y: int = 0
@dataclass(order=True)
class Q:
    a: int
    l: list = field(default_factory=list)
""",
        """
import dataclasses
assert P(1) == P(1, 0)
assert P(1, 2) != P(2, 1)
assert repr(P(1, 2)) == "P(x=1, y=2)"
try:
    P(1).x = 3
    assert False
except dataclasses.FrozenInstanceError:
    pass
assert Q(1) < Q(2)
assert Q(1).l == []
assert len({P(1), P(1)}) == 1
assert dataclasses.is_dataclass(P)
""",
    ),
    "enum": (
        """
from enum import Enum
class Color(Enum):
    RED = 1
    GREEN = 2
def f(x): return Color.RED if x else Color.GREEN
""",
        """
assert f(1) is Color.RED
assert f(0) == Color.GREEN
assert Color(1) is Color.RED
assert Color["GREEN"].value == 2
assert [c.name for c in Color] == ["RED", "GREEN"]
assert len(Color) == 2
assert isinstance(Color.RED, Color) and Color.RED in Color
assert {Color.RED: 1}[Color.RED] == 1
""",
    ),
    "data-at-the-module": (
        """
class Node:
    def __init__(self, d):
        self.data, self.left, self.right = d, None, None
root = Node(1)
root.left = Node(2)
def height(n): return 0 if n is None else 1 + max(height(n.left), height(n.right))
""",
        "assert height(root) == 2\nassert root.left.data == 2",
    ),
    "objects-of-a-class-without-name": (
        """
class Node:
    def __init__(self, v, next=None): self.val, self.next = v, next
    def double(self): return self.val * 2
class Many:
    def __iter__(self): return iter([1, 2])
def build(xs):
    h = None
    for x in reversed(xs): h = Node(x, h)
    return h
def many(): return Many()
""",
        """
n = build([1, 2])
assert n
assert n is not None
assert n.val == 1
assert n.next.val == 2
assert n.next.next is None
assert n.double() == 2
assert list(many()) == [1, 2] and 2 in many()
""",
    ),
    "objects-used-as-such": (
        """
class account:
    def __init__(self): self.balance = 0
    def deposit(self, x): self.balance += x
def open_account(x):
    a = account()
    a.deposit(x)
    return a
""",
        "a = open_account(2)\na.deposit(5)\nassert a.balance == 7\nb = account()\nb.deposit(1)\nassert b.balance == 1",
    ),
    "objects-of-several-classes": (
        """
class Account:
    def __init__(self, owner): self.owner, self.balance = owner, 0
    def deposit(self, x):
        self.balance += x
        return self
class Bank:
    def __init__(self): self.accounts = {}
    def open(self, owner):
        self.accounts[owner] = Account(owner)
        return self.accounts[owner]
    def get(self, owner): return self.accounts[owner]
""",
        """
b = Bank()
a = b.open("x")
a.deposit(5).deposit(6)
assert a.balance == 11
assert b.get("x").balance == 11
assert b.accounts["x"] is a
""",
    ),
    "abstract": (
        """
from abc import ABC, abstractmethod
class Shape(ABC):
    @abstractmethod
    def area(self): ...
class Sq(Shape):
    def __init__(self, a): self.a = a
    def area(self): return self.a ** 2
""",
        "assert Sq(2).area() == 4\nassert isinstance(Sq(1), Shape)\n"
        "try:\n    Shape()\n    assert False\nexcept TypeError:\n    pass",
    ),
    "generic": (
        "from typing import Generic, TypeVar\nT = TypeVar('T')\n"
        "class Box(Generic[T]):\n    def __init__(self, x): self.x = x",
        "assert Box[int](3).x == 3\nassert Box(4).x == 4",
    ),
    "singleton": (
        "class S:\n    _i = None\n    def __new__(cls):\n"
        "        if cls._i is None: cls._i = super().__new__(cls)\n        return cls._i",
        "assert S() is S()",
    ),
    "iterator": (
        """
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n <= 0: raise StopIteration
        self.n -= 1
        return self.n + 1
""",
        "assert list(Countdown(3)) == [3, 2, 1]\nc = Countdown(2)\nassert next(c) == 2\nassert iter(c) is c",
    ),
    "context-managers": (
        """
class CM:
    def __enter__(self):
        self.x = 1
        return self
    def __exit__(self, t, v, tb):
        self.x = 2
        return t is ValueError
from contextlib import contextmanager
@contextmanager
def noted(log):
    log.append("in")
    yield 5
    log.append("out")
""",
        """
c = CM()
with c as d:
    assert d is c and d.x == 1
    raise ValueError
assert c.x == 2
log = []
with noted(log) as five:
    assert five == 5
assert log == ["in", "out"]
""",
    ),
    "properties-that-raise": (
        "class A:\n    @property\n    def p(self): raise AttributeError('nope')\n    def m(self): raise KeyError('k')",
        "a = A()\nassert not hasattr(a, 'p')\n"
        "try:\n    a.m()\n    assert False\nexcept KeyError as e:\n    assert e.args == ('k',)",
    ),
    "exception-of-a-class": (
        """
class Stack:
    class Empty(Exception): pass
    def pop(self): raise Stack.Empty("empty")
""",
        "try:\n    Stack().pop()\n    assert False\nexcept Stack.Empty as e:\n    assert str(e) == 'empty'",
    ),
    "observers-of-the-tests": (
        """
class Subject:
    def __init__(self): self.observers = []
    def attach(self, o): self.observers.append(o)
    def fire(self, e):
        for o in self.observers: o.update(e)
""",
        """
class O:
    def __init__(self): self.got = []
    def update(self, e): self.got.append(e)
s, o = Subject(), O()
s.attach(o)
s.fire(1); s.fire(2)
assert o.got == [1, 2]
""",
    ),
    "nodes-of-the-tests": (
        """
def rev(head):
    prev = None
    while head:
        head.next, prev, head = prev, head, head.next
    return prev
def grow(node): node.kids.append(5)
""",
        """
class Node:
    def __init__(self, v, next=None): self.val, self.next, self.kids = v, next, []
r = rev(Node(1, Node(2, Node(3))))
out = []
while r:
    out.append(r.val)
    r = r.next
assert out == [3, 2, 1]
n = Node(0)
grow(n)
assert n.kids == [5]
""",
    ),
    "files-and-mocks-of-the-tests": (
        "def f(fp): return [l.strip() for l in fp]\ndef g(fp): fp.write('x')\ndef h(svc): return svc.get(3) + 1",
        """
import io
from unittest.mock import Mock
assert f(io.StringIO("a\\nb")) == ["a", "b"]
b = io.StringIO()
g(b)
assert b.getvalue() == "x"
m = Mock()
m.get.return_value = 4
assert h(m) == 5
m.get.assert_called_once_with(3)
""",
    ),
    "patches": (
        """
import random, sys, time
def roll(): return random.randint(1, 6)
def nap():
    time.sleep(5)
    return "x"
def say(): print("hi", 3)
def read(path):
    with open(path) as file: return file.read()
def helper(): return 1
def use(): return helper() + 1
def ask(): return input("name? ")
class Service:
    def get(self): return 1
def service(): return Service().get()
""",
        """
import io, random, time
from unittest.mock import mock_open, patch
import solution
with patch("random.randint", return_value=4) as randint:
    assert roll() == 4
    randint.assert_called_once_with(1, 6)
assert 1 <= roll() <= 6
with patch("time.sleep") as sleep:
    assert nap() == "x"
sleep.assert_called_once_with(5)
with patch("builtins.print") as printed:
    say()
printed.assert_called_once_with("hi", 3)
with patch("builtins.open", mock_open(read_data="data")), patch("solution.open", mock_open(read_data="x"), create=True):
    assert read("file") == "x"
with patch("solution.helper", return_value=5):
    assert use() == 6
assert use() == 2
with patch("builtins.input", side_effect=["bob"]) as asked:
    assert ask() == "bob"
asked.assert_called_once_with("name? ")
with patch.object(solution.Service, "get", return_value=7):
    assert service() == 7
assert service() == 1
with patch("sys.stdout", new_callable=io.StringIO) as out:
    say()
assert out.getvalue() == "hi 3\\n"
solution.helper = lambda: 9
assert use() == 10
""",
    ),
    "match": (
        "import re\ndef f(s): return re.match('a', s)",
        "assert f('abc')\nassert not f('b')\nassert f('ab').group() == 'a'",
    ),
    "tuples-with-methods": (
        "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int = 0\n"
        "    def norm(self): return abs(self.x) + abs(self.y)",
        "p = P(-1)\nassert p.norm() == 1\nassert p == (-1, 0)\nassert P(1, 2)._replace(x=3) == P(3, 2)",
    ),
}
