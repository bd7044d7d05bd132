"""Compare numbers by value: tokens of a text, and values.

Decimal, not float: it is exact, so that `rel_tol` 0 tells 2**53 from 2**53 + 1, 1e400 is a number like any other,
and a tolerance of 1e-6 means what is written and not the nearest binary fraction. And it is linear in the length
of a token, of which a program may print megabytes.
"""

from __future__ import annotations

import math
import re
from decimal import MAX_EMAX, MIN_EMIN, ROUND_UP, Context, Decimal

Number = int | float | Decimal
DEFAULT_TOLERANCE = 1e-9
MAX_BITS = 1 << 16
"""Integers longer than this are compared without tolerance: no JSON number comes near them."""
TOLERANCE_DIGITS = 20
"""More than any float is written with."""
# Plain decimal notation, as C, Java and Python print it: no underscores, no hexadecimal, ASCII digits. Six digits of
# exponent keep the arithmetic within bounds. Each pattern can backtrack in one place only, so a match is linear.
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,6})?")
_INFINITY = re.compile(rb"([+-]?)inf(?:inity)?", re.IGNORECASE)
_NAN = re.compile(rb"[+-]?nan(?:\([^)]*\))?", re.IGNORECASE)


class Tolerance:
    """How far apart two numbers may be and still be equal.

    Args:
        absolute: by at most this much; `None` is 1e-9.
        relative: or by at most this share of the expected number; `None` is 1e-9.
    """

    def __init__(self, absolute: float | None, relative: float | None) -> None:
        self._absolute = _exact(absolute)
        self._relative = _exact(relative)
        # A difference is rounded away from what is allowed, never to it.
        self._context = Context(rounding=ROUND_UP, Emax=MAX_EMAX, Emin=MIN_EMIN)

    def equal(self, given: bytes, wanted: bytes) -> bool:
        """Whether a token of the output is the expected token.

        Numbers on both sides are equal within the tolerance, however written (`3`, `3.0`, `.3e1`). Infinities
        equal those of the same sign, never a number, however large. NaN equals nothing, itself included. All
        other tokens are compared byte by byte.
        """
        if given == wanted:
            return not _NAN.fullmatch(given)
        if _NUMBER.fullmatch(given) and _NUMBER.fullmatch(wanted):
            return self._close(Decimal(given.decode("ascii")), Decimal(wanted.decode("ascii")))
        return (sign := _infinity(given)) is not None and sign == _infinity(wanted)

    def close(self, given: Number, wanted: Number) -> bool:
        """Whether a value is the expected one, within the tolerance.

        By the same rule as `equal`: a float is what is written, the shortest decimal that stands for it. Infinities
        equal themselves alone, NaN nothing.
        """
        if given == wanted:
            return True
        if any(map(_beyond, (given, wanted))):
            return False
        return self._close(_written(given), _written(wanted))

    def _close(self, given: Decimal, wanted: Decimal) -> bool:
        # So many digits hold what is allowed exactly. A difference may have millions: 1e999999 - 1.
        self._context.prec = len(wanted.as_tuple().digits) + TOLERANCE_DIGITS
        apart = self._context.abs(self._context.subtract(given, wanted))
        return apart <= self._absolute or apart <= self._context.multiply(self._relative, self._context.abs(wanted))


def _beyond(number: Number) -> bool:
    """Whether no tolerance applies to a number."""
    if isinstance(number, float):
        return not math.isfinite(number)
    return isinstance(number, int) and number.bit_length() > MAX_BITS


def _written(number: Number) -> Decimal:
    return Decimal(repr(number)) if isinstance(number, float) else Decimal(number)


def _exact(tolerance: float | None) -> Decimal:
    return Decimal(repr(DEFAULT_TOLERANCE if tolerance is None else tolerance))


def _infinity(token: bytes) -> bool | None:
    """Whether an infinity is negative; `None` if the token is none."""
    match = _INFINITY.fullmatch(token)
    return match[1] == b"-" if match else None
