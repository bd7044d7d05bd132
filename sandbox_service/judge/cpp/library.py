"""What a solution adds to the library's namespace: a class there looks like one of the library's."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox_service.judge.cpp.tokens import Token, pairs, scan

# What programs are meant to specialise, and what honest ones define there so that the library finds it.
_ALLOWED = {
    "basic_common_reference", "coroutine_traits", "common_type", "equal_to", "formatter", "greater", "greater_equal",
    "hash", "is_error_code_enum", "iterator_traits", "less", "less_equal", "numeric_limits", "tuple_element",
    "tuple_size",
}  # fmt: skip
_CLASSES = ("struct", "class", "union")


def intrudes(solution: bytes) -> bool:
    """Whether a text defines or specialises classes of `std` that programs have no business with."""
    tokens = scan(solution.decode("latin-1"))
    for token in list(tokens):
        if token.kind == "directive":
            tokens += [Token("mark", ";", 0), *scan(token.text[1:])]
    partner = pairs(tokens)
    return any(name not in _ALLOWED for name in _defined(tokens, partner))


def _defined(tokens: list[Token], partner: dict[int, int]) -> Iterator[str]:
    for number, token in enumerate(tokens):
        ahead = [each.text for each in tokens[number : number + 4]]
        if ahead[0] == "namespace" and "std" in ahead[1:3] and "=" not in ahead and _opens(tokens, number) is not None:
            opening = _opens(tokens, number) or 0
            yield from _classes(tokens, partner, opening, partner.get(opening, len(tokens)))
        elif ahead[0] == "define" and len(ahead) > 2 and ahead[2] == "std" and ahead[3:] in ([], [";"]):
            yield "std"
        elif token.text in _CLASSES and _qualified(ahead) and (number == 0 or tokens[number - 1].text != "friend"):
            yield _last(tokens, number + 1)


def _opens(tokens: list[Token], number: int) -> int | None:
    """The brace that opens `namespace std`, also `std::x` and `inline namespace`."""
    for ahead in range(number + 1, min(number + 10, len(tokens))):
        if tokens[ahead].text == "{":
            return ahead
        if tokens[ahead].kind != "name" and tokens[ahead].text not in ("::", "[", "]", "(", ")"):
            return None
    return None


def _qualified(ahead: list[str]) -> bool:
    return ahead[1:3] == ["std", "::"] or ahead[1:4] == ["::", "std", "::"]


def _last(tokens: list[Token], number: int) -> str:
    """The last of `a::b::c`."""
    while number + 1 < len(tokens) and (tokens[number].text == "::" or tokens[number + 1].text == "::"):
        number += 1
    return tokens[number].text


def _classes(tokens: list[Token], partner: dict[int, int], opening: int, closing: int) -> Iterator[str]:
    """Classes and aliases right within a namespace, not within its classes and functions."""
    number = opening
    while (number := number + 1) < closing:
        token = tokens[number]
        if token.text in ("{", "("):
            number = partner.get(number, number)
        elif token.text in _CLASSES and not _within_template(tokens, number):
            yield _last(tokens, number + 1)
        elif token.text in ("using", "enum", "typedef"):
            yield token.text


def _within_template(tokens: list[Token], number: int) -> bool:
    """`template <class T>`: no class."""
    return tokens[number - 1].text in ("<", ",", "enum")
