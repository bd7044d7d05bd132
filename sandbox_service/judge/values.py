"""Values of functions, as the program in the sandbox sends them: one line of JSON.

JSON cannot say everything that has to be told. A line that begins with a mark has some of that in it, and there an
object always has one key of ours, and is never one of the solution's:

    {"d": [key, value, key, value, ...]}    a mapping
    {"i": "-1f"}                            an integer too long for decimal digits, in base 16, which is linear
    {"o": "set"}                            something that is no JSON, by the name of its type
    {"l": "size"}                           in place of all: the value is over a limit
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Literal

from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge.document import MAX_BYTES, DocumentError, read

MARK = b"!"
MAX_BRIEF = 200
_LIMITS = {
    "size": "is too large",
    "depth": "is nested too deeply",
    "items": "has more than 1000000 items",
}


class ValueFault(Exception):  # noqa: N818
    """What came is no value; the message gives nothing away.

    Attributes:
        fault: `limit`: it is too large, too deep or has too many items; `garbage`: anything else.
    """

    def __init__(self, fault: Literal["limit", "garbage"], message: str) -> None:
        super().__init__(message)
        self.fault = fault

    @property
    def verdict(self) -> Verdict:
        """The verdict of a solution that sent this."""
        return Verdict.OUTPUT_LIMIT_EXCEEDED if self.fault == "limit" else Verdict.WRONG_ANSWER


class Opaque:
    """Something that is no JSON value, by the name of its type. Equals nothing but itself."""

    __slots__ = ("type",)

    def __init__(self, type: str) -> None:
        self.type = type


def decode(data: bytes) -> Any:
    """The value that a solution sent: its first line. What comes after counts for nothing.

    Args:
        data: all that came, or more of it than `MAX_BYTES`. Hostile.

    Returns:
        JSON values, exact types only, NaN and infinities among them; `Opaque` for others.

    Raises:
        ValueFault: it is no value.
    """
    end = data.find(b"\n", 0, MAX_BYTES + 1)
    if end < 0 and len(data) > MAX_BYTES:
        raise ValueFault("limit", f"the value {_LIMITS['size']}")
    if end < 0:
        raise ValueFault("garbage", "the value broke off" if data else "ended without giving a value")
    try:
        return read(data[1:end], _untagged) if data.startswith(MARK) else read(data[:end])
    except DocumentError as error:
        raise ValueFault("limit" if error.too_much else "garbage", f"the value {error}") from None


def _untagged(tagged: dict[str, Any]) -> Any:
    tag, content = next(iter(tagged.items())) if len(tagged) == 1 else ("", None)
    if tag == "d" and type(content) is list and len(content) % 2 == 0:
        keys = content[::2]
        if set(map(type, keys)) <= {str}:
            return dict(zip(keys, content[1::2], strict=True))
    elif type(content) is str:
        if tag == "i":
            return _integer(content)
        if tag == "o":
            return Opaque(content[:MAX_BRIEF])
        if tag == "l" and content in _LIMITS:
            raise ValueFault("limit", f"the value {_LIMITS[content]}")
    raise ValueFault("garbage", "the value is garbled")


def _integer(digits: str) -> int:
    try:
        return int(digits, 16)
    except ValueError:
        raise ValueFault("garbage", "the value is garbled") from None


def text(value: Any) -> bytes | None:
    """A value's JSON text: compact, in ASCII, with sorted keys.

    Returns:
        `None` if the value has none: NaN, infinities, integers of more than 4,300 digits, what is opaque.
    """
    try:
        return json.dumps(value, separators=(",", ":"), sort_keys=True, allow_nan=False).encode("ascii")
    except (TypeError, ValueError):
        return None


def brief(value: Any) -> str:
    """A value for a person to read: the beginning of its JSON text, about 200 characters, however large it is."""
    shown = ""
    for piece in _pieces(value):
        shown += piece
        if len(shown) > MAX_BRIEF:
            break
    return shown


def _pieces(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        yield from _joined("[", ((item,) for item in value), "]")
    elif isinstance(value, dict):
        yield from _joined("{", value.items(), "}")
    elif isinstance(value, Opaque):
        yield f"<{value.type}>"
    elif isinstance(value, int) and value.bit_length() > MAX_BRIEF * 4:
        yield f"<integer of {value.bit_length()} bits>"
    elif isinstance(value, Decimal):
        yield f"<integer of {value.adjusted() + 1} digits>"
    else:
        yield json.dumps(value[: MAX_BRIEF + 1] if isinstance(value, str) else value, ensure_ascii=False)


def _joined(start: str, items: Any, end: str) -> Iterator[str]:
    yield start
    for number, item in enumerate(items):
        yield ", " if number else ""
        for place, part in enumerate(item):
            yield ": " if place else ""
            yield from _pieces(part)
    yield end
