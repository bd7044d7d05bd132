"""Plain types of Python's own, which cross by value."""

from __future__ import annotations

import sys

from .message import MESSAGE_BYTES, TooMuch
from .values import (
    CONTENTS,
    FILLERS,
    MAKERS,
    READERS,
    SMALL,
    SNAPSHOTS,
    TAGS,
    WRITERS,
    Decoder,
    Encoder,
    NoneType,
    exactly,
    whole,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .values import Writer


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


def write_items(tag: str) -> Writer:
    """Writes what has nothing but items."""
    return lambda encoder, value, depth: encoder.once(tag, value, depth)


def write_range(tag: str) -> Writer:
    """Writes a range or a slice."""
    return lambda encoder, value, depth: {tag: encoder.many((value.start, value.stop, value.step), depth)}


def write_constant(encoder: Encoder, value: Any, depth: int) -> Any:
    """A type of Python's own, or another thing of which there is one."""
    return {"=": CONSTANT_NAMES[value]} if value in CONSTANT_NAMES else encoder.name(value, encoder)


WRITERS.update(
    {
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
        type: write_constant,
        type(Ellipsis): write_constant,
        type(NotImplemented): write_constant,
    }
)
READERS.update(
    {
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
)
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


TAGS.update({list: "[", set: "s", dict: "d", bytearray: "y"})
CONTENTS[list], CONTENTS[dict], CONTENTS[bytearray] = Encoder.many, Encoder.pairs, write_bytes
CONTENTS[set] = lambda encoder, value, depth: encoder.many(tuple(value), depth)
MAKERS.update({"[": lambda raw: [], "s": lambda raw: set(), "d": lambda raw: {}, "y": lambda raw: bytearray()})
SNAPSHOTS[bytearray] = bytes
FILLERS.update({"[": fill_list, "s": fill_set, "d": fill_dict, "y": fill_bytes})
