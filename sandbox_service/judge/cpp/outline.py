"""Where a test text asserts, and whether an assertion must be reached: found in its tokens, before anything runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sandbox_service.judge.cpp.tokens import Token, pairs, scan

MAX_TEXT = 200
MAX_SITES = 2000
"""Assertions beyond these belong to the last case: a word for each of them has to go into the program."""
STATEMENT_STARTS = {";", "{", "}"}
NOT_TYPES = {"return", "throw", "else", "case", "goto", "do", "new", "delete", "sizeof", "co_return", "co_yield"}


@dataclass(frozen=True, slots=True)
class Site:
    """A case: an assertion of the test text, or the whole of a text that has none.

    Attributes:
        line: of the test text, from 1.
        text: the assertion as it is written, at most 200 characters.
        certain: `main` cannot end without coming to it; one in a loop, a branch or a helper may not be reached.
    """

    line: int
    text: str
    certain: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where a token stands: in how many brackets, and whether in `main` and straight on its way."""

    depth: int = 0
    parentheses: int = 0
    in_main: bool = False
    straight: bool = False


@dataclass(slots=True)
class Outline:
    """A test text taken apart.

    Attributes:
        text: the text, a byte a character.
        tokens: of the text.
        partner: the number of the closing bracket by that of the opening one.
        opener: the other way round.
        places: one a token.
        main: the numbers of the name `main` and of the braces of its body; `None` where there is no such function.
        asserts: the numbers of the tokens `assert`.
        helpers: names of the functions that the text defines.
    """

    text: str
    tokens: list[Token]
    partner: dict[int, int]
    opener: dict[int, int]
    places: list[Place] = field(default_factory=list)
    main: tuple[int, int, int] | None = None
    asserts: list[int] = field(default_factory=list)
    helpers: set[str] = field(default_factory=set)

    def mark(self, number: int) -> str:
        """The text of a token, empty beyond the ends."""
        return self.tokens[number].text if 0 <= number < len(self.tokens) else ""

    def names(self) -> set[str]:
        """All names in the text, those in preprocessor lines included."""
        found = {token.text for token in self.tokens if token.kind == "name"}
        for token in self.tokens:
            if token.kind == "directive":
                found |= {inner.text for inner in scan(token.text[1:]) if inner.kind == "name"}
        return found


def outline(code: bytes) -> Outline:
    """Take a test text apart; linear in its length, whatever it holds."""
    text = code.decode("latin-1")
    tokens = scan(text)
    partner = pairs(tokens)
    found = Outline(text, tokens, partner, {closing: opening for opening, closing in partner.items()})
    heads = dict(_functions(found))
    main = next((number for number in heads if tokens[number].text == "main"), None)
    if main is not None and heads[main] in found.partner:
        found.main = (main, heads[main], found.partner[heads[main]])
    found.helpers = {tokens[number].text for number in heads} - {"main"}
    found.places = list(_places(found))
    found.asserts = [number for number in range(len(tokens)) if _asserts(found, number)]
    return found


def _asserts(found: Outline, number: int) -> bool:
    if found.tokens[number].text != "assert":
        return False
    return found.mark(number + 1) == "(" and number + 1 in found.partner and found.mark(number - 1) not in (".", "->")


def sites(found: Outline) -> list[Site]:
    """The cases of a text, in its order."""
    text, lines, counted = found.text, 1, 0
    cases = []
    for case, number in enumerate(found.asserts[:MAX_SITES]):
        start = found.tokens[number].start
        lines, counted = lines + text.count("\n", counted, start), start
        end = found.tokens[found.partner[number + 1]].end
        place = found.places[number]
        certain = place.straight and not place.parentheses and found.mark(number - 1) in STATEMENT_STARTS
        shared = case == MAX_SITES - 1 and len(found.asserts) > MAX_SITES
        cases.append(Site(lines, _cut(text[start : min(end, start + 4 * MAX_TEXT)]), certain and not shared))
    return cases or [Site(1, _cut(text), certain=True)]


def _cut(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "replace")[:MAX_TEXT]


def _functions(found: Outline) -> Iterator[tuple[int, int]]:
    """Functions defined outside all brackets: the numbers of the name and of the opening brace."""
    depth = 0
    for number, token in enumerate(found.tokens):
        if token.kind == "mark" and token.text in "([{)]}":
            depth += 1 if token.text in "([{" else -1
        elif depth == 0 and token.kind == "name" and found.mark(number + 1) == "(" and _typed(found, number):
            body = _body(found, found.partner.get(number + 1))
            if body is not None:
                yield number, body


def _typed(found: Outline, number: int) -> bool:
    """Whether something that can be the end of a type stands before a name."""
    before = found.tokens[number - 1] if number else None
    if before is None:
        return False
    return before.text in (">", ">>", "*", "&", "&&") or (before.kind == "name" and before.text not in NOT_TYPES)


def _body(found: Outline, closing: int | None) -> int | None:
    """The brace after the parameters of a function, past `const`, `noexcept`, `-> type` and the like."""
    if closing is None:
        return None
    for number in range(closing + 1, min(closing + 12, len(found.tokens))):
        token = found.tokens[number]
        if token.text == "{":
            return number
        if token.kind != "name" and token.text not in ("->", "::", "<", ">", "*", "&", ","):
            return None
    return None


def exits(found: Outline) -> list[int]:
    """The numbers of the `return`s of `main` itself, without those of functions and classes within it."""
    if found.main is None:
        return []
    _, number, closing = found.main
    returns = []
    while (number := number + 1) < closing:
        inner = _inner(found, number)
        if inner is not None:
            number = found.partner.get(inner, inner)
        elif found.mark(number) == "return":
            returns.append(number)
    return returns


def _inner(found: Outline, number: int) -> int | None:
    """The brace of a function without a name, or of a class, that begins here."""
    before, here = found.tokens[number - 1], found.mark(number)
    if here in ("struct", "class") and found.mark(number + 2) == "{":
        return number + 2
    indexed = before.kind in ("name", "literal") and before.text not in NOT_TYPES
    if here != "[" or indexed or before.text in (")", "]"):
        return None
    after = found.partner.get(number, number)
    return after + 1 if found.mark(after + 1) == "{" else _body(found, found.partner.get(after + 1))


def _places(found: Outline) -> Iterator[Place]:
    """Where each token stands. Straight on are the body of `main` and blocks that are statements of their own."""
    opening = found.main[1] if found.main else -1
    stack = [Place()]
    conditional = 0
    for number, token in enumerate(found.tokens):
        here = stack[-1]
        if token.kind == "directive":
            conditional += _nesting(token.text)
        if token.kind == "mark" and token.text in ")]}" and len(stack) > 1:
            stack.pop()
        yield here if not conditional else Place(here.depth, here.parentheses, here.in_main)
        if token.kind != "mark" or token.text not in "([{":
            continue
        straight = here.straight and not here.parentheses and found.mark(number - 1) in STATEMENT_STARTS
        stack.append(
            Place(
                depth=here.depth + 1,
                parentheses=here.parentheses + 1 if token.text != "{" else 0,
                in_main=here.in_main or number == opening,
                straight=number == opening or (straight and token.text == "{") or (token.text != "{" and here.straight),
            )
        )


def _nesting(directive: str) -> int:
    word = directive[1:].lstrip()
    if word.startswith("if"):
        return 1
    return -1 if word.startswith("endif") else 0
