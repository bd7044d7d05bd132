"""What messages show: no more than the policy allows, never much, always printable."""

from __future__ import annotations

import doctest
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_service.contract.result import CaseResult
from sandbox_service.judge import evidence
from sandbox_service.judge.evidence import MAX_MESSAGE, message, shorten
from sandbox_service.policy import Reveal

REVEALS: tuple[Reveal, ...] = get_args(Reveal)
# Also surrogates, which no result can be written with.
TEXT = st.text(st.characters(), max_size=700)
MAYBE = st.none() | TEXT


@pytest.mark.parametrize(
    ("reveal", "shown"),
    [
        ("nothing", "the values differ"),
        ("actual", "the values differ; got 41"),
        ("expected", "the values differ; got 41; expected 42"),
    ],
)
def test_what_is_shown(reveal: Reveal, shown: str) -> None:
    assert message("the values differ", reveal, "41", "42") == shown


@pytest.mark.parametrize("reveal", REVEALS)
def test_what_there_is_not_is_not_shown(reveal: Reveal) -> None:
    assert message("raised KeyError", reveal, None, None) == "raised KeyError"


def test_one_part_alone() -> None:
    assert message("rejected", "expected", None, "points 0.5") == "rejected; expected points 0.5"
    assert message("blank", "expected", "", "") == "blank; got ; expected "


@given(TEXT, st.sampled_from(REVEALS), MAYBE, MAYBE)
def test_always_short_printable_and_fit_for_a_result(
    reason: str, reveal: Reveal, actual: str | None, expected: str | None
) -> None:
    text = message(reason, reveal, actual, expected)
    assert len(text) <= MAX_MESSAGE
    assert text.isprintable()
    result = CaseResult(id="0", verdict="wrong_answer", message=text)  # type: ignore[arg-type]
    assert CaseResult.model_validate_json(result.model_dump_json()).message == text


@given(TEXT, MAYBE, TEXT, TEXT)
def test_the_expected_value_changes_nothing_unless_it_may_be_shown(
    reason: str, actual: str | None, one: str, other: str
) -> None:
    for reveal in ("nothing", "actual"):
        assert message(reason, reveal, actual, one) == message(reason, reveal, actual, other)
    assert message(reason, "nothing", actual, one) == message(reason, "nothing", None, None)


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 1000))
def test_none_crowds_out_the_others(reason: int, actual: int, expected: int) -> None:
    text = message("r" * reason, "expected", "a" * actual, "e" * expected)
    for letter, size in (("r", reason), ("a", actual), ("e", expected)):
        # The words in between have a few letters of their own.
        assert text.count(letter) >= min(size, 100)


@given(TEXT, st.integers(3, 300))
def test_shortened_text_says_that_it_is(text: str, most: int) -> None:
    short = shorten(text, most)
    assert len(short) <= most
    assert short.endswith("...") or short == shorten(text, 10_000)


def test_megabytes_are_no_work() -> None:
    """No clock: were each character escaped first, this would fill the memory."""
    huge = "\x00" * (64 << 20)
    assert message(huge, "expected", huge, huge).count("...") == 3


def test_the_examples_of_the_documentation_hold() -> None:
    outcome = doctest.testmod(evidence)
    assert outcome.attempted > 0
    assert outcome.failed == 0
