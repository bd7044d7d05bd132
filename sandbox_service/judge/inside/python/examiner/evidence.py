"""A short text for a value that the solution gave. Asks no object for its opinion, and takes no time."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LENGTH = 200  # characters
SHOWN = 20  # items of a container
NESTED = 3  # containers in each other
BRACKETS: dict[type, str] = {list: "[]", tuple: "()", set: "{}", dict: "{}"}


def brief(value: Any) -> str:
    """The value as Python writes it, cut to a length."""
    return piece(value, NESTED)[:LENGTH]


def piece(value: Any, depth: int) -> str:
    """The value, or what there is room for."""
    kind = type(value)
    if kind in (str, bytes, bytearray):
        return repr(value[:LENGTH]) + ("..." if len(value) > LENGTH else "")
    if kind is int and value.bit_length() > 4 * LENGTH:
        return "<an integer of %d bits>" % value.bit_length()
    if value is None or kind in (bool, int, float, complex):
        return repr(value)
    if kind in BRACKETS and depth:
        left, right = BRACKETS[kind][0], BRACKETS[kind][1]
        return left + ", ".join(pieces(value, depth - 1)) + ("," if kind is tuple and len(value) == 1 else "") + right
    return "<%s>" % kind.__name__


def pieces(value: Any, depth: int) -> list[str]:
    """The first items of a container."""
    texts: list[str] = []
    for item in value.items() if type(value) is dict else value:
        if len(texts) == SHOWN:
            return [*texts, "..."]
        parts = item if type(value) is dict else (item,)
        texts.append(": ".join([piece(part, depth) for part in parts]))
    return texts
