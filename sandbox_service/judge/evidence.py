"""What a case's message shows of the evidence: as much as the policy allows, short, on one line, printable.

The evidence is hostile: what a program gave may be megabytes of control characters.
"""

from __future__ import annotations

from sandbox_service.policy import Reveal

MAX_MESSAGE = 500
MAX_REASON = 200
CUT = "..."


def message(reason: str, reveal: Reveal, actual: str | None, expected: str | None) -> str:
    """A case's message: `reason; got ...; expected ...`, at most 500 characters.

    Args:
        reason: the kind of mismatch; gives nothing of the expected value away.
        reveal: what else may be shown.
        actual: what the program gave; `None` where that says nothing.
        expected: what it should have given, or the checker's words; likewise.

    >>> message("the values differ", "actual", "[1, 2]", "[1, 3]")
    'the values differ; got [1, 2]'
    >>> message("the values differ", "expected", "[1, 2]", "[1, 3]")
    'the values differ; got [1, 2]; expected [1, 3]'
    """
    shown = []
    if actual is not None and reveal != "nothing":
        shown.append(("; got ", actual))
    if expected is not None and reveal == "expected":
        shown.append(("; expected ", expected))
    text = shorten(reason, MAX_REASON if shown else MAX_MESSAGE)
    for place, (word, value) in enumerate(shown):
        # What the first leaves is the last's; each gets its share in any case.
        share = (MAX_MESSAGE - len(text)) // (len(shown) - place)
        text += word + shorten(value, share - len(word))
    return text


def shorten(text: str, most: int) -> str:
    """At most so many characters of a text, all of them printable; what is not is written as an escape.

    >>> shorten("a\\nb", 20), shorten("ab" * 20, 10)
    ('a\\\\nb', 'abababa...')
    """
    shown = escaped(text[: most + 1])
    return shown if len(shown) <= most and len(text) <= most else shown[: most - len(CUT)] + CUT


def escaped(text: str) -> str:
    """A text with an escape for each character that is not printable."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
