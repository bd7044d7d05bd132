"""Objects that are plain data but for their class, such as a member of an IntEnum."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def is_plain_below(value: Any) -> bool:
    """Whether an object is plain data but for its class, and the tests use no classes."""
    kind = type(value)
    return not issubclass(kind, type) and any(base in BELOW for base in kind.__mro__)


def plain_below(value: Any) -> Any:
    """The data, whatever its class says of it."""
    return BELOW[next(base for base in type(value).__mro__ if base in BELOW)](value)


BELOW: dict[type, Any] = {
    int: int.__pos__,
    float: float.__pos__,
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    tuple: lambda value: tuple.__getitem__(value, slice(None)),
    list: lambda value: list.__getitem__(value, slice(None)),
    dict: lambda value: dict(dict.items(value)),
    set: lambda value: set(set.__iter__(value)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
}
