"""What is asked of the solution for an operation of the test text on a stand-in, and what it may answer."""

from __future__ import annotations

from ..operations import ARITHMETIC, COMPARISONS, CONVERSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

NOT_OFFERED = "an object of the solution does not offer this to the tests"
TEXTS = (str, bytes, list, tuple)


class Restricted:
    """For objects of classes that the text does not name: what cannot show a wrong answer to be right.

    The tests tell nothing of what they expect by asking for an attribute, or calling a method without arguments. What
    an object has said once it has to stand by: its items for good, an attribute until something else has been called.
    """

    def __init__(self, session: Any) -> None:
        self.session = session
        self.attributes: dict[tuple[int, str], tuple[int, Any]] = {}
        self.iterators: dict[int, tuple[list[Any], Any]] = {}

    def ask(self, verb: str, target: Any, *args: Any, **kwargs: Any) -> Any:
        """Have it done, or raise TypeError."""
        if verb == "get":
            return self.attribute(target, *args)
        if verb == "special" and args == ("__iter__",):
            return self.items(target)
        plain_method = verb in ("method", "wait_method") and len(args) == 1 and not kwargs
        if not plain_method and verb not in ("call", "wait_call", "dir", "copy", "deepcopy"):
            raise TypeError(NOT_OFFERED)
        return self.session.ask(verb, target, *args, **kwargs)

    def attribute(self, target: Any, name: str) -> Any:
        """An attribute."""
        asked, value = self.attributes.get((id(target), name), (-1, None))
        if asked != self.session.calls:
            value = self.session.ask("get", target, name)
            self.attributes[id(target), name] = self.session.calls, value
        return value

    def items(self, target: Any) -> Any:
        """What an object iterates over; the same each time."""
        if id(target) not in self.iterators:
            self.iterators[id(target)] = [], iter(self.session.ask("special", target, "__iter__"))
        known, rest = self.iterators[id(target)]
        yield from known
        position = len(known)
        while True:
            if position == len(known):
                item = next(rest, rest)
                if item is rest:
                    return
                known.append(item)
            yield known[position]
            position += 1


class Open:
    """For objects of classes that the text names: everything, but for what would compare with the tests' own data."""

    def __init__(self, session: Any, number_of: Callable[[Any], int | None]) -> None:
        self.session, self.number_of = session, number_of
        self.mixed: set[int | None] = set()  # what arithmetic with the tests' own data gave: `f(1) - 2.5`

    def ask(self, verb: str, target: Any, *args: Any, **kwargs: Any) -> Any:
        """Have it done, or raise TypeError."""
        if verb != "special":
            return self.session.ask(verb, target, *args, **kwargs)
        name, *operands = args
        numbers = [self.number_of(target), *map(self.number_of, operands)]
        if name in COMPARISONS:
            return self.compared(None in numbers, target, args)
        mixed = not self.mixed.isdisjoint(numbers)
        if name in CONVERSIONS and mixed:
            raise TypeError(NOT_OFFERED)
        mixed = mixed or None in numbers
        result = self.session.ask(verb, target, *args, **kwargs)
        text = type(result) in TEXTS and "divmod" not in name
        if name in ARITHMETIC and mixed and result is not NotImplemented and not text:
            self.mix(name, result, numbers)
        return result

    def compared(self, mixed: bool, target: Any, args: Any) -> Any:
        """A comparison: never with data of the tests, and the answer is a plain truth value."""
        if mixed:
            return NotImplemented
        result = self.session.ask("special", target, *args)
        if type(result) is not bool and result is not NotImplemented:
            raise TypeError(NOT_OFFERED)
        return result

    def mix(self, name: str, result: Any, numbers: list[int | None]) -> None:
        """What arithmetic with data of the tests gave stays with the solution, and is never turned into a number."""
        number = self.number_of(result)
        if number is None:
            raise TypeError(NOT_OFFERED)
        if not (name.startswith("__i") and number == numbers[0]):  # `x += 1`, which is x
            self.mixed.add(number)
