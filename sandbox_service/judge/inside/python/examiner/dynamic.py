"""`eval` and `exec` of a test text: what the solution made of words is not run among the tests."""

from __future__ import annotations

import _ast
import sys

from .names import BUILTINS
from .tree import ONLY_AST, constants, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Nothing to be got at but values.
HARMLESS = frozenset(
    "abs all any bin bool bytes chr complex dict divmod enumerate filter float format frozenset hash hex int len list"
    " map max min oct ord pow range repr reversed round set slice sorted str sum tuple zip True False None".split()
)
EVALUATORS = ("eval", "exec", "compile")


class Evaluator:
    """Stands for them in the test text.

    A string that stands in the text is the text's own and is run in place. Any other may be the solution's: a harmless
    expression of values, and of the solution's functions, is evaluated here, everything else beside the solution.
    """

    def __init__(self, session: Any, tree: Any, stand_ins: dict[str, Any]) -> None:
        self.session, self.stand_ins = session, stand_ins
        self.own = {value for value in constants(tree) if isinstance(value, (str, bytes))}

    def eval(self, source: Any, names: Any = None, local_names: Any = None) -> Any:
        """Evaluate an expression."""
        frame = sys._getframe(1)
        if self.is_own(source):
            names, local_names = scope(frame, names, local_names)
            return eval(source, names, local_names)
        if names is None and local_names is None:
            said = (
                self.session.cases.value
            )  # `eval(quine) == quine`: a variable that holds what the solution gave is its own
            known = {name: value for name, value in frame.f_locals.items() if value is said and type(said) is str}
            known.update(self.stand_ins)
            if is_harmless(source, HARMLESS.union(known)):
                builtins = {name: vars(sys.modules["builtins"])[name] for name in HARMLESS & BUILTINS}
                return eval(source, {"__builtins__": builtins, **known})
        return self.session.ask("evaluate", source, *given(names, local_names))

    def exec(self, source: Any, names: Any = None, local_names: Any = None) -> None:
        """Run a program."""
        if self.is_own(source):
            names, local_names = scope(sys._getframe(1), names, local_names)
            exec(source, names, local_names)
        else:
            self.session.ask("execute", source, *given(names, local_names))

    def compile(self, source: Any, *args: Any, **kwargs: Any) -> Any:
        """Compile a program."""
        if self.is_own(source) or not isinstance(source, (str, bytes)):
            return compile(source, *args, **kwargs)
        return self.session.ask("compiled", source, *args, **kwargs)

    def is_own(self, source: Any) -> bool:
        """Whether it stands in the text, or was compiled from what does."""
        if type(source) in (str, bytes):
            return source in self.own
        return type(source) is type(scope.__code__)


def is_harmless(source: Any, allowed: frozenset[str]) -> bool:
    """Whether an expression can get at nothing but values and these names."""
    if type(source) is not str:
        return False
    try:
        nodes = list(walk(compile(source.strip(), "<eval>", "eval", ONLY_AST)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    bound = {node.arg for node in nodes if isinstance(node, _ast.arg)}
    bound.update(node.id for node in nodes if isinstance(node, _ast.Name) and isinstance(node.ctx, _ast.Store))
    used = {node.id for node in nodes if isinstance(node, _ast.Name)}
    return used <= allowed | bound and not any(isinstance(node, _ast.Attribute) for node in nodes)


def given(*namespaces: Any) -> Any:
    """Namespaces to run words of the solution in; never the tests' own."""
    for names in namespaces:
        if names is not None and "__name__" in names:
            raise TypeError("words of the solution are not run among the tests")
    return namespaces


def scope(frame: Any, names: Any, local_names: Any) -> tuple[Any, Any]:
    """The namespaces that the real functions would use."""
    if names is None:
        return frame.f_globals, frame.f_locals
    return names, names if local_names is None else local_names
