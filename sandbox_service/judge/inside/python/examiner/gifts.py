"""Objects of the test text that the solution is given: functions to call, and objects of the text's own classes."""

from __future__ import annotations

import sys

from ..kinds import FUNCTION_TYPES, defines, short
from ..message import Malformed
from ..operations import SPECIAL, is_async

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Beside those of the text itself, classes whose objects do nothing but what they are given for.
OPEN_CLASSES = frozenset(("StringIO", "BytesIO", "NonCallableMock"))
LIBRARIES = frozenset(
    "builtins _operator operator math cmath _functools functools itertools collections _collections string statistics"
    " decimal _decimal fractions datetime re _sre json copy heapq _heapq bisect _bisect random typing".split()
)

OTHER_PARAMETERS = 0x04 | 0x08 | 0x80  # *args, **kwargs; an `async def`


class Gifts:
    """What has been given away, by number."""

    def __init__(self) -> None:
        self.all: list[Any] = []
        self.numbers: dict[int, int] = {}
        self.kinds: dict[int, str] = {}

    def keep(self, value: Any) -> int:
        """The number of an object."""
        if id(value) not in self.numbers:
            self.numbers[id(value)] = len(self.all)
            self.all.append(value)
        return self.numbers[id(value)]

    def name(self, value: Any) -> Any:
        """The JSON of an object."""
        path = library_path(value)
        if path is not None:
            return {"library": path}
        known = id(value) in self.numbers
        number = self.keep(value)
        if known:
            return {"g": [number]}
        kind, *info = described(value)
        self.kinds[number] = kind
        return {"g": [number, kind, *info]}

    def find(self, number: Any) -> Any:
        """The object of a number. Raises Malformed."""
        if type(number) is not int or not 0 <= number < len(self.all):
            raise Malformed("nothing was given")
        return self.all[number]

    def has(self, value: Any) -> bool:
        """Whether an object was given to be used."""
        return self.numbers.get(id(value)) in self.kinds

    def allow(self, verb: str, target: Any, name: Any = None, *rest: Any) -> None:
        """See to it that an object is used only as it may be. Raises TypeError or AttributeError."""
        kind = self.kinds[self.numbers[id(target)]]
        if kind != "object":
            if verb not in {"function": ("call", "wait_call"), "iterator": ("next", "send")}.get(kind, ()):
                raise TypeError("an object of the tests does not offer this")
        elif verb in ("special", "wait_special"):
            if type(name) is not str or name not in SPECIAL:
                raise TypeError("an object of the tests does not offer this")
        elif verb not in ("call", "wait_call", "next", "send", "await"):
            if type(name) is not str or name.startswith("_"):
                raise AttributeError("an object of the tests does not offer this")
            if verb in ("set", "delete") and callable(getattr(type(target), name, None)):
                raise AttributeError("a method of the tests is not replaced")


def described(value: Any) -> list[Any]:
    """Kind and description."""
    kind = type(value)
    name = short(getattr(value, "__name__", None)) or kind.__name__
    if not issubclass(kind, type) and is_open(kind):
        return ["object", kind.__name__, sorted(special for special in SPECIAL if defines(kind, special))]
    if callable(value):
        return ["function", name, short(getattr(value, "__doc__", None)), is_async(value), parameters(value)]
    return ["iterator", name] if defines(kind, "__next__") else ["opaque", name, []]


def parameters(function: Any) -> list[Any] | None:
    """Names of a function's parameters, each with whether it may be left out; None if there are more than that."""
    code = getattr(function, "__code__", None)
    if type(code) is not type(parameters.__code__) or code.co_flags & OTHER_PARAMETERS or code.co_kwonlyargcount:
        return None
    names = code.co_varnames[: code.co_argcount]
    required = len(names) - len(function.__defaults__ or ())
    start = 1 if type(function).__name__ == "method" else 0
    return [[name, place >= required] for place, name in enumerate(names)][start:]


def is_open(kind: type) -> bool:
    """Whether the attributes of a class's objects may be used: not those of the tests themselves."""
    if any(base.__name__ == "TestCase" for base in kind.__mro__):
        return False
    return any(base.__module__ == "__main__" or base.__name__ in OPEN_CLASSES for base in kind.__mro__)


def library_path(value: Any) -> list[str] | None:
    """Module and path of a function or class that the other side finds in its own library."""
    kind = type(value)
    if not (issubclass(kind, type) or (kind.__module__ == "builtins" and kind.__name__ in FUNCTION_TYPES)):
        return None
    module = getattr(value, "__module__", None) or getattr(getattr(value, "__objclass__", None), "__module__", None)
    path = getattr(value, "__qualname__", None)
    if module not in LIBRARIES or module not in sys.modules or type(path) is not str:
        return None
    found: Any = sys.modules[module]
    for part in path.split("."):
        found = getattr(found, part, None)
    return [module, path] if found is value else None
