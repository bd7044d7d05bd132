"""Linked lists and trees, as online judges write them down."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge.inside.python.call_nodes import grown, linked, shape
from sandbox_service.judge.values import Opaque, decode
from tests.judge.calls import call, found, task

DEFINITIONS = """
class ListNode:
    __slots__ = ("val", "next")
    def __init__(self, x):
        self.val, self.next = x, None
class TreeNode:
    def __init__(self, x):
        self.val, self.left, self.right = x, None, None
"""
REVERSED = """
class Solution:
    def f(self, head: HINT, k: int = 0) -> HINT:
        last = None
        while head:
            head.next, last, head = last, head, head.next
        return last
"""
MIRRORED = """
class Solution:
    def f(self, root: HINT) -> HINT:
        if root:
            root.left, root.right = self.f(root.right), self.f(root.left)
        return root
"""


def value(code: str, *args: Any, entry_point: str = "Solution.f", **options: Any) -> Any:
    called = call(code, task(entry_point, args=list(args), **options))
    assert called.exit_code == 0, called.stderr
    return decode(called.data)


@pytest.mark.parametrize("hint", ["NODE", "Optional[NODE]", '"NODE"', "'Optional[NODE]'", "NODE | None"])
@pytest.mark.parametrize("before", ["", DEFINITIONS, "from __future__ import annotations\n"])
def test_annotations(hint: str, before: str) -> None:
    lists = before + REVERSED.replace("HINT", hint.replace("NODE", "ListNode"))
    assert value(lists, [1, 2, 3], 1) == [3, 2, 1]
    assert value(lists, []) == value(lists, None) == []
    trees = before + MIRRORED.replace("HINT", hint.replace("NODE", "TreeNode"))
    assert value(trees, [1, 2, 3, None, 4]) == [1, 3, 2, None, None, 4]
    assert value(trees, []) == []


def test_lists_of_nodes() -> None:
    code = "def f(xs: List[Optional[ListNode]]) -> List[Optional[ListNode]]: return [xs[0].next, *xs[1:], None]"
    assert value(code, [[1, 2], [], [3]], entry_point="f") == [[2], [], [3], []]


DECORATED = """
import functools
def same(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs): return function(*args, **kwargs)
    return wrapper
class Solution:
    @same
    def f(self, k, x: ListNode) -> ListNode: return x.next
    @staticmethod
    def g(k, x: "ListNode") -> ListNode: return x.next
    @classmethod
    @same
    def h(cls, k: int, x: ListNode, *more: ListNode) -> ListNode: return x.next
    @functools.lru_cache
    def c(self, k, x: ListNode): return x.next
"""


@pytest.mark.parametrize("name", ["f", "g", "h", "c"])
def test_parameters_of_decorated_functions(name: str) -> None:
    assert value(DECORATED, "k", [1, 2], entry_point=f"Solution.{name}") == [2]


def test_nodes_inside_other_values() -> None:
    code = "def f(x: ListNode, *, t: TreeNode): return {'x': x, 't': [t.left, t.right, None]}"
    given = {"x": [1, 2], "t": [[2, 4], [3], None]}
    assert value(code, [1, 2], kwargs={"t": [1, 2, 3, 4]}, entry_point="f") == given


def test_what_became_of_a_node() -> None:
    code = "def f(head: ListNode, tree: TreeNode) -> None:\n    head.next = None\n    tree.left = TreeNode(9)"
    assert value(code, [1, 2, 3], [1], entry_point="f", result_from="args[0]") == [1]
    assert value(code, [1, 2, 3], [1], entry_point="f", result_from="args[1]") == [1, 9]


def test_without_annotations_there_are_no_nodes_to_make_but_some_to_give() -> None:
    code = "def f(x):\n    node = ListNode(1, ListNode('a'))\n    return [x, node, TreeNode(1, None, TreeNode(2))]"
    assert value(code, [1, 2], entry_point="f") == [[1, 2], [1, "a"], [1, None, 2]]
    assert value("def f(x) -> int: return None # ListNode", [1], entry_point="f") is None


def test_other_classes_are_no_nodes() -> None:
    code = "class MyListNode:\n    val, next = 1, None\ndef f(x: MyListNode): return [x, MyListNode()]"
    plain, opaque = value(code, [1, 2], entry_point="f")
    assert plain == [1, 2]
    assert isinstance(opaque, Opaque)


LOOPS = {
    "list": "def f(x: ListNode) -> ListNode:\n    x.next = x\n    return x",
    "tree": "def f(x: TreeNode) -> TreeNode:\n    x.left = x.right = x\n    return x",
    "value": "def f(x: ListNode) -> ListNode:\n    x.val = x\n    return x",
}


@pytest.mark.parametrize("name", LOOPS)
def test_what_bites_its_own_tail(name: str) -> None:
    assert found(LOOPS[name], task(args=[[1]], expected=[1])).verdict is Verdict.OUTPUT_LIMIT_EXCEEDED


def test_long_ones_need_no_recursion() -> None:
    values = list(range(100_000))
    assert value(REVERSED.replace("HINT", "ListNode"), values) == values[::-1]
    tree = [1] + [None, 1] * 50_000
    assert value("class Solution:\n    def f(self, x: TreeNode): return x", tree) == tree


@given(st.lists(st.integers(0, 2) | st.none(), min_size=1, max_size=12))
@settings(max_examples=10)
def test_trees_there_and_back(values: list[int | None]) -> None:
    """What stands for no node, because its parent is none, is dropped."""
    code = "class Solution:\n    def f(self, x: TreeNode) -> TreeNode: return x"
    once = value(code, values)
    assert value(code, once) == once
    if None not in values[:-1]:
        assert once == [item for item in values if item is not None]


@pytest.mark.parametrize(
    ("note", "is_shape"),
    [
        ("ListNode", ("ListNode", 0)),
        ("typing.Optional[solution.TreeNode]", ("TreeNode", 0)),
        ("List[List[Optional['ListNode']]]", ("ListNode", 2)),
        ("list[ListNode | None]", ("ListNode", 1)),
        ("typing.Optional[typing.List[ForwardRef('ListNode')]]", ("ListNode", 1)),
        ("DoublyListNode", None),
        ("ListNodes", None),
        ("int", None),
        (int, None),
        (None, None),
        (list[int], None),
    ],
)
def test_shapes(note: Any, is_shape: Any) -> None:
    assert shape(note) == is_shape


def test_no_nodes_of_nothing() -> None:
    assert linked([], object) is None
    assert grown([], object) is None
    assert grown([None], object) is None
