"""Messages as ASCII JSON, with what bounds them."""

from __future__ import annotations

import sys
from _json import encode_basestring_ascii, make_encoder, make_scanner  # the json package costs half a start of Python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MESSAGE_BYTES = 32 << 20
BRACKETS_DEEP = 4_000  # calls and brackets in each other while a message is read
ITEMS = 4_000_000  # elements of all containers of a message


class TooMuch(Exception):
    """A value or message is over a limit."""


class Malformed(Exception):
    """What was received is no message."""


def parse_int(text: str) -> int:
    """A decimal number of a message; long ones come in hexadecimal, which takes linear time."""
    if len(text) > 4000:
        raise Malformed("a number of many digits")
    return int(text)


class Scan:
    """How JSON is read."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float = parse_constant = float
    parse_int = int if hasattr(sys, "get_int_max_str_digits") else parse_int


scan = make_scanner(Scan)  # type: ignore[arg-type]
write = make_encoder(
    None,
    None,  # type: ignore[arg-type]
    encode_basestring_ascii,
    None,
    ":",
    ",",
    False,
    False,
    True,
)


def dumps(value: object) -> bytes:
    """ASCII JSON of lists, dictionaries and scalars."""
    return "".join(write(value, 0)).encode("ascii")


def loads(data: bytes) -> Any:
    """The value of ASCII JSON. Raises Malformed or TooMuch, nothing else, whatever the data."""
    if data.count(b",") > ITEMS or data.count(b"[") + data.count(b"{") > ITEMS:
        raise TooMuch("too many values")
    limit = sys.getrecursionlimit()
    try:
        if limit > BRACKETS_DEEP:  # the program's own wish, which would let brackets alone overflow the stack
            sys.setrecursionlimit(BRACKETS_DEEP)
        text = str(data, "ascii")
        value, end = scan(text, 0)
    except (RecursionError, MemoryError) as error:
        raise TooMuch(str(error)) from None
    except Exception as error:  # StopIteration, ValueError; SystemError, for json.decoder is not loaded
        raise Malformed(str(error)) from None
    finally:
        sys.setrecursionlimit(limit)
    if end != len(text):
        raise Malformed("more than one value")
    return value
