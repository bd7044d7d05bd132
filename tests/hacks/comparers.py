"""Ways of comparing an output with the expected one that are in use and that let too much through."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable

Comparer = Callable[[bytes, str], bool]
"""Whether an output (the first argument) is taken for the expected one."""


def _text(output: bytes) -> str:
    return output.decode(errors="replace")


def same_words(output: bytes, expected: str) -> bool:
    """Split at whatever Unicode calls white space."""
    return _text(output).split() == expected.split()


def same_lines(output: bytes, expected: str) -> bool:
    """Split at whatever Unicode calls the end of a line."""
    return _text(output).splitlines() == expected.splitlines()


def holds_expected(output: bytes, expected: str) -> bool:
    """Among other things."""
    return expected.strip() in _text(output)


def within_expected(output: bytes, expected: str) -> bool:
    """The other way round."""
    return _text(output).strip() in expected


def as_far_as_it_goes(output: bytes, expected: str) -> bool:
    """Line by line: `zip` ends with the shorter one."""
    lines = zip(_text(output).splitlines(), expected.splitlines(), strict=False)
    return all(got == want for got, want in lines)


def same_line_set(output: bytes, expected: str) -> bool:
    """In any order, and however often."""
    return set(_text(output).splitlines()) == set(expected.splitlines())


def same_word_bag(output: bytes, expected: str) -> bool:
    """In any order, on any line."""
    return Counter(_text(output).split()) == Counter(expected.split())


def no_further_away(output: bytes, expected: str) -> bool:
    """Numbers as Python reads them, none of them further away than a tolerance."""
    try:
        got, want = ([float(word) for word in text.split()] for text in (_text(output), expected))
    except ValueError:
        return False
    return len(got) == len(want) and not any(abs(one - other) > 1e-6 for one, other in zip(got, want, strict=True))


def same_integers(output: bytes, expected: str) -> bool:
    """Whatever Python reads as the same integers, in whatever base."""
    try:
        return [int(word, 0) for word in _text(output).split()] == [int(word) for word in expected.split()]
    except ValueError:
        return False


def compatible(output: bytes, expected: str) -> bool:
    """Once characters that look alike are one."""
    return unicodedata.normalize("NFKC", _text(output)).split() == expected.split()


def readable_part(output: bytes, expected: str) -> bool:
    """Whatever is no ASCII dropped."""
    return output.decode("ascii", errors="ignore").split() == expected.split()


def up_to_nul(output: bytes, expected: str) -> bool:
    """As C sees a string."""
    return output.partition(b"\0")[0].split() == expected.encode().split()


def after_carriage_returns(output: bytes, expected: str) -> bool:
    """As a terminal shows it: what comes after a carriage return stands in the place of what came before."""
    return [line.rpartition("\r")[2] for line in _text(output).split("\n")] == expected.split("\n")


def first_kilobytes(output: bytes, expected: str) -> bool:
    """As much as was kept."""
    return output[:4096].split() == expected.encode()[:4096].split()


def similar(output: bytes, expected: str) -> bool:
    """Nine parts in ten."""
    return difflib.SequenceMatcher(None, _text(output), expected).ratio() > 0.9


def any_line_matches(output: bytes, expected: str) -> bool:
    """`^` and `$` at every line."""
    return re.search(expected, _text(output), re.MULTILINE) is not None


def expected_as_pattern(output: bytes, expected: str) -> bool:
    """Plain text that was never escaped."""
    return re.search(expected.strip(), _text(output)) is not None


def output_as_pattern(output: bytes, expected: str) -> bool:
    """The arguments of `re.search` the wrong way round."""
    return re.search(_text(output).strip(), expected) is not None


def case_folded(output: bytes, expected: str) -> bool:
    """Capitals do not matter."""
    return _text(output).casefold().split() == expected.casefold().split()


def strictly_decoded(output: bytes, expected: str) -> bool:
    """Raises for what is no UTF-8."""
    return output.decode().split() == expected.split()
