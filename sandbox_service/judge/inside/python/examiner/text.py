"""A test text: parsed, planned, compiled."""

from __future__ import annotations

from .cases import Case
from .docs import Examples
from .dynamic import EVALUATORS
from .names import Names
from .plan import Planner, docstrings
from .tree import parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Text:
    """A test text, parsed and planned. Raises SyntaxError, ValueError, RecursionError or MemoryError if it is none."""

    def __init__(self, task: dict[str, Any]) -> None:
        self.setup, self.code = plain_text(task.get("setup") or ""), plain_text(task["code"])
        self.entry_point: str | None = task.get("entry_point")
        self.examples: list[Examples] = []
        setup = parsed(self.setup)
        try:
            tree = parsed(self.code)
        except SyntaxError:
            if ">>>" not in self.code:
                raise
            self.examples, tree = [Examples(self.code, 1)], parsed("")
            self.code = ""
        if "doctest" in self.code:
            self.examples = [Examples(text, line) for line, text in docstrings(tree)]
        sources, trees = [self.setup, self.code], [setup, tree]
        for source in [*(part for examples in self.examples for part in examples.sources()), self.entry_point or ""]:
            try:
                trees.append(parsed(source))
                sources.append(source)
            except SyntaxError:
                pass  # an example may show an error
        self.names = Names(sources, trees)
        self.evaluated = self.names.free.intersection(EVALUATORS)
        self.tree = tree
        self.plan = Planner(self.code, tree, self.names)
        self.cases = [*self.plan.cases, *(case for examples in self.examples for case in examples.cases.values())]
        self.whole = None if self.cases else Case(1, self.code.strip())
        self.cases += [self.whole] if self.whole else []
        self.programs = [
            compile(setup, "<setup>", "exec", dont_inherit=True),
            compile(tree, "<test>", "exec", dont_inherit=True),
        ]


def plain_text(text: str) -> str:
    """A text with Python's own ends of lines."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
