"""Values of the solution's own classes in a C++ test text: which calls get looked at, and which classes are known.

An operator or a method of such a class says what the solution wants it to say. So the text may use those of classes
that it names itself, and of no others: a call `f(1)` of a function of the solution is compiled as
`(f(1), JUDGE::checked)`, and no case passes any more once something of another class came back. Structures without a
name in the text can still be taken apart: `f(1).x` is looked at as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sandbox_service.judge.cpp.outline import Outline
from sandbox_service.judge.cpp.tokens import Token, pairs, scan
from sandbox_service.judge.cpp.words import KEYWORDS, NUMBERS

CHECKED = ", JUDGE::checked)"
_OPERATORS = {"throw", "case", "and", "or", "not"}
"""Names that an expression may follow."""
_UNEVALUATED = {"decltype", "sizeof", "noexcept", "typeid", "alignof", "catch"}
_MAX_ALIAS = 40


@dataclass(slots=True)
class Reader:
    """A test text with the names that the solution knows too.

    Attributes:
        found: the text.
        own: names of the solution that the text may call.
        automatic: variables of the text whose type the solution decides.
        enclosing: the number of the bracket around each token, -1 for none.
        statements: whether a token is in the body of a function that is not one of a class.
    """

    found: Outline
    own: set[str]
    automatic: set[str] = field(default_factory=set)
    enclosing: list[int] = field(default_factory=list)
    statements: list[bool] = field(default_factory=list)


def insertions(found: Outline, solution: bytes, helpers: set[str]) -> list[tuple[int, str]]:
    """What is put in where, by position in the text."""
    names = {token.text for token in _scan(solution) if token.kind == "name"}
    reader = Reader(found, names - KEYWORDS - helpers - {"main", "assert", "std", *NUMBERS})
    _surroundings(reader)
    chains = list(_chains(reader))
    for start, ends in chains:
        if ends and found.mark(start - 1) == "=" and _automatic(reader, start):
            reader.automatic.add(found.mark(start - 2))
    return [place for start, _ in chains for place in _checks(reader, start)]


def _scan(text: bytes) -> list[Token]:
    return scan(text.decode("latin-1"))


def _surroundings(reader: Reader) -> None:
    classes = set(_class_bodies(reader.found))
    stack = [(-1, False, False)]
    for number, token in enumerate(reader.found.tokens):
        if token.kind == "mark" and token.text in ")]}" and len(stack) > 1:
            stack.pop()
        bracket, in_body, in_class = stack[-1]
        reader.enclosing.append(bracket)
        reader.statements.append(in_body and not in_class)
        if token.kind == "mark" and token.text in "([{":
            is_class = number in classes
            stack.append((number, in_body or (token.text == "{" and not is_class), in_class or is_class))


def _class_bodies(found: Outline) -> Iterator[int]:
    for number, token in enumerate(found.tokens):
        if token.text in ("struct", "class", "union", "enum", "namespace", "extern"):
            ahead = number
            while ahead < min(number + _MAX_ALIAS, len(found.tokens)) and found.mark(ahead) not in (
                "{",
                ";",
                "(",
                ")",
                "=",
            ):
                ahead += 1
            if found.mark(ahead) == "{":
                yield ahead


def _chains(reader: Reader) -> Iterator[tuple[int, list[int]]]:
    """Expressions that begin with a name: where, and where in them a call of the solution ends."""
    found, number = reader.found, 0
    while number < len(found.tokens):
        if found.tokens[number].kind == "name" and found.mark(number - 1) not in (".", "->", "::"):
            yield number, _calls(reader, number)
        number += 1


def _parts(reader: Reader, start: int) -> Iterator[tuple[int, bool]]:
    """The ends of the parts of a chain (the number after each), and whether it is a call by a name of the solution."""
    found, number = reader.found, start
    while True:
        name, after = number, number + 1
        yield after, False
        while found.mark(after) in ("(", "[") and after in found.partner:
            called = found.mark(after) == "(" and found.mark(after - 1) in reader.own | reader.automatic
            after = found.partner[after] + 1
            yield after, called
        if found.mark(after) not in (".", "->", "::") or after + 1 >= len(found.tokens):
            return
        number = after + 1
        if found.tokens[number].kind != "name" or number <= name:
            return


def _calls(reader: Reader, start: int) -> list[int]:
    return [end for end, called in _parts(reader, start) if called]


def _checks(reader: Reader, start: int) -> list[tuple[int, str]]:
    """Where a chain is looked at: before a method of what the solution gave, and at its end."""
    found = reader.found
    automatic = found.mark(start) in reader.automatic
    parts = list(_parts(reader, start))
    first = next((number for number, (_, called) in enumerate(parts) if called or automatic), None)
    if first is None or not _is_operand(reader, start, parts[-1][0]):
        return []
    ends = [end for end, _ in parts[first:] if _is_method(found, end)]
    last = parts[-1][0]
    ends += [last] if last not in ends else []
    opening = found.tokens[start].start
    return [(opening, "(" * len(ends)), *((found.tokens[end - 1].end, CHECKED) for end in ends)]


def _is_method(found: Outline, after: int) -> bool:
    return found.mark(after) in (".", "->") and found.mark(after + 2) == "("


def _is_operand(reader: Reader, start: int, after: int) -> bool:
    """Whether a chain stands where a value does whose class matters."""
    found = reader.found
    before, bracket = found.mark(start - 1), reader.enclosing[start]
    follows = found.tokens[after] if after < len(found.tokens) else None
    if not reader.statements[start] or follows is None or follows.kind in ("name", "number", "literal"):
        return False
    if follows.text in ("{", "<") and before in (";", "{", "}", ")"):
        return False
    if found.tokens[start - 1].kind == "name" and before not in _OPERATORS:
        return False
    if before in (";", "{", "}", ")", ":") and follows.text in (";", "="):
        return False
    if before in ("<<", "::") or (before in (">", "*", "&", "&&") and found.mark(bracket) == "{" and before != "&&"):
        return False
    if before == "=" and _automatic(reader, start):
        return False
    return _is_free(reader, start, after)


def _is_free(reader: Reader, start: int, after: int) -> bool:
    """It is no declaration within brackets, and no argument of the solution's own."""
    found, bracket = reader.found, reader.enclosing[start]
    outer = found.mark(bracket - 1)
    if found.mark(bracket) == "[":
        return outer in (")", "]") or (bracket > 0 and found.tokens[bracket - 1].kind == "name" and outer != "return")
    if found.mark(bracket) != "(":
        return True
    if outer == "for" and found.mark(after) == ":":
        return False
    return outer != "]" and outer not in _UNEVALUATED and (outer not in reader.own or outer in reader.automatic)


def _automatic(reader: Reader, start: int) -> bool:
    """`auto name = ` stands before."""
    found = reader.found
    for number in range(start - 2, max(start - 9, -1), -1):
        if found.mark(number) == "auto":
            return True
        if found.mark(number) in (";", "{", "}", "("):
            return False
    return False


def known_classes(found: Outline, solution: bytes, entry_point: str | None) -> set[str]:
    """Names of the solution that the text uses as those of classes, and what they are other names for.

    A name that is only ever called may be a function's; in C++ classes are told by their capital letter.
    """
    tokens = _scan(solution)
    own = {token.text for token in tokens if token.kind == "name"} - KEYWORDS
    known = set()
    for number, token in enumerate(found.tokens):
        if token.kind == "name" and token.text in own and token.text != entry_point:
            called = found.mark(number + 1) == "("
            if not called or token.text[0].isupper():
                known.add(token.text)
    return known | set(_aliased(tokens, known))


def _aliased(tokens: list[Token], known: set[str]) -> Iterator[str]:
    """The names that `using known = ...;` and `typedef ... known;` are made of."""
    partner = pairs(tokens)
    for number, token in enumerate(tokens):
        if token.text not in ("using", "typedef"):
            continue
        end, names = number + 1, []
        while end < min(number + _MAX_ALIAS, len(tokens)) and tokens[end].text != ";":
            if tokens[end].kind == "name":
                names.append(tokens[end].text)
            end = partner.get(end, end) + 1 if tokens[end].text == "{" else end + 1
        alias = names[:1] if token.text == "using" else names[-1:]
        if alias and alias[0] in known:
            yield from names
