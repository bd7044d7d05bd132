"""Where an output differs from the expected one first: an excerpt of both, for messages that may show it.

Linear in both, like comparing itself; an output of megabytes takes seconds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import zip_longest

from sandbox_service.contract.task import Compare
from sandbox_service.judge.evidence import CUT, escaped, shorten
from sandbox_service.judge.numbers import Tolerance

MAX_EXCERPT = 100
BEFORE = 30
"""How much of the line stands before the difference, bytes and characters."""

Place = tuple[int, int] | None
"""Where the item begins that differs, and where it does; `None` is the end."""
Places = tuple[Place, Place]
"""In the output and in the expected one."""
Item = tuple[int, bytes]


def difference(compare: Compare, output: bytes, expected: bytes) -> tuple[str, str]:
    """Excerpts of an output and of the expected one around their first difference, at most 100 characters each.

    Modes that compare no part of one with a part of the other have excerpts of the beginnings.

    >>> difference(Compare(mode="tokens"), b"1 2\\n3 4\\n", b"1 2\\n3 5\\n")
    ('line 2: ...4', 'line 2: ...5')
    """
    find = _PLACES.get(compare.mode)
    given, wanted = find(compare, output, expected) if find else ((0, 0), (0, 0))
    return _excerpt(output, given), _excerpt(expected, wanted)


def _excerpt(data: bytes, place: Place) -> str:
    if place is None:
        data = data.rstrip()
        place = len(data) - BEFORE, len(data)
    item, at = place
    line_start = data.rfind(b"\n", 0, at) + 1
    stop = data.find(b"\n", at, at + MAX_EXCERPT)
    # A line end is shown only where it is itself the difference.
    after = data[at : at + MAX_EXCERPT if stop < 0 else max(stop, at + 1)]
    # What stands before a token is right, and only makes both look alike.
    start = max(line_start, item, at - BEFORE)
    before = _shown(data[start:at])[-BEFORE:]
    cut = CUT if line_start < start else ""
    line = data.count(b"\n", 0, at) + 1
    return shorten(f"line {line}: {cut}{before}{_shown(after) or '[end]'}", MAX_EXCERPT)


def _shown(data: bytes) -> str:
    return escaped(data.decode("utf-8", "backslashreplace"))


def _exact(_: Compare, output: bytes, expected: bytes) -> Places:
    same = _common(output, expected)
    return (0, same), (0, same)


def _lines(_: Compare, output: bytes, expected: bytes) -> Places:
    return _first(_lines_of(output), _lines_of(expected), bytes.__eq__)


def _tokens(_: Compare, output: bytes, expected: bytes) -> Places:
    return _first(_tokens_of(output), _tokens_of(expected), bytes.__eq__)


def _float(compare: Compare, output: bytes, expected: bytes) -> Places:
    return _first(_tokens_of(output), _tokens_of(expected), Tolerance(compare.abs_tol, compare.rel_tol).equal)


def _unordered_lines(_: Compare, output: bytes, expected: bytes) -> Places:
    """The first line of the output that is one too many, and the first of the expected ones that is missing."""
    wanted = Counter(line for _, line in _lines_of(expected) if line)
    surplus: Place = None
    for at, line in _lines_of(output):
        if wanted[line]:
            wanted[line] -= 1
        elif line and surplus is None:
            surplus = at, at
    return surplus, next(((at, at) for at, line in _lines_of(expected) if wanted[line]), None)


_PLACES: dict[str, Callable[[Compare, bytes, bytes], Places]] = {
    "exact": _exact,
    "lines": _lines,
    "tokens": _tokens,
    "float": _float,
    "unordered_lines": _unordered_lines,
}


def _first(given: Iterator[Item], wanted: Iterator[Item], equal: Callable[[bytes, bytes], bool]) -> Places:
    for one, other in zip_longest(given, wanted):
        if one is None or other is None:
            return one and (one[0], one[0]), other and (other[0], other[0])
        if not equal(one[1], other[1]):
            same = _common(one[1], other[1])  # a line or a token may be megabytes long
            return (one[0], one[0] + same), (other[0], other[0] + same)
    return None, None


def _common(one: bytes, other: bytes) -> int:
    """The length of what both begin with."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _lines_of(data: bytes) -> Iterator[Item]:
    """Lines without white space at their ends, and without blank ones at the end."""
    data, at = data.rstrip(), 0
    while at <= len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        yield at, data[at:end].rstrip()
        at = end + 1


def _tokens_of(data: bytes) -> Iterator[Item]:
    return ((match.start(), match[0]) for match in re.finditer(rb"\S+", data))
