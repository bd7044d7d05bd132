"""C and C++ text as tokens: as much as is needed to find assertions and braces, in one pass, whatever the text is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["name", "number", "literal", "mark", "directive"]

# Every alternative is possessive and none can fail late: the scan is linear in the length of the text.
_TOKEN = re.compile(
    r"""
    (?P<space> (?: \s | \\\r?\n )++ )
  | (?P<comment> // (?: \\\r?\n | [^\n] )*+ | /\* (?: [^*] | \*(?!/) )*+ (?:\*/)? )
  | (?P<raw> (?:u8|[uUL])? R" (?P<fence> [^ ()\\\s"]{0,16} ) \( )
  | (?P<literal> " (?: \\\r\n | \\. | [^"\\\n] )*+ "? | ' (?: \\\r\n | \\. | [^'\\\n] )*+ '? )
  | (?P<number> \.?[0-9] (?: [eEpP][+-] | '?[\w.] )*+ )
  | (?P<name> [A-Za-z_$\x80-\xff] [\w$\x80-\xff]*+ )
  | (?P<mark> <<= | >>= | <=> | \.\.\. | ->\* | :: | -> | == | != | <= | >= | && | \|\| | \+\+ | -- | \#\#
            | [-+*/%&|^]= | << | >> | . )
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
# A line that starts with `#`, with the lines and comments that go on in it.
_DIRECTIVE = re.compile(
    r"""\# (?: // (?: \\\r?\n | [^\n] )*+ | /\* (?: [^*] | \*(?!/) )*+ (?:\*/)?
          | " (?: \\\r\n | \\. | [^"\\\n] )*+ "? | \\\r?\n | [^\n] )*+""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a text; comments and white space are none.

    Attributes:
        kind: what it is; a `literal` is a string or a character, a `directive` a whole preprocessor line.
        text: as it is written.
        start: where it begins in the text.
    """

    kind: Kind
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + len(self.text)


def scan(text: str) -> list[Token]:
    """The tokens of a text in which a character is a byte (latin-1)."""
    tokens: list[Token] = []
    position, fresh = 0, True
    while position < len(text):
        token, end = _next(text, position, fresh)
        if token is None:
            fresh = fresh or "\n" in text[position:end]
        else:
            tokens.append(token)
            fresh = False
        position = end
    return tokens


def _next(text: str, start: int, fresh: bool) -> tuple[Token | None, int]:
    if fresh and text[start] == "#":
        end = _ending(_DIRECTIVE, text, start).end()
        return Token("directive", text[start:end], start), end
    match = _ending(_TOKEN, text, start)
    kind, end = match.lastgroup, match.end()
    if kind in ("space", "comment"):
        return None, end
    if kind == "raw":
        closing = f'){match["fence"]}"'
        found = text.find(closing, end)
        end = len(text) if found < 0 else found + len(closing)
        kind = "literal"
    return Token(kind, text[start:end], start), end  # type: ignore[arg-type]


def _ending(pattern: re.Pattern[str], text: str, start: int) -> re.Match[str]:
    match = pattern.match(text, start)
    if match is None:  # the last alternative takes any character
        raise AssertionError(start)
    return match


def pairs(tokens: list[Token]) -> dict[int, int]:
    """Which bracket closes which, by number; brackets without a partner are left out."""
    partner: dict[int, int] = {}
    opened: list[int] = []
    for number, token in enumerate(tokens):
        if token.kind != "mark":
            continue
        if token.text in "([{":
            opened.append(number)
        elif token.text in ")]}" and opened:
            partner[opened.pop()] = number
    return partner
