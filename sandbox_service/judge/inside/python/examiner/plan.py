"""Which cases a test text has, and the text changed so that each failed assertion is recorded and the next is tried."""

from __future__ import annotations

import _ast

from .cases import DIRECT, GUARDED, HELPER, Case
from .names import Names
from .tree import FUNCTIONS, ONLY_AST, Lines, blocks, children, documentation, last_name, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CATCHING = frozenset("AssertionError Exception BaseException".split())
CASE, STATEMENT = "@case", "@statement"  # names that no text can use


class Place:
    """Where a statement stands."""

    def __init__(
        self, mode: str, straight: bool, owner: str | None = None, once: bool = False, top: bool = False
    ) -> None:
        self.mode, self.straight, self.owner, self.once, self.top = mode, straight, owner, once, top

    def below(self, mode: str | None = None) -> Place:
        """Inside a compound statement: reached or not, once or more often."""
        return Place(mode or self.mode, False, self.owner)


class Planner:
    """Plans a text.

    Attributes:
        cases: in the order of the text.
        asserted: those of assert statements, by the number that stands in the changed text.
        methods: cases of unittest, by names of class and method.
        functions: functions of the module that are to be called as tests: the text does not.
        classes: classes, of no framework's, whose methods are to be called as tests.
        checks: whether `check` is to be called.
    """

    def __init__(self, source: str, tree: Any, names: Names) -> None:
        self.lines, self.tree, self.names = Lines(source), tree, names
        self.cases: list[Case] = []
        self.asserted: list[Case] = []
        self.methods: dict[tuple[str, str], Case] = {}
        self.functions: list[str] = []
        self.classes: list[tuple[str, list[str]]] = []
        self.checks = False
        self.known = {node.name: node for node in walk(tree) if isinstance(node, _ast.ClassDef)}
        deleted = {last_name(name) for node in tree.body if isinstance(node, _ast.Delete) for name in node.targets}
        tested = [node for node in self.known.values() if self.is_test_case(node) and node.name not in deleted]
        self.unittest = {id(part) for node in tested for part in self.family(node)}
        for node in tested:
            self.plan_methods(node)
        tree.body = self.block(tree.body, Place(DIRECT, True, once=True, top=True))
        self.cases.sort(key=lambda case: case.line)

    def block(self, statements: list[Any], place: Place) -> list[Any]:
        """The statements, changed."""
        return [self.statement(node, place) for node in statements]

    def statement(self, node: Any, place: Place) -> Any:
        """A statement, changed."""
        if isinstance(node, _ast.Assert):
            return self.assertion(node, place)
        if isinstance(node, FUNCTIONS):
            return self.function(node, place)
        if isinstance(node, _ast.ClassDef):
            return self.class_(node, place)
        for holder, name in list(blocks(node)):
            catching = name == "body" and holder is node and catches(node)
            inner = place.below(GUARDED if catching and place.mode == DIRECT else None)
            setattr(holder, name, self.block(getattr(holder, name), inner))
        simple = isinstance(node, (_ast.Expr, _ast.Assign, _ast.AugAssign, _ast.AnnAssign))
        if simple and place.mode == DIRECT and any(isinstance(part, _ast.Call) for part in walk(node)):
            return wrapped(node, STATEMENT, 0)
        return node

    def assertion(self, node: Any, place: Place) -> Any:
        """A case."""
        case = Case(node.lineno, self.lines.of(node), place.mode)
        case.straight, case.owner, case.once = place.straight, place.owner, place.once
        case.trap = isinstance(node.test, _ast.Constant) and not node.test.value and not place.straight
        self.cases.append(case)
        self.asserted.append(case)
        return wrapped(node, CASE, len(self.asserted) - 1)

    def function(self, node: Any, place: Place) -> Any:
        """A function: one of tests if it is called so and stands in the module."""
        inner = Place(HELPER, False)
        if place.top and (node.name == "check" or node.name.startswith("test")):
            called = self.names.loads.get(node.name, 0)
            inner = Place(DIRECT, True, node.name if not called else None, not called or self.called_once(node.name))
            if not called and node.name == "check":
                self.checks = True
            elif not called and (node.decorator_list or needs_nothing(node, 0)):
                self.functions.append(node.name)
        node.body = self.block(node.body, inner)
        return node

    def called_once(self, name: str) -> bool:
        """Whether all use that the text makes of a function is one call by the module itself."""
        calls = [node.value for node in self.tree.body if isinstance(node, _ast.Expr)]
        called = [last_name(call.func) for call in calls if isinstance(call, _ast.Call)]
        return self.names.loads.get(name) == 1 and name in called

    def class_(self, node: Any, place: Place) -> Any:
        """A class: of unittest's, of tests, or of the text's own."""
        if id(node) in self.unittest:
            return node
        if place.top and node.name.startswith("Test") and not node.bases and not self.names.loads.get(node.name):
            return self.test_class(node)
        node.body = self.block(node.body, place.below() if place.top else Place(HELPER, False))
        return node

    def test_class(self, node: Any) -> Any:
        """A class whose methods are tests, with a fresh object for each."""
        tests = []
        for part in node.body:
            is_test = isinstance(part, FUNCTIONS) and part.name.startswith("test") and needs_nothing(part, 1)
            owner = node.name + "." + part.name if is_test else None
            inner = Place(DIRECT, True, owner, True) if is_test else Place(HELPER, False)
            if isinstance(part, FUNCTIONS):
                part.body = self.block(part.body, inner)
            if is_test:
                tests.append(part.name)
        self.classes.append((node.name, tests))
        return node

    def is_test_case(self, node: Any) -> bool:
        """Whether a class derives from a TestCase."""
        return any(
            last_name(base).endswith("TestCase") and last_name(base) not in self.known
            for part in self.family(node)
            for base in part.bases
        )

    def family(self, node: Any) -> list[Any]:
        """A class and those of the text that it derives from."""
        found = [node]
        for part in found:
            above = (self.known.get(last_name(base)) for base in part.bases)
            found += [base for base in above if base is not None and base not in found]
        return found

    def plan_methods(self, node: Any) -> None:
        """The cases of a TestCase: its methods, those that it inherits included."""
        for part in self.family(node):
            for method in part.body:
                if isinstance(method, FUNCTIONS) and method.name.startswith("test"):
                    key = (node.name, method.name)
                    if key not in self.methods:
                        self.methods[key] = Case(method.lineno, "%s.%s" % key)
                        self.cases.append(self.methods[key])


def catches(node: Any) -> bool:
    """Whether a `try` or `with` statement may catch the failure of an assertion."""
    caught: list[Any] = []
    for handler in getattr(node, "handlers", ()):
        if handler.type is None:
            return True
        caught += children(handler.type) if isinstance(handler.type, _ast.Tuple) else [handler.type]
    for item in getattr(node, "items", ()):
        if isinstance(item.context_expr, _ast.Call):
            caught += item.context_expr.args
    return any(last_name(kind) in CATCHING for kind in caught)


def needs_nothing(node: Any, given: int) -> bool:
    """Whether a function can be called with so many arguments."""
    parameters = node.args
    count = len(parameters.args) + len(getattr(parameters, "posonlyargs", ()))
    optional = len(parameters.defaults)
    return count - optional <= given and all(default is not None for default in parameters.kw_defaults)


def wrapped(node: Any, name: str, number: int) -> Any:
    """The statement inside of a `with` that watches it."""
    (statement,) = compile("with _(0): pass", "<test>", "exec", ONLY_AST).body
    call = statement.items[0].context_expr
    call.func.id = name
    call.args[0].value = number
    for part in (statement, call, call.func, call.args[0]):
        part.lineno, part.col_offset = node.lineno, node.col_offset
        part.end_lineno, part.end_col_offset = node.end_lineno, node.end_col_offset
    statement.body = [node]
    return statement


def docstrings(tree: Any) -> list[tuple[int, str]]:
    """Lines and texts of all docstrings."""
    found = []
    for node in walk(tree):
        text = documentation(node) if isinstance(node, (_ast.Module, _ast.ClassDef, *FUNCTIONS)) else None
        if text and ">>>" in text:
            found.append((node.body[0].lineno, text))
    return sorted(found)
