"""The form and the length of what a model wrote."""

from __future__ import annotations

import re
from typing import Any

from sandbox_service.contract.reward import FormatPart, LengthPart
from sandbox_service.reward.facts import Valued

MAX_BYTES = 1 << 20
"""What of a text is searched."""
MAX_MEMORY_BYTES = 1 << 20
_FENCE = re.compile(rb"^[ ]{0,3}(`{3,}|~{3,})", re.MULTILINE)


class PatternError(ValueError):
    """The trainer's pattern is none, or too large: no text can be judged by it."""


def form(part: FormatPart, text: bytes) -> Valued:
    """The share of what is asked for that holds.

    Raises:
        PatternError: the pattern is no valid RE2.

    >>> part = FormatPart(name="format", tags=["think", "answer"], fenced=True)
    >>> form(part, b"<think>it is 4</think>\\n<answer>4</answer>")
    (0.5, 'not one fenced block')
    """
    text = text[:MAX_BYTES]
    asked = {}
    if part.pattern is not None:
        asked["the pattern is not found"] = _compiled(part.pattern).search(text) is not None
    if part.tags:
        asked[f"not once each, in order: {', '.join(part.tags)}"] = _in_order(part.tags, text)
    if part.fenced:
        asked["not one fenced block"] = len(_FENCE.findall(text)) == 2
    missing = [why for why, holds in asked.items() if not holds]
    return 1.0 - len(missing) / len(asked), "; ".join(missing) or None


def check_pattern(part: FormatPart) -> None:
    """See that a pattern is valid, before anything runs.

    Raises:
        PatternError: it is not.
    """
    if part.pattern is not None:
        _compiled(part.pattern)


def length(part: LengthPart, text: bytes) -> Valued:
    """1 up to `target`, 0 from `limit` on, a straight line between them.

    >>> length(LengthPart(name="length", unit="words", target=2, limit=6), b"one two three")
    (0.75, '3 words')
    """
    words = text.decode("utf-8", "replace")
    count = {
        "bytes": len(text),
        "characters": len(words),
        "words": len(words.split()),
        "lines": len(words.splitlines()),
    }[part.unit]
    left = (part.limit - count) / (part.limit - part.target)
    return min(max(left, 0.0), 1.0), f"{count} {part.unit}"


def _in_order(tags: list[str], text: bytes) -> bool:
    at = 0
    for tag in tags:
        opened, closed = f"<{tag}>".encode(), f"</{tag}>".encode()
        start, end = text.find(opened), text.find(closed)
        if text.count(opened) != 1 or text.count(closed) != 1 or not at <= start < end:
            return False
        at = end + len(closed)
    return True


def _compiled(pattern: str) -> Any:
    import re2  # here, so that only those who use it wait for it

    options = re2.Options()
    options.max_mem, options.never_capture, options.log_errors = MAX_MEMORY_BYTES, True, False
    try:
        return re2.compile(pattern, options)
    except re2.error:
        raise PatternError("the pattern of component format is not valid") from None
