"""Patterns of mode `regex`: RE2, which takes time linear in the output whatever the pattern."""

from __future__ import annotations

from typing import Any

MAX_MEMORY_BYTES = 1 << 20
"""What one pattern may hold; one that needs more to compile is refused, in matching RE2 goes on slower."""


class TaskError(Exception):
    """The task itself is at fault, and no solution can be judged by it: `infra_error {kind: "task_error"}`."""


def compile_pattern(pattern: bytes) -> Any:
    """Compile an expected output of mode `regex`.

    Pattern and output are taken as UTF-8 without being decoded: `.` stands for one character, `\\C` for any byte,
    which is what output that is not UTF-8 needs. A line end at the end of the pattern is dropped, since the output
    is matched without white space at its end.

    Args:
        pattern: RE2 syntax; it must match the whole output.

    Raises:
        TaskError: the pattern is not valid or too large; nothing of it is quoted.
    """
    import re2  # here, so that only those who use this mode wait for it

    options = re2.Options()
    options.max_mem = MAX_MEMORY_BYTES
    options.never_capture = True
    options.log_errors = False
    try:
        return re2.compile(pattern.rstrip(b"\r\n"), options)
    except re2.error as error:
        raise TaskError(f"the expected output is not a valid pattern: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    """What RE2 says, without the piece of the pattern that it quotes."""
    said = error.args[0] if error.args else b""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return text.split(":")[0]
