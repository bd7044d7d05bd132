"""What the test text has of objects that stay with the solution.

Between a stand-in and the text's own data nothing is asked of the solution that could turn a wrong answer into a right
one: such a comparison is False, and arithmetic gives no number. Objects of classes that the text does not name have
attributes and methods without arguments, for there the answer must be right by itself, and no operators.
"""

from __future__ import annotations

from ..forward import (
    Target,
    forward_async_iterator,
    forward_attributes,
    forward_awaitable,
    forward_function,
    forward_iterator,
)
from ..message import Malformed, TooMuch
from ..values import exactly, named_tuple
from .classes import callable_object, exception_class, metaclass, module_object, object_class, opaque_class
from .policy import Open, Restricted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OBJECTS = 100_000


class StandIns:
    """All of them, by the number that the other side gives its objects.

    Attributes:
        forwarding: whether the text names classes, so that objects have operators and all their methods.
    """

    def __init__(self, session: Any) -> None:
        self.session = session
        self.forwarding = False
        self.objects: dict[int, Any] = {}
        self.numbers: dict[int, int] = {}
        self.decoding = 0  # answers that are being read
        self.open, self.restricted = Open(session, self.number_of), Restricted(session)
        self.metaclass = metaclass(self)
        self.opaque = {
            (truthy, iterable): opaque_class(self, truthy, iterable)
            for truthy in (True, False)
            for iterable in (True, False)
        }

    def number_of(self, value: Any) -> int | None:
        """The number of the object that a stand-in stands for."""
        number = self.numbers.get(id(value))
        return number if number is not None and self.objects[number] is value else None

    def is_class_or_object(self, value: Any) -> bool:
        """Whether it stands for a class, but of exceptions, or for an object of one."""
        kind = value if type(value) is self.metaclass else type(value)
        return type(kind) is self.metaclass and not issubclass(kind, Exception)

    def find(self, payload: Any, decoder: Any) -> Any:
        """The stand-in of an object; a new one, if the other side has just described it."""
        number, *info = payload
        if exactly(int, number) in self.objects and not info:
            return self.objects[number]
        if number in self.objects or not info:
            raise Malformed("an object unknown, or known already")
        if len(self.objects) >= OBJECTS:
            raise TooMuch("objects")
        made = self.made(number, decoder, *info)
        self.objects[number], self.numbers[id(made)] = made, number
        return made

    def made(self, number: int, decoder: Any, kind: Any, *info: Any) -> Any:
        """A new stand-in."""
        session, target = self.session, Target(number)
        if kind == "class":
            return self.made_class(target, decoder, *info)
        if kind == "object":
            return self.made_object(decoder, *info)
        if kind == "function":
            name, documentation, waits = info
            return forward_function(session, target, exactly(str, name), documentation, bool(waits))
        if kind == "callable":
            return callable_object(self.restricted, *info)
        if kind == "module":
            return module_object(session, *info)
        makers = {"iterator": forward_iterator, "aiterator": forward_async_iterator, "awaitable": forward_awaitable}
        return makers[kind](session, target)

    def made_object(self, decoder: Any, kind: Any, truthy: Any, iterable: Any) -> Any:
        """An object, of a class if the text names any."""
        if kind is None:
            return self.opaque[truthy is True, iterable is True]()
        class_ = decoder.decode(kind)
        if type(class_) is not self.metaclass:
            raise Malformed("no class")
        if issubclass(class_, Exception):
            return class_.__new__(class_)
        if not self.forwarding:
            raise Malformed("an object of a class that the tests do not name")
        return object.__new__(class_)

    def made_tuple(self, name: str, fields: Any, defaults: Any) -> Any:
        """A type of named tuples, whose methods, if it has any of its own, are run by the other side."""
        kind = named_tuple(name, tuple(exactly(str, field) for field in fields))
        kind.__new__.__defaults__ = exactly(tuple, defaults)
        kind.__getattr__ = forward_attributes(self.open)["__getattr__"]
        return kind

    def made_class(self, target: Target, decoder: Any, *info: Any) -> Any:
        """A class. Named tuples are the examiner's own: they cross by value."""
        name, documentation, bases, special, fields = info
        kinds = [decoder.decode(base) for base in bases]
        if fields is not None:
            return self.made_tuple(exactly(str, name), fields[0], decoder.decode(fields[1]))
        for kind in kinds:
            if type(kind) is not self.metaclass and not issubclass(kind, Exception):
                raise Malformed("no base of a class")
        make = exception_class if any(issubclass(kind, Exception) for kind in kinds) else object_class
        return make(self, exactly(str, name), documentation, tuple(kinds), special)
