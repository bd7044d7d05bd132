"""What stands between the solution and the test text, and after it: the words of the text mean what they say.

A solution may have made a macro of anything. Words of the language and of its library that the text uses are freed of
that, unless honest programs do it too (`#define int long long`): then it is checked that no harm is done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sandbox_service.judge.cpp.library import intrudes
from sandbox_service.judge.cpp.outline import NOT_TYPES, Outline
from sandbox_service.judge.cpp.tokens import scan
from sandbox_service.judge.cpp.words import (
    CONSTANTS_OF_C,
    CONSTANTS_OF_CPP,
    GENUINE,
    KEYWORDS,
    KEYWORDS_OF_C,
    LIBRARY,
    NUMBERS,
    VALUES,
)

# `#define vector std::vector` says where the name comes from.
_QUALIFIES = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(?:::)?std::\1\b", re.MULTILINE)
_PARAMETERS = {"map": "<int, int>", "pair": "<int, int>", "set": "<int>", "string": "", "vector": "<int>"}


def before(found: Outline, solution: bytes, *, cpp: bool) -> str:
    """What comes after the solution: ends a declaration it left open, takes back its pragmas and macros."""
    names = found.names()
    constants = CONSTANTS_OF_CPP if cpp else CONSTANTS_OF_C
    freed = (KEYWORDS if cpp else KEYWORDS_OF_C) | LIBRARY | {"std", "main"} | constants.keys()
    freed -= set() if cpp else {"complex"}  # a macro of the library's own
    freed -= {name.decode() for name in _QUALIFIES.findall(solution)}
    lines = [";", "#pragma GCC reset_options", "#pragma pack()"]
    lines += [f"#undef {name}" for name in sorted(names & freed | _variables(found))]
    lines += [f"#define {name} {constants[name]}" for name in sorted(names & constants.keys())]
    if cpp:
        lines += ['#error "the solution adds classes to the namespace of the library"'] if intrudes(solution) else []
        lines += ["#undef static_assert"]
        lines += [_check(f"is_number<{name}>::value", name) for name in NUMBERS if name in names]
    return "\n".join([*lines, ""])


def after(found: Outline, entry_point: str | None) -> str:
    """What comes after a C++ test text: its strings and vectors were those of the library."""
    if _has_scopes(found):
        return ""  # then these names need not mean anything outside them
    used = {name for name in _unqualified(found) if name != entry_point}
    return "".join(f"\n{_check(f'is_library<{name}{_PARAMETERS[name]}>()', name)}" for name in VALUES if name in used)


def _has_scopes(found: Outline) -> bool:
    """The text opens namespaces, or uses names of one within brackets."""
    for number, (token, place) in enumerate(zip(found.tokens, found.places, strict=True)):
        opens = token.text == "namespace" and found.mark(number - 1) != "using"
        if opens or (token.text == "using" and place.depth):
            return True
    return False


def _unqualified(found: Outline) -> Iterator[str]:
    for number, token in enumerate(found.tokens):
        follows = found.mark(number + 1)
        typed = follows == "<" or (token.text == "string" and (follows in ("(", "{", ">") or follows.isidentifier()))
        if typed and token.text in VALUES and found.mark(number - 1) not in ("::", ".", "->"):
            yield token.text


def _check(condition: str, name: str) -> str:
    return f'static_assert(JUDGE::{condition}, "{name} is not what the tests take it for");'


def _variables(found: Outline) -> set[str]:
    """Names that the text gives a value where it declares them."""
    return {
        token.text
        for number, token in enumerate(found.tokens)
        if token.kind == "name" and found.mark(number + 1) == "=" and _after_type(found, number)
    }


def _after_type(found: Outline, number: int) -> bool:
    token = found.tokens[number - 1] if number else None
    if token is None:
        return False
    return token.text in (">", "*", "&") or (token.kind == "name" and token.text not in NOT_TYPES)


def genuine(found: Outline, solution: bytes, entry_point: str | None) -> set[str]:
    """The functions of the library that the harness stands in for: not those that the solution is asked for."""
    own = {token.text for token in scan(solution.decode("latin-1")) if token.kind == "name"}
    called = {
        token.text
        for number, token in enumerate(found.tokens)
        if token.kind == "name" and found.mark(number + 1) == "(" and token.text in own and token.text != "main"
    }
    if not called - set(GENUINE):
        return set()  # then one of these is what is tested
    return set(GENUINE) - {entry_point or ""}
