"""Values as data that come out on the other side as they went in: types, sharing and cycles included.

Both sides of an assertions task speak it, and neither trusts the other. A value crosses if its type is exactly one of
the plain ones; it is built anew from data. Everything else is for the caller to name (`Encoder.name`).

A scalar is itself, a list is an array, all else an object of one key: `{"t": [1, 2]}` is a tuple. Containers that can
change are numbered in the order in which they are met, so that one met again is a reference, `{"&": 0}`.
"""

from __future__ import annotations

import sys
from _operator import is_

from .message import ITEMS, Malformed, TooMuch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Writer = Callable[["Encoder", Any, int], Any]
    Reader = Callable[["Decoder", Any, int], Any]

DEPTH = 300
SMALL = 1 << 1024  # an integer below is written in decimal: quick, and within every Python's limit of digits
NoneType = type(None)
NAMED_TUPLES = 1_000  # types made in a run
SCALARS = frozenset((NoneType, bool, int, float, str))

# How types are written and read: filled by `plain.py` and `standard.py`. Those that cannot change:
WRITERS: dict[type, Writer] = {}
READERS: dict[str, Reader] = {}

# Those that can: their tag, how their content is written, how an empty one is made, how it is filled.
TAGS: dict[type, str] = {}
CONTENTS: dict[type, Writer] = {}
MAKERS: dict[str, Callable[[Any], Any]] = {}
FILLERS: dict[str, Callable[[Decoder, Any, Any, int], None]] = {}
SNAPSHOTS: dict[type, Callable[[Any], Any]] = {}  # what one holds, to be compared by value; for others: its items

# Plain types of the standard library: module and name -> what teaches to write them.
STANDARD: dict[tuple[str, str], Callable[[type], None]] = {}

named_tuples: dict[tuple[str, tuple[str, ...]], Any] = {}


def whole(text: str) -> bool:
    """Whether JSON carries the string: not if it has halves of characters, which could come out joined."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return False
    return True


def direct(items: Any) -> bool:
    """Whether all are scalars that JSON carries as they are."""
    kinds = set(map(type, items))
    if not kinds <= SCALARS:
        return False
    numbers = items if kinds == {int} else [item for item in items if type(item) is int] if int in kinds else ()
    if numbers and not -SMALL < min(numbers) <= max(numbers) < SMALL:
        return False
    return str not in kinds or whole("".join([item for item in items if type(item) is str]))


class Encoder:
    """Turns values into what JSON can carry.

    Args:
        name: gives the JSON of what is no plain value.
        known: containers that the other side has numbered already, in order.
    """

    def __init__(self, name: Callable[[Any, Encoder], Any], known: list[Any] | None = None) -> None:
        self.name = name
        self.containers = [] if known is None else known
        self.numbers = {id(item): number for number, item in enumerate(self.containers)}
        self.room = ITEMS
        self.made: dict[int, tuple[Any, int]] = {}

    def encode(self, value: Any, depth: int = DEPTH) -> Any:
        """The JSON of a value. Raises TooMuch."""
        kind = type(value)
        if kind not in WRITERS and kind not in CONTENTS:
            adopt(kind)
        if kind in CONTENTS:
            return self.container(kind, value, depth)
        if kind in WRITERS:
            return WRITERS[kind](self, value, depth)
        return self.name(value, self)

    def container(self, kind: type, value: Any, depth: int) -> Any:
        """A container that can change, or a reference to it."""
        number = self.numbers.get(id(value))
        if number is not None:
            return {"&": number}
        self.numbers[id(value)] = len(self.containers)
        self.containers.append(value)
        content = self.content(value, depth)
        return content if kind is list else {TAGS[kind]: content}

    def content(self, value: Any, depth: int = DEPTH) -> Any:
        """The JSON of what a container holds."""
        return CONTENTS[type(value)](self, value, depth)

    def many(self, items: Any, depth: int = DEPTH) -> list[Any]:
        """The JSON of each of several values."""
        self.room -= len(items) + 4
        if depth <= 0 or self.room < 0:
            raise TooMuch("too deep" if depth <= 0 else "too many values")
        if direct(items):
            return list(items)
        return [self.encode(item, depth - 1) for item in items]

    def once(self, tag: str, value: Any, depth: int) -> Any:
        """The JSON of what cannot change: made once, however often it is met, but counted each time."""
        if id(value) in self.made:
            made, cost = self.made[id(value)]
            self.room -= cost
            if self.room < 0:
                raise TooMuch("too many values")
            return made
        room, count = self.room, len(self.containers)
        made = {tag: self.many(tuple(value), depth)}
        if len(self.containers) == count:  # else it is another one the next time: a reference
            self.made[id(value)] = made, room - self.room
        return made

    def pairs(self, mapping: dict[Any, Any], depth: int = DEPTH) -> list[Any]:
        """Keys and values in turn."""
        return self.many([part for pair in mapping.items() for part in pair], depth)


class Decoder:
    """Builds values from what JSON carried.

    Beside Malformed and TooMuch its methods raise what wrong data make Python raise.

    Args:
        find: gives the object of a tag that is none of a plain value, from its payload.
        known: containers that are numbered already, in order.
    """

    def __init__(self, find: Callable[[str, Any, Decoder], Any], known: list[Any] | None = None) -> None:
        self.find = find
        self.containers = [] if known is None else known

    def decode(self, raw: Any, depth: int = DEPTH) -> Any:
        """The value."""
        if type(raw) in SCALARS:
            return raw
        if depth <= 0:
            raise TooMuch("too deep")
        if type(raw) is list:
            tag, payload = "[", raw
        else:
            ((tag, payload),) = raw.items()
        if tag in MAKERS:
            value = MAKERS[tag](payload)
            self.containers.append(value)
            FILLERS[tag](self, value, payload, depth)
            return value
        reader = READERS.get(tag)
        return reader(self, payload, depth) if reader else self.find(tag, payload, self)

    def many(self, raw: Any, depth: int = DEPTH) -> list[Any]:
        """Each of several values."""
        items: list[Any] = exactly(list, raw)
        if SCALARS.issuperset(map(type, items)):
            return items
        return [self.decode(item, depth - 1) for item in items]

    def pairs(self, raw: Any, depth: int = DEPTH) -> Iterable[tuple[Any, Any]]:
        """Keys and values of a mapping."""
        items = self.many(raw, depth)
        if len(items) % 2:
            raise Malformed("a key without a value")
        turn = iter(items)
        return zip(turn, turn)

    def container(self, number: Any) -> Any:
        """The container of a number."""
        if exactly(int, number) < 0:
            raise Malformed("no number")
        return self.containers[number]

    def update(self, number: Any, payload: Any) -> None:
        """Give a container that was numbered before the content that the other side says it has now."""
        value = self.container(number)
        FILLERS[TAGS[type(value)]](self, value, payload, DEPTH)


def snapshot(value: Any) -> Any:
    """What a container holds now."""
    if type(value) in SNAPSHOTS:
        return SNAPSHOTS[type(value)](value)
    return [*value.keys(), *value.values()] if isinstance(value, dict) else list(value)


def changed(value: Any, before: Any) -> bool:
    """Whether a container holds anything else than at the time of the snapshot. Asks no object for its opinion."""
    now = snapshot(value)
    if type(now) is bytes:
        return bool(now != before)
    return len(now) != len(before) or not all(map(is_, now, before))


def exactly(kind: type, value: Any) -> Any:
    """The value, if that is its type. Raises Malformed."""
    if type(value) is not kind:
        raise Malformed("no " + kind.__name__)
    return value


def is_data(value: Any) -> bool:
    """Whether a value is known to cross by value, and is no type."""
    return type(value) is not type and (type(value) in WRITERS or type(value) in CONTENTS)


def adopt(kind: type) -> None:
    """Learn to write a type, if it is a plain one of the standard library, or one of named tuples."""
    module, name = getattr(kind, "__module__", None), kind.__name__
    module = module.partition("._")[0] if type(module) is str else ""  # `pathlib._local` is `pathlib` too
    known = STANDARD.get((module, name))
    if known and vars(sys.modules[module]).get(name) is kind:
        known(kind)
    elif module == "numpy" and hasattr(kind, "dtype") and hasattr(kind, "item"):
        STANDARD[module, "*"](kind)
    elif kind.__bases__ == (tuple,) and type(getattr(kind, "_fields", None)) is tuple:
        WRITERS[kind] = write_named
        named_tuples[kind.__name__, getattr(kind, "_fields", ())] = kind  # what comes back is of the same type


def named_tuple(name: str, fields: tuple[str, ...]) -> Any:
    """The type of named tuples with these fields. Raises ValueError where they are no names."""
    if (name, fields) not in named_tuples:
        if len(named_tuples) >= NAMED_TUPLES or len(fields) > NAMED_TUPLES:
            raise TooMuch("types of named tuples")
        made = __import__("collections").namedtuple(name, fields)
        made.__module__ = "solution"
        named_tuples[name, fields] = made
    return named_tuples[name, fields]


def write_named(encoder: Encoder, value: Any, depth: int) -> Any:
    """A named tuple: the name of its type, its fields, its values."""
    kind: Any = type(value)
    return {"n": [kind.__name__, list(kind._fields), encoder.many(tuple(value), depth)]}
