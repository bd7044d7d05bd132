"""Names that a test text uses without defining them: the solution's, but for what Python has anyway."""

from __future__ import annotations

import _ast
import _symtable  # type: ignore[import-not-found]
import sys

from .tree import children, last_name, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BUILTINS = frozenset(vars(sys.modules["builtins"]))
IMPLICIT = frozenset("__name__ __file__ __doc__ __builtins__ __spec__ __loader__ __package__ __debug__".split())
TAKING_CLASSES = frozenset(
    "isinstance issubclass raises suppress assertRaises assertRaisesRegex assertIsInstance assertNotIsInstance".split()
)


class Names:
    """What a text uses names for.

    Attributes:
        free: used and not defined by the text; builtins too.
        bound: defined by the text at the level of the module.
        loads: how often a name is used.
        attributes: what is asked of a name, as `sqrt` in `math.sqrt`.
        dotted: how often that is all it is used for.
        classes: free names that the text uses as a class, or as an object with attributes.
        makers: free names of functions whose results the text uses as objects: `a = make()`, `a.deposit(5)`.
    """

    def __init__(self, sources: list[str], trees: list[Any]) -> None:
        used: set[str] = set()
        self.bound: set[str] = set()
        for source in sources:
            self.scope(_symtable.symtable(source, "<test>", "exec"), used, top=True)
        self.free = used - self.bound - IMPLICIT
        self.loads: dict[str, int] = {}
        self.dotted: dict[str, int] = {}
        self.attributes: dict[str, set[str]] = {}
        self.made: set[tuple[str, str]] = set()  # name of a variable or attribute, of what was called for its value
        self.asked: dict[str, set[str]] = {}  # the last part of what was asked, for what
        self.classes = {name for name in used if name.lstrip("_")[:1].isupper()}
        for tree in trees:
            for node in walk(tree):
                self.note(node)
        self.classes |= set(self.attributes)
        self.classes &= self.free
        self.makers = {maker for name, maker in self.made if self.asked_of(name) - data_attributes()} & self.free

    def scope(self, table: Any, used: set[str], top: bool = False) -> None:
        """Collect what a scope, and those below it, use and define globally."""
        for name, flags in table.symbols.items():
            kind = flags >> _symtable.SCOPE_OFF & _symtable.SCOPE_MASK
            if top or kind in (_symtable.GLOBAL_IMPLICIT, _symtable.GLOBAL_EXPLICIT):
                if flags & _symtable.USE:
                    used.add(name)
                if flags & _symtable.DEF_BOUND:
                    self.bound.add(name)
        for child in table.children:
            self.scope(child, used)

    def note(self, node: Any) -> None:
        """Note what a node uses a name for."""
        if isinstance(node, _ast.Name):
            self.loads[node.id] = self.loads.get(node.id, 0) + 1
        elif isinstance(node, _ast.Attribute) and isinstance(node.value, _ast.Name):
            self.dotted[node.value.id] = self.dotted.get(node.value.id, 0) + 1
            self.attributes.setdefault(node.value.id, set()).add(node.attr)
            self.asked.setdefault(node.value.id, set()).add(node.attr)
        elif isinstance(node, _ast.Attribute):
            called = getattr(node.value, "func", node.value)  # `make().deposit(5)`, `self.account.deposit(5)`
            self.asked.setdefault(last_name(called), set()).add(node.attr)
            self.made.add((last_name(called), last_name(called)))
        elif isinstance(node, _ast.Assign) and isinstance(node.value, _ast.Call):
            self.made.update((last_name(target), last_name(node.value.func)) for target in node.targets)
        elif isinstance(node, _ast.Call) and last_name(node.func) in TAKING_CLASSES:
            self.note_classes(node.args)
        elif isinstance(node, _ast.ClassDef):
            self.note_classes(node.bases)
        elif isinstance(node, _ast.ExceptHandler) and node.type is not None:
            self.note_classes([node.type])

    def note_classes(self, nodes: list[Any]) -> None:
        """Names where only classes can stand."""
        for node in nodes:
            for item in children(node) if isinstance(node, _ast.Tuple) else (node,):
                if isinstance(item, _ast.Name):
                    self.classes.add(item.id)

    def asked_of(self, name: str) -> set[str]:
        """What is asked of anything of that name."""
        return self.asked.get(name, set())

    def only_dotted(self, name: str) -> bool:
        """Whether a name is used for its attributes alone."""
        return self.loads.get(name, 0) == self.dotted.get(name, 0) > 0


def data_attributes() -> set[str]:
    """What plain data can be asked for as well."""
    kinds = (int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice)
    return {name for kind in kinds for name in dir(kind)}.union(dir(next), dir(iter(())), ("count", "index"))
