"""Values as data that come out on the other side as they went in: types, sharing and cycles included.

Both sides of an assertions task speak it, and neither trusts the other. A value crosses if its type is exactly one of
the plain ones; it is built anew from data. Everything else is for the caller to name (`Encoder.name`).

A scalar is itself, a list is an array, all else an object of one key: `{"t": [1, 2]}` is a tuple. Containers that can
change are numbered in the order in which they are met, so that one met again is a reference, `{"&": 0}`.
"""

from __future__ import annotations

import sys
from _operator import is_

from .message import ITEMS, MESSAGE_BYTES, Malformed, TooMuch

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
        if (kind is type or value is Ellipsis or value is NotImplemented) and value in CONSTANT_NAMES:
            return {"=": CONSTANT_NAMES[value]}
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
    if type(value) is bytearray:
        return bytes(value)
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


def adopt(kind: type) -> None:
    """Learn to write a type, if it is a plain one of the standard library, or one of named tuples."""
    module, name = getattr(kind, "__module__", None), kind.__name__
    module = module.partition("._")[0] if type(module) is str else ""  # `pathlib._local` is `pathlib` too
    known = STANDARD.get((module, name))
    if known and vars(sys.modules[module]).get(name) is kind:
        known(kind)
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


def write_text(encoder: Encoder, value: str, depth: int) -> Any:
    """A string; one that JSON cannot carry as bytes."""
    if len(value) > MESSAGE_BYTES:
        raise TooMuch("a long string")
    return value if whole(value) else {"u": value.encode("utf-8", "surrogatepass").hex()}


def write_bytes(encoder: Encoder, value: Any, depth: int) -> str:
    """Bytes in hexadecimal."""
    if len(value) > MESSAGE_BYTES // 2:
        raise TooMuch("many bytes")
    return str(value.hex())


def write_named(encoder: Encoder, value: Any, depth: int) -> Any:
    """A named tuple: the name of its type, its fields, its values."""
    kind: Any = type(value)
    return {"n": [kind.__name__, list(kind._fields), encoder.many(tuple(value), depth)]}


def write_items(tag: str) -> Writer:
    """Writes what has nothing but items."""
    return lambda encoder, value, depth: encoder.once(tag, value, depth)


def write_range(tag: str) -> Writer:
    """Writes a range or a slice."""
    return lambda encoder, value, depth: {tag: encoder.many((value.start, value.stop, value.step), depth)}


# Types that cannot change, and those of the standard library that `adopt` has met.
WRITERS: dict[type, Writer] = {
    NoneType: lambda encoder, value, depth: value,
    bool: lambda encoder, value, depth: value,
    float: lambda encoder, value, depth: value,
    int: lambda encoder, value, depth: value if -SMALL < value < SMALL else {"i": hex(value)},
    str: write_text,
    bytes: lambda encoder, value, depth: {"b": write_bytes(encoder, value, depth)},
    complex: lambda encoder, value, depth: {"c": [value.real, value.imag]},
    tuple: write_items("t"),
    frozenset: write_items("f"),
    range: write_range("r"),
    slice: write_range("l"),
    type({}.keys()): write_items("K"),
    type({}.values()): write_items("V"),
    type({}.items()): write_items("I"),
}
READERS: dict[str, Reader] = {
    "&": lambda decoder, raw, depth: decoder.container(raw),
    "=": lambda decoder, raw, depth: CONSTANTS[exactly(str, raw)],
    "i": lambda decoder, raw, depth: int(exactly(str, raw), 16),
    "u": lambda decoder, raw, depth: bytes.fromhex(raw).decode("utf-8", "surrogatepass"),
    "b": lambda decoder, raw, depth: bytes.fromhex(raw),
    "c": lambda decoder, raw, depth: complex(*(exactly(float, part) for part in raw)),
    "t": lambda decoder, raw, depth: tuple(decoder.many(raw, depth)),
    "f": lambda decoder, raw, depth: frozenset(decoder.many(raw, depth)),
    "r": lambda decoder, raw, depth: range(*decoder.many(raw, depth)),
    "l": lambda decoder, raw, depth: slice(*decoder.many(raw, depth)),
    "K": lambda decoder, raw, depth: dict.fromkeys(decoder.many(raw, depth)).keys(),
    "V": lambda decoder, raw, depth: dict(enumerate(decoder.many(raw, depth))).values(),
    "I": lambda decoder, raw, depth: dict(decoder.many(raw, depth)).items(),
}
CONSTANTS: dict[str, Any] = {
    kind.__name__: kind
    for kind in [
        *(bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice),
        *(object, type, NoneType, type(Ellipsis), type(NotImplemented)),
        *(
            kind
            for kind in vars(sys.modules["builtins"]).values()
            if type(kind) is type and issubclass(kind, Exception)
        ),
    ]
}
CONSTANTS.update(Ellipsis=Ellipsis, NotImplemented=NotImplemented)
CONSTANT_NAMES = {value: name for name, value in CONSTANTS.items()}


def fill_list(decoder: Decoder, value: Any, raw: Any, depth: int) -> None:
    """Give a list its items."""
    value[:] = decoder.many(raw, depth)


def fill_set(decoder: Decoder, value: Any, raw: Any, depth: int) -> None:
    """Give a set its items."""
    items = decoder.many(raw, depth)
    value.clear()
    value.update(items)


def fill_dict(decoder: Decoder, value: Any, raw: Any, depth: int) -> None:
    """Give a dictionary its items."""
    pairs = decoder.pairs(raw, depth)
    value.clear()
    for key, item in pairs:
        value[key] = item


def fill_bytes(decoder: Decoder, value: Any, raw: Any, depth: int) -> None:
    """Give a bytearray its bytes."""
    value[:] = bytes.fromhex(raw)


# Types that can change: their tag, how their content is written, how an empty one is made, how it is filled.
TAGS: dict[type, str] = {list: "[", set: "s", dict: "d", bytearray: "y"}
CONTENTS: dict[type, Writer] = {
    list: Encoder.many,
    set: lambda encoder, value, depth: encoder.many(tuple(value), depth),
    dict: Encoder.pairs,
    bytearray: write_bytes,
}
MAKERS: dict[str, Callable[[Any], Any]] = {
    "[": lambda raw: [],
    "s": lambda raw: set(),
    "d": lambda raw: {},
    "y": lambda raw: bytearray(),
}
FILLERS: dict[str, Callable[[Decoder, Any, Any, int], None]] = {
    "[": fill_list,
    "s": fill_set,
    "d": fill_dict,
    "y": fill_bytes,
}

named_tuples: dict[tuple[str, tuple[str, ...]], Any] = {}

# Plain types of the standard library: module and name -> what teaches `Encoder` to write them. See `standard.py`.
STANDARD: dict[tuple[str, str], Callable[[type], None]] = {}
