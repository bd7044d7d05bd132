"""What the host tells of an object of the solution that does not cross by value."""

from __future__ import annotations

import os
import sys

from .operations import SPECIAL, is_async
from .plain import CONSTANT_NAMES
from .values import named_tuples

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

NAME = 2_000  # characters of a name or a documentation
FUNCTION_TYPES = (
    "function method builtin_function_or_method method_descriptor wrapper_descriptor method-wrapper".split()
)

# Where the tests look for what the solution has imported from there by the same name.
STANDARD_MODULES = (
    "typing collections math cmath itertools functools operator string re random datetime decimal fractions heapq"
    " bisect statistics copy json enum"
).split()


def describe_object(value: Any, forwarding: bool, encode: Callable[[Any], Any]) -> list[Any]:
    """Its kind and what there is to know about it. `forwarding`: the tests name classes of the solution."""
    kind = type(value)
    if issubclass(kind, type):
        return describe_class(value, encode)
    if issubclass(kind, BaseException):
        return ["object", encode(kind), True, False]
    if kind is type(sys):
        return ["module", short(value.__name__)]
    if kind.__module__ == "builtins" and kind.__name__ in FUNCTION_TYPES and not set(extra(value)) - {"__wrapped__"}:
        return ["function", *naming(value), is_async(value)]
    if forwarding and kind.__module__ not in ("builtins", "functools", "itertools"):
        return ["object", encode(kind), True, False]
    if callable(value):
        return ["callable", *naming(value), is_async(value)]
    for special, name in (("__anext__", "aiterator"), ("__await__", "awaitable"), ("__next__", "iterator")):
        if defines(kind, special):
            return [name]
    return ["object", None, not (defines(kind, "__bool__") or defines(kind, "__len__")), defines(kind, "__iter__")]


def extra(value: Any) -> Any:
    """Names of the attributes that a program has given to a function."""
    return getattr(value, "__dict__", ())


def describe_class(value: Any, encode: Callable[[Any], Any]) -> list[Any]:
    """Its name, its bases as far as the tests can know them, its special methods, the fields of a named tuple."""
    bases = [base for base in map(known_base, value.__bases__) if base is not None]
    special = sorted(name for name in SPECIAL if defines(value, name))
    fields = None
    if value.__bases__ == (tuple,) and hasattr(value, "_fields"):
        named_tuples[value.__name__, value._fields] = value  # of which those of the tests will be as well
        fields = [list(value._fields), encode(tuple(getattr(value, "_field_defaults", {}).values()))]
    return ["class", *naming(value), [encode(base) for base in dict.fromkeys(bases)], special, fields]


def known_base(kind: Any) -> Any:
    """A class of the solution; of others, the exception of Python's own that it is."""
    if is_own(kind):
        return kind
    return next((base for base in kind.__mro__ if base in CONSTANT_NAMES and issubclass(base, Exception)), None)


def is_own(kind: Any) -> bool:
    """Whether a class is of the solution: of the program, or of a module beside it."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
    return kind.__module__ == "solution" or file.startswith(os.getcwd() + "/")


def defines(kind: Any, special: str) -> bool:
    """Whether a class, or one above it but `object`, has the special method."""
    holder = next((base for base in kind.__mro__ if special in base.__dict__), object)
    return holder is not object and holder.__dict__[special] is not None


def naming(value: Any) -> list[Any]:
    """Name and documentation."""
    return [short(getattr(value, "__name__", None)) or "function", short(getattr(value, "__doc__", None))]


def short(text: Any) -> str | None:
    """A text, if it is one, not too long."""
    return text[:NAME] if type(text) is str else None


def claim(name: str, value: Any) -> tuple[str, Any]:
    """How the tests may get at what a name of the solution stands for: a module, something of one, the value."""
    if type(value) is type(sys) and value.__name__ != "solution":
        return "module", value.__name__
    for module in STANDARD_MODULES:
        if module in sys.modules and vars(sys.modules[module]).get(name) is value:
            return "from", module
    return "value", value
