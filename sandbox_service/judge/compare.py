"""Compare what a program printed with what it should have printed.

Outputs are hostile and up to megabytes long. So every mode works on bytes (decoding would make different
outputs equal), in time and memory linear in the output, and gives up as soon as it knows.

The message of a mismatch depends on the mode and the output alone. A position or a count would be an oracle:
whoever may try again could find the expected output piece by piece.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from sandbox_service.contract.compare import Compare
from sandbox_service.judge.document import DocumentError, read
from sandbox_service.judge.equal import equal
from sandbox_service.judge.numbers import Tolerance
from sandbox_service.judge.pattern import TaskError, compile_pattern

__all__ = ["TaskError", "check_expected", "matches"]


def matches(compare: Compare, output: bytes, expected: bytes) -> str | None:
    """Compare an output with the expected one.

    Args:
        compare: any mode but `checker`, and its tolerances.
        output: all that the program wrote to stdout.
        expected: the right output; for `regex` the pattern.

    Returns:
        `None` if it is right, else a short message that gives nothing of the expected output away.

    Raises:
        TaskError: the pattern of mode `regex` is not valid, or what `equal` expects is no JSON.
    """
    right, otherwise = _MODES[compare.mode]
    if right(compare, output, expected):
        return None
    return otherwise if output.strip() else "the output is blank"


def check_expected(compare: Compare, expected: bytes) -> None:
    """Check an expected output before anything runs, so that a bad one fails every solution alike.

    Raises:
        TaskError: the pattern of mode `regex` is not valid, or what `equal` expects is no JSON.
    """
    if compare.mode == "regex":
        compile_pattern(expected)
    if compare.mode == "equal":
        _expected_value(expected)


def _exact(_: Compare, output: bytes, expected: bytes) -> bool:
    return output == expected


def _lines(_: Compare, output: bytes, expected: bytes) -> bool:
    """White space at line ends does not count, nor blank lines at the end; only `\\n` ends a line."""
    wanted = expected.rstrip().split(b"\n")
    # One split more than needed shows a surplus; a flood of lines is not cut up any further.
    given = output.rstrip().split(b"\n", len(wanted))
    return len(given) == len(wanted) and all(a.rstrip() == b.rstrip() for a, b in zip(given, wanted, strict=True))


def _tokens(_: Compare, output: bytes, expected: bytes) -> bool:
    """Split on ASCII white space: a no-break space or a NUL is part of a token."""
    wanted = expected.split()
    return output.split(None, len(wanted)) == wanted


def _float(compare: Compare, output: bytes, expected: bytes) -> bool:
    wanted = expected.split()
    given = output.split(None, len(wanted))
    tolerance = Tolerance(compare.abs_tol, compare.rel_tol)
    return len(given) == len(wanted) and all(map(tolerance.equal, given, wanted))


def _unordered_lines(_: Compare, output: bytes, expected: bytes) -> bool:
    """Like `lines`, in any order. Blank lines count nowhere: without an order, none of them stands at the end."""
    wanted = Counter(_filled_lines(expected))
    for line in _filled_lines(output):
        if not wanted[line]:
            return False
        wanted[line] -= 1
    return not any(wanted.values())


def _filled_lines(data: bytes) -> Iterator[bytes]:
    for match in re.finditer(rb"[^\n]+", data):
        if line := match[0].rstrip():
            yield line


def _contains(_: Compare, output: bytes, expected: bytes) -> bool:
    return expected in output


def _regex(_: Compare, output: bytes, expected: bytes) -> bool:
    return compile_pattern(expected).fullmatch(output.rstrip()) is not None


def _equal(compare: Compare, output: bytes, expected: bytes) -> bool:
    wanted = _expected_value(expected)
    try:
        given = read(output)
    except DocumentError:
        return False
    return equal(given, wanted, compare) is None


def _expected_value(expected: bytes) -> Any:
    try:
        return read(expected)
    except DocumentError as error:
        raise TaskError(f"the expected output {error}") from None


_MODES: dict[str, tuple[Callable[[Compare, bytes, bytes], bool], str]] = {
    "exact": (_exact, "the output differs from the expected one"),
    "lines": (_lines, "the lines differ from the expected ones"),
    "tokens": (_tokens, "the tokens differ from the expected ones"),
    "float": (_float, "the tokens differ from the expected ones by more than the tolerance"),
    "unordered_lines": (_unordered_lines, "the lines, in any order, differ from the expected ones"),
    "contains": (_contains, "the output does not contain the expected text"),
    "regex": (_regex, "the output does not match the pattern"),
    "equal": (_equal, "the output is not the expected JSON value"),
}
