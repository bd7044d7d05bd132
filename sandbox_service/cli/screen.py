"""What commands show: text of strangers made harmless, verdicts in colour."""

from __future__ import annotations

import re

from rich.text import Text

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_COLOURS = {"accepted": "green", "wrong_answer": "yellow", "failed": "magenta", "cancelled": "magenta"}


def visible(text: str) -> str:
    """Text that a program printed, without what would steer the terminal: control characters become escapes."""
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)


def verdict(name: str) -> Text:
    """A verdict, or the state of a submission without one, in its colour."""
    return Text(name, style=_COLOURS.get(name, "red"))


def number(value: float | None, unit: str = "") -> str:
    """A figure, or a dash where there is none."""
    return "-" if value is None else f"{value:.3f}".rstrip("0").rstrip(".") + unit
