"""What the names of a test text stand for that it does not define."""

from __future__ import annotations

import os
import sys

from ..values import is_data
from .library import own, shared
from .names import BUILTINS
from .patches import SolutionModule
from .session import Session
from .text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Resolver:
    """Asks for them."""

    def __init__(self, text: Text, session: Session, namespace: dict[str, Any]) -> None:
        self.text, self.session, self.namespace = text, session, namespace

    def resolved(self) -> dict[str, Any]:
        """The names that the text does not define."""
        names, entry_point = self.text.names, self.text.entry_point
        wanted = names.free - BUILTINS - {"candidate"}
        found = own(names, wanted, entry_point)
        wanted -= set(found)
        if entry_point and entry_point.isidentifier() and entry_point not in BUILTINS:
            wanted.add(entry_point)
        classes = sorted(wanted & (names.classes | names.makers))
        answers = self.asked_for(classes, True) if classes else {}
        # Also if there is nothing to ask for: to hear that the solution could be loaded.
        answers.update(self.asked_for(sorted(wanted.difference(classes)), False))
        if not wanted and not found:
            used = {entry_point} if entry_point in BUILTINS and entry_point else names.free & BUILTINS
            answers.update(self.replaced_builtin(used))
            if entry_point in BUILTINS and entry_point not in answers:
                raise NameError(entry_point)  # Python's own is not the solution's
        return {**found, **answers}

    def asked_for(self, names: list[str], naming: bool) -> dict[str, Any]:
        """What the solution has under these names."""
        stand_ins, before = self.session.stand_ins, self.session.stand_ins.forwarding
        stand_ins.forwarding = before or naming
        answers = self.session.ask("names", tuple(names), stand_ins.forwarding)
        known = {name: self.meant(name, how, value) for name, how, value in answers if name in names}
        made = not self.text.names.makers.isdisjoint(known)
        stand_ins.forwarding = before or (naming and (made or any(map(stand_ins.is_class_or_object, known.values()))))
        if naming and not stand_ins.forwarding:
            self.session.ask("names", (), False)
        return known

    def meant(self, name: str, how: Any, value: Any) -> Any:
        """What a name stands for: something of Python's library, or what the solution has."""
        if how == "value":
            if is_data(value):
                self.session.data.add(name)
            return value
        known = shared(name, how, value, self.text.entry_point)
        return self.session.ask("object_named", name) if known is None else known

    def replaced_builtin(self, used: set[str]) -> dict[str, Any]:
        """The one builtin that the text calls and the solution has defined anew: `assert sum(10, 15) == 6`."""
        answers = self.asked_for(sorted(used), False)
        return answers if len(answers) == 1 else {}

    def bind_candidate(self) -> None:
        """Let `candidate` stand for the entry point: a name, `Class.method` of a fresh object, or an expression."""
        entry_point = self.text.entry_point or ""
        head, dot, rest = entry_point.partition(".")
        kind = self.namespace.get(head)
        if entry_point in BUILTINS and entry_point not in self.namespace:
            candidate = self.asked_for([entry_point], False).get(entry_point)
        elif dot and rest.isidentifier() and isinstance(kind, type):
            candidate = getattr(kind(), rest)
        elif entry_point.isidentifier():
            candidate = self.namespace.get(entry_point)
        elif entry_point:
            candidate = eval(compile(entry_point, "<entry point>", "eval"), self.namespace)
        if entry_point and candidate is not None:
            self.namespace["candidate"] = candidate

    def install_modules(self, file: str) -> None:
        """Let the text import the solution, as `solution` or by the name of its file."""
        for name in {"solution", os.path.splitext(os.path.basename(file))[0]}:
            if name.isidentifier() and name in self.text.code + self.text.setup and name not in sys.modules:
                sys.modules[name] = SolutionModule(name, self)

    def attribute(self, name: str) -> Any:
        """A name of the solution, asked of it as a module."""
        answers = self.asked_for([name], name.lstrip("_")[:1].isupper())
        if name not in answers:
            raise AttributeError(name)
        return answers[name]
