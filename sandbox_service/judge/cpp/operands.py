"""Whether the operands of a comparison hold nothing that binds less tightly than a shift would."""

from __future__ import annotations

from sandbox_service.judge.cpp.outline import Outline
from sandbox_service.judge.cpp.words import LIBRARY

_LOOSE = {"<", ">", "<=", ">=", "<=>", "<<", ">>"}
_TEMPLATES = LIBRARY | {"static_cast", "const_cast", "reinterpret_cast", "dynamic_cast"}
_ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
_ENDS = {";", ",", "?", ":", "&&", "||", "&", "|", "^", "return", "and", "or", "not", "case"} | _ASSIGNMENTS
_FARTHEST = 400
"""Tokens that are looked at; a longer operand is not taken apart."""


def binds_like_shift(found: Outline, number: int) -> bool:
    """Whether the comparison at a token means the same if its sign is a shift's."""
    left = _left(found, number)
    open_angles = 0
    position = left
    while position is not None and position < min(len(found.tokens), left + _FARTHEST):
        text = found.mark(position)
        if text in (")", "]", "}") or (text in _ENDS and position > number):
            return True
        if text == "<" and found.mark(position - 1) in _TEMPLATES:
            open_angles += 1
        elif text in (">", ">>") and open_angles >= len(text):
            open_angles -= len(text)
        elif text in _LOOSE:
            return False
        position = found.partner.get(position, position) + 1
    return False


def _left(found: Outline, number: int) -> int:
    """Where the expression begins whose operand stands left of a comparison."""
    position = number - 1
    while position >= max(0, number - _FARTHEST):
        text = found.mark(position)
        if text in ("(", "[", "{") or text in _ENDS:
            break
        position = found.opener.get(position, position) - 1
    return position + 1
