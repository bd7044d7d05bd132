"""Exceptions of the solution, built anew."""

from __future__ import annotations

import sys

from ..message import Malformed, TooMuch
from ..values import Decoder, Encoder, exactly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def refuse(value: Any, encoder: Encoder) -> Any:
    """Only plain values go."""
    raise TooMuch("no plain value")


def refuse_tag(tag: str, payload: Any, decoder: Decoder) -> Any:
    """Only plain values come."""
    raise Malformed("no plain value")


def library_exception(base: Any, path: Any) -> Any:
    """The exception of a library that the solution raised, if the test text has loaded that library; else its base."""
    module, name = (exactly(str, part) for part in path)
    root = module.partition(".")[0]
    if root in ("__main__", "unittest", "doctest", "pytest", "_pytest") or module not in sys.modules:
        return base
    kind = vars(sys.modules[module]).get(name)
    return kind if isinstance(kind, type) and issubclass(kind, base) else base


def exception(kind: Any, args: tuple[Any, ...], text: str) -> Any:
    """An exception with these arguments, or with the text at least."""
    for make in (kind, lambda *args: kind.__new__(kind, *args)):
        try:
            error = make(*args)
            error.args = args
        except Exception:
            continue
        if isinstance(error, kind):
            return error
    return Exception(text)
