"""Plain types of the standard library, which cross by value: learnt when met, for their modules take time to load."""

from __future__ import annotations

from .plain import fill_dict
from .values import (
    CONTENTS,
    FILLERS,
    MAKERS,
    READERS,
    SNAPSHOTS,
    STANDARD,
    TAGS,
    WRITERS,
    Decoder,
    Encoder,
    exactly,
    named_tuple,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

FACTORIES: dict[Any, str] = {kind: kind.__name__ for kind in (list, int, str, set, dict, float)}


def library(module: str, name: str) -> Any:
    """Something of the standard library."""
    return getattr(__import__(module), name)


def value_type(tag: str, module: str, name: str, parts: Callable[[Any], Any]) -> None:
    """A type without change: `parts` gives the arguments that make an equal one, or None where there are none."""

    def write(encoder: Encoder, value: Any, depth: int) -> Any:
        arguments = parts(value)
        return encoder.name(value, encoder) if arguments is None else {tag: encoder.many(arguments, depth)}

    STANDARD[module, name] = lambda kind: WRITERS.update({kind: write})
    READERS[tag] = lambda decoder, raw, depth: library(module, name)(*decoder.many(raw, depth))


def container_type(tag: str, module: str, name: str, write: Any, make: Callable[[Any], Any], fill: Any) -> None:
    """A type that can change: how its content is written, how an empty one is made of it, how that is filled."""

    def learn(kind: type) -> None:
        TAGS[kind], CONTENTS[kind] = tag, write
        if name == "array":
            SNAPSHOTS[kind] = lambda value: value.tobytes()

    def made(raw: Any) -> Any:
        value = make(raw)
        learn(type(value))
        return value

    STANDARD[module, name] = learn
    MAKERS[tag], FILLERS[tag] = made, fill


def moment(value: Any) -> Any:
    """The arguments of a date and time. Rules of time zones do not cross."""
    zone = value.tzinfo
    if zone is not None and type(zone) is not library("datetime", "timezone"):
        return None
    day = (value.year, value.month, value.day) if hasattr(value, "year") else ()
    return (*day, value.hour, value.minute, value.second, value.microsecond, zone, value.fold)


def read_moment(name: str) -> Callable[[Decoder, Any, int], Any]:
    """Reads what `moment` took apart."""

    def read(decoder: Decoder, raw: Any, depth: int) -> Any:
        *parts, fold = decoder.many(raw, depth)
        return library("datetime", name)(*parts, fold=fold)

    return read


def write_defaultdict(encoder: Encoder, value: Any, depth: int) -> Any:
    """Which of the usual factories, and the items."""
    factory = value.default_factory
    return [FACTORIES.get(factory) if type(factory) is type else None, encoder.pairs(value, depth)]


def make_defaultdict(raw: Any) -> Any:
    """An empty one with its factory."""
    factory = next((kind for kind, name in FACTORIES.items() if name == raw[0]), None)
    return library("collections", "defaultdict")(factory)


def make_deque(raw: Any) -> Any:
    """An empty one with its greatest length."""
    length = raw[0]
    return library("collections", "deque")(maxlen=None if length is None else exactly(int, length))


def read_named(decoder: Decoder, raw: Any, depth: int) -> Any:
    """A named tuple of the type that has these fields."""
    name, fields, values = raw
    for field in (name, *exactly(list, fields)):
        exactly(str, field)
    return named_tuple(name, tuple(fields))._make(decoder.many(values, depth))


def read_decimal(decoder: Decoder, raw: Any, depth: int) -> Any:
    """A decimal number from its text."""
    (text,) = raw
    return library("decimal", "Decimal")(exactly(str, text))


def read_path(name: str) -> Callable[[Decoder, Any, int], Any]:
    """Reads a path from its text."""
    return lambda decoder, raw, depth: library("pathlib", name)(*(exactly(str, part) for part in raw))


def fill_deque(decoder: Decoder, value: Any, raw: Any, depth: int) -> None:
    """Give a deque its items."""
    items = decoder.many(raw[1], depth)
    value.clear()
    value.extend(items)


def fill_array(decoder: Decoder, value: Any, raw: Any, depth: int) -> None:
    """Give an array its numbers."""
    value[:] = type(value)(value.typecode, decoder.many(raw[1], depth))


value_type("m", "decimal", "Decimal", lambda value: (str(value),))
value_type("F", "fractions", "Fraction", lambda value: (value.numerator, value.denominator))
value_type("day", "datetime", "date", lambda value: (value.year, value.month, value.day))
value_type("time", "datetime", "time", moment)
value_type("moment", "datetime", "datetime", moment)
value_type("span", "datetime", "timedelta", lambda value: (value.days, value.seconds, value.microseconds))
value_type("zone", "datetime", "timezone", lambda value: value.__getinitargs__())
value_type("path", "pathlib", "PosixPath", lambda value: (str(value),))
value_type("purepath", "pathlib", "PurePosixPath", lambda value: (str(value),))
READERS.update(
    m=read_decimal,
    time=read_moment("time"),
    moment=read_moment("datetime"),
    path=read_path("PosixPath"),
    purepath=read_path("PurePosixPath"),
    n=read_named,
)
container_type("C", "collections", "Counter", Encoder.pairs, lambda raw: library("collections", "Counter")(), fill_dict)
container_type(
    "O", "collections", "OrderedDict", Encoder.pairs, lambda raw: library("collections", "OrderedDict")(), fill_dict
)
container_type(
    "D",
    "collections",
    "defaultdict",
    write_defaultdict,
    make_defaultdict,
    lambda decoder, value, raw, depth: fill_dict(decoder, value, raw[1], depth),
)
container_type(
    "q",
    "collections",
    "deque",
    lambda encoder, value, depth: [value.maxlen, encoder.many(tuple(value), depth)],
    make_deque,
    fill_deque,
)
container_type(
    "a",
    "array",
    "array",
    lambda encoder, value, depth: [value.typecode, encoder.many(tuple(value), depth)],
    lambda raw: library("array", "array")(exactly(str, raw[0])),
    fill_array,
)
