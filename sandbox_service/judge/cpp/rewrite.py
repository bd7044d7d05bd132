"""The test text as it is compiled: each assertion tells its number, and what it relies on is the harness's own.

What is put in is called JUDGE here, and gets its final name with the rest of the program's files. Lines stay where they
are, so that messages of the compiler name the right ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from sandbox_service.judge.cpp.operands import binds_like_shift
from sandbox_service.judge.cpp.outline import MAX_SITES, NOT_TYPES, STATEMENT_STARTS, Outline, exits
from sandbox_service.judge.cpp.tokens import Token, scan

COMPARISONS = {"==": "== JUDGE::eq ==", "!=": "!= JUDGE::ne !="}
ORDERED = {"==": "<< JUDGE::eq <<", "!=": "<< JUDGE::ne <<"}
"""What is left of a shift is evaluated first; of a comparison, what is expected could be, and lie about in memory."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Text that takes the place of another."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Rewriting:
    """How a text is rewritten.

    Attributes:
        cpp: it is C++, else C.
        insertions: what else is put in, by position.
        genuine: functions of the library of which the harness's own are called.
        helpers: functions of the text that get a name of their own, so that no overload can be taken for them.
        key: the key of a case that passes, by its number.
        done: the key of the end of `main`; `None` where `main` may end where it cannot be told.
    """

    cpp: bool
    insertions: list[tuple[int, str]]
    genuine: set[str]
    helpers: set[str]
    key: Callable[[int], int]
    done: int | None


def rewrite(found: Outline, how: Rewriting) -> str:
    """The text with all edits made."""
    made: list[str] = []
    position = 0
    for edit in sorted(_edits(found, how), key=lambda edit: (edit.start, edit.end)):
        made += [found.text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*made, found.text[position:]])


def ends_plainly(found: Outline) -> bool:
    """Whether every way out of `main` can be told: it returns a number, or does so straight on its way."""
    return found.main is not None and all(
        _plain_return(found, number) or _straight_return(found, number) for number in exits(found)
    )


def _plain_return(found: Outline, number: int) -> bool:
    return found.tokens[number + 1].kind in ("number", "name") and found.mark(number + 2) == ";"


def _straight_return(found: Outline, number: int) -> bool:
    return found.places[number].straight and found.mark(number - 1) in STATEMENT_STARTS


def _edits(found: Outline, how: Rewriting) -> Iterator[Edit]:
    caught = any(token.text == "catch" for token in found.tokens)
    compares = how.cpp and not _defines_comparison(found.tokens)
    yield from _asserts(found, how)
    yield from (Edit(position, position, text) for position, text in how.insertions)
    if found.main:
        yield from _main(found, how)
    for number, token in enumerate(found.tokens):
        if token.kind == "directive":
            yield from _directive(token, how.helpers, compares)
        elif compares and token.text in COMPARISONS:
            infix = ORDERED if binds_like_shift(found, number) else COMPARISONS
            yield Edit(token.start, token.end, f" {infix[token.text]} ")
        elif token.kind == "name":
            yield from _name(found, number, how)
            if token.text == "throw" and not caught and found.places[number].depth:
                yield from _throw(found, number)


def _defines_comparison(tokens: list[Token]) -> bool:
    """The text says itself what is equal."""
    return any(one.text == "operator" and other.text in COMPARISONS for one, other in pairwise(tokens))


def _asserts(found: Outline, how: Rewriting) -> Iterator[Edit]:
    for case, number in enumerate(found.asserts):
        start, end = found.tokens[number].start, found.tokens[number + 1].end
        case = min(case, MAX_SITES - 1)
        lines = "\n" * found.text.count("\n", start, end)
        yield Edit(start, end, f"JUDGE_assert({case}, {how.key(case):#x}ULL, {lines}")


def _main(found: Outline, how: Rewriting) -> Iterator[Edit]:
    """`main` keeps its `int`, and tells that it came to its end."""
    assert found.main is not None  # noqa: S101
    name, opening, closing = found.main
    for number in [name - 1, *range(name + 1, opening)]:
        if found.mark(number) == "int":
            yield Edit(found.tokens[number].start, found.tokens[number].end, "JUDGE_int")
    if how.done is None:
        return
    told = f"JUDGE_done({how.done:#x}ULL)"
    for number in exits(found):
        start, end = found.tokens[number].start, found.tokens[number].end
        if _plain_return(found, number):
            value = found.tokens[number + 1]
            yield Edit(end, value.start, f" ({told}, {found.text[end : value.start]}")
            yield Edit(value.end, value.end, ")")
        else:
            yield Edit(start, start, f"{told}; ")
    yield Edit(found.tokens[closing].start, found.tokens[closing].start, f"{told}; ")


def _name(found: Outline, number: int, how: Rewriting) -> Iterator[Edit]:
    token, before = found.tokens[number], found.mark(number - 1)
    if before in (".", "->"):
        return
    start = token.start
    if before == "::":
        if token.text in how.helpers or found.mark(number - 2) not in ("std", ";", "{", "}", "(", ",", "!"):
            return
        start = found.tokens[number - 2 if found.mark(number - 2) == "std" else number - 1].start
    if token.text in how.helpers:
        yield Edit(token.start, token.end, f"JUDGE_{token.text}")
    elif found.mark(number + 1) == "(" and not _declared(found, number):
        if token.text in how.genuine:
            yield Edit(start, token.end, f"JUDGE_{token.text}")
        elif token.text == "exit":
            end = found.tokens[number + 1].end
            yield Edit(start, end, f"JUDGE_exit({how.done or 0:#x}ULL, ")


def _declared(found: Outline, number: int) -> bool:
    before = found.tokens[number - 1] if number else None
    return before is not None and before.kind == "name" and before.text not in NOT_TYPES


def _throw(found: Outline, number: int) -> Iterator[Edit]:
    """`throw X` becomes `throw (JUDGE_burn(), X)`: what the text takes for a failure is one before it is made."""
    if found.mark(number + 1) == ";":
        return
    last = number + 1
    while last < len(found.tokens) and found.mark(last) not in (";", ")", "}", ",", ":", "]"):
        last = found.partner.get(last, last) + 1
    if last < len(found.tokens):
        end = found.tokens[number].end
        yield Edit(end, end, " (JUDGE_burn(), ")
        yield Edit(found.tokens[last - 1].end, found.tokens[last - 1].end, ")")


def _directive(line: Token, helpers: set[str], compares: bool) -> Iterator[Edit]:
    """Macros of the text are part of it: their assertions count, though not as cases."""
    tokens = scan(line.text[1:])
    if not tokens or tokens[0].text != "define":
        return
    for token, after in zip(tokens[1:], [*tokens[2:], None], strict=True):
        start, end = line.start + 1 + token.start, line.start + 1 + token.end
        if token.text == "assert" and after is not None and after.text == "(" and token is not tokens[1]:
            yield Edit(start, end, "JUDGE_extra")
        elif token.kind == "name" and token.text in helpers:
            yield Edit(start, end, f"JUDGE_{token.text}")
        elif compares and token.text in COMPARISONS:
            yield Edit(start, end, f" {COMPARISONS[token.text]} ")
