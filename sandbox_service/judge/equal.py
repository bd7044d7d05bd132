"""Compare JSON values: by kind, then by value. Linear, without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from sandbox_service.contract.compare import Compare
from sandbox_service.judge.numbers import Number, Tolerance

DIFFERS = "the value differs from the expected one"
DIFFERS_TOO_MUCH = "the value differs from the expected one by more than the tolerance"
_NUMBERS = frozenset((int, float, Decimal))  # bool is none of them


def equal(value: Any, expected: Any, compare: Compare) -> str | None:
    """Compare a value with the expected one.

    A boolean equals no number. Numbers are compared by value, without rounding: 1 equals 1.0, 2**53 + 1 no float, NaN
    nothing. Lists are equal in order, objects by key, all else if kind and value are the same.

    Args:
        value: what a solution gave: JSON values, exact types only; anything else in it equals nothing.
        expected: the right value.
        compare: mode `equal` or `float`, with its tolerances.

    Returns:
        `None` if they are equal, else a message that gives nothing of the expected value away.
    """
    same = _number_rule(compare)
    walks: list[Iterator[tuple[Any, Any]]] = [iter([(value, expected)])]
    while walks:
        pair = next(walks[-1], None)
        if pair is None:
            walks.pop()
        elif (inner := _compared(*pair, same)) is None:
            return DIFFERS_TOO_MUCH if compare.mode == "float" else DIFFERS
        else:
            walks.append(inner)
    return None


def _compared(given: Any, wanted: Any, same: Callable[[Number, Number], bool]) -> Iterator[tuple[Any, Any]] | None:
    """What is left to compare of two values; `None` if they differ already."""
    kind, other = type(given), type(wanted)
    if kind in _NUMBERS and other in _NUMBERS:
        return iter(()) if same(given, wanted) else None
    if kind is not other:
        return None
    if kind is list:
        return zip(given, wanted, strict=True) if len(given) == len(wanted) else None
    if kind is dict:
        return ((given[key], wanted[key]) for key in wanted) if given.keys() == wanted.keys() else None
    return iter(()) if given == wanted else None


def _number_rule(compare: Compare) -> Callable[[Number, Number], bool]:
    if compare.mode == "float":
        return Tolerance(compare.abs_tol, compare.rel_tol).close
    if compare.abs_tol or compare.rel_tol:
        return Tolerance(compare.abs_tol or 0.0, compare.rel_tol or 0.0).close
    return _exactly


def _exactly(given: Number, wanted: Number) -> bool:
    return given == wanted
