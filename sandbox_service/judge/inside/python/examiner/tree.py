"""Small tools for syntax trees. The ast module costs as much as a start of Python; its classes alone cost nothing."""

from __future__ import annotations

import _ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

ONLY_AST = 0x400  # flag of compile()
LEAVES = (_ast.Constant, _ast.expr_context, _ast.boolop, _ast.operator, _ast.unaryop, _ast.cmpop)
FUNCTIONS = (_ast.FunctionDef, _ast.AsyncFunctionDef)


def parsed(source: str) -> Any:
    """The syntax tree. Raises SyntaxError, or ValueError or RecursionError for what is no program either."""
    return compile(source, "<test>", "exec", ONLY_AST, dont_inherit=True)


def children(node: Any) -> Iterator[Any]:
    """Nodes directly below."""
    for name in node._fields:
        value = getattr(node, name, None)
        for item in value if isinstance(value, list) else (value,):
            if isinstance(item, _ast.AST):
                yield item


def walk(node: Any) -> Iterator[Any]:
    """A node and all below it, but for constants and the like: a text may have a million of them."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                waiting += [item for item in value if isinstance(item, _ast.AST) and not isinstance(item, LEAVES)]
            elif isinstance(value, _ast.AST) and not isinstance(value, LEAVES):
                waiting.append(value)


def constants(node: Any) -> Iterator[Any]:
    """The values of all constants below a node."""
    for part in walk(node):
        for child in children(part):
            if isinstance(child, _ast.Constant):
                yield child.value


def blocks(node: Any) -> Iterator[tuple[Any, str]]:
    """Where a compound statement keeps statements: holder and name of the list."""
    for name in ("body", "orelse", "finalbody"):
        if isinstance(getattr(node, name, None), list):
            yield node, name
    for name in ("handlers", "cases"):
        for part in getattr(node, name, ()):
            yield part, "body"


def last_name(node: Any) -> str:
    """The last part of a dotted name, or nothing."""
    return str(getattr(node, "attr", "") or getattr(node, "id", ""))


def documentation(node: Any) -> str | None:
    """The docstring of a module, class or function."""
    body = getattr(node, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    value = first.value if isinstance(first, _ast.Expr) else None
    text = value.value if isinstance(value, _ast.Constant) else None
    return text if isinstance(text, str) else None


class Lines:
    """The text that nodes were made of."""

    def __init__(self, source: str) -> None:
        self.lines = [line.encode("utf-8", "surrogatepass") for line in source.split("\n")]

    def of(self, node: Any, limit: int = 200) -> str:
        """The text of a node, cut to the limit."""
        first, last = node.lineno - 1, node.end_lineno - 1
        parts = self.lines[first : min(last, first + limit) + 1]
        if last < first + len(parts):
            parts[-1] = parts[-1][: node.end_col_offset]
        parts[0] = parts[0][node.col_offset :]
        return b"\n".join(parts).decode("utf-8", "replace")[:limit]
