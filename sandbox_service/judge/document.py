"""Reading JSON that a program wrote: in linear time and bounded memory, whatever it is.

The reader of the standard library does the work. What it does not bound is bounded here: `[[],[],` takes thirty times
its size once it is read, and an integer of a million digits takes it minutes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from sandbox_service.contract.value import MAX_VALUE_DEPTH, too_deep

MAX_BYTES = 8 << 20
MAX_PARTS = 3_000_000
"""How many strings, commas and opening brackets a document may have, which bounds the number of its values."""
MAX_DIGITS = 4_000
"""Of an integer; one that has more becomes a `Decimal`, which is read in linear time, and is as exact."""

# A string, or what is left of one at the end: every quote begins a match, so that none is looked at twice.
_PART = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{,]', re.DOTALL)


class DocumentError(Exception):
    """What a program wrote cannot be read; the message says why, and gives nothing of it away.

    Attributes:
        too_much: it is too large or too deep, rather than no JSON.
    """

    def __init__(self, message: str, *, too_much: bool = False) -> None:
        super().__init__(message)
        self.too_much = too_much


def read(data: bytes, objects: Callable[[dict[str, Any]], Any] | None = None) -> Any:
    """Read one JSON document.

    Args:
        data: UTF-8; lone surrogates are let pass, NaN and infinities too.
        objects: makes a value of each object, inner ones first.

    Returns:
        What the document says; integers of more than 4,000 digits as `Decimal`.

    Raises:
        DocumentError: it is no JSON, or larger or deeper than is read.
    """
    if len(data) > MAX_BYTES:
        raise DocumentError(f"is larger than {MAX_BYTES} bytes", too_much=True)
    if _too_many_parts(data):
        raise DocumentError("has too many values", too_much=True)
    try:
        value = json.loads(data.decode("utf-8", "surrogatepass"), parse_int=_integer, object_hook=objects)
    except ValueError:
        raise DocumentError("is no JSON") from None
    except RecursionError:
        raise _too_deep() from None
    if too_deep(value):
        raise _too_deep()
    return value


def _too_many_parts(data: bytes) -> bool:
    if sum(map(data.count, (b'"', b",", b"[", b"{"))) <= MAX_PARTS:  # also within strings
        return False
    return any(number >= MAX_PARTS for number, _ in enumerate(_PART.finditer(data)))


def _integer(text: str) -> int | Decimal:
    return int(text) if len(text) <= MAX_DIGITS else Decimal(text)


def _too_deep() -> DocumentError:
    return DocumentError(f"is nested deeper than {MAX_VALUE_DEPTH} levels", too_much=True)
