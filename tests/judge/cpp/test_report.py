"""What comes over the descriptor is read with care: only the harness's own words count."""

from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge.cpp import early, opening, program, report, report_limit
from sandbox_service.judge.finding import ACCEPTED

NONCE = "00112233445566778899aabbccddeeff"
TWO = program(b"int f();", b"", b"int main() { assert(f()); assert(!f()); }")
LOOP = program(b"int f();", b"", b"int main() { for (;;) assert(f()); if (f()) assert(f()); }")
WHOLE = program(b"int f();", b"", b"int main() { return f(); }")


def _words(made: object = TWO) -> list[bytes]:
    """The lines that the harness would write: the words of `opening` with the keys that the text adds."""
    assert hasattr(made, "keys")
    raw = [word for (word,) in struct.iter_unpack("<Q", opening(made, NONCE))]  # type: ignore[arg-type]
    cases = len(made.keys) - 1
    keys = [*made.keys[:-1], *[0] * cases, made.keys[-1], *[0] * 5]
    return [b"\n%016x\n" % (word ^ key) for word, key in zip(raw, keys, strict=True)]


PASS, FAIL = _words()[:2], _words()[2:4]
CLEAN, UNCLEAN, STATUS, BURNT, FOREIGN, RAISED = _words()[4:]


def _verdicts(data: bytes) -> list[str]:
    return [finding.verdict for finding in report(data, TWO, NONCE)]


def test_all_passed_and_main_ended() -> None:
    assert report(b"".join([*PASS, CLEAN, UNCLEAN]), TWO, NONCE) == [ACCEPTED, ACCEPTED]


def test_without_an_end_something_has_failed() -> None:
    assert _verdicts(b"".join(PASS)) == ["accepted", "runtime_error"]
    assert _verdicts(b"".join([*PASS, UNCLEAN])) == ["accepted", "runtime_error"]
    assert _verdicts(b"".join([*PASS, STATUS, UNCLEAN])) == ["accepted", "runtime_error"]
    assert _verdicts(b"".join([*PASS, BURNT, UNCLEAN])) == ["accepted", "wrong_answer"]
    assert _verdicts(PASS[0]) == ["accepted", "runtime_error"]
    assert _verdicts(b"") == ["runtime_error", "runtime_error"]


def test_a_failure_is_one_also_after_a_pass() -> None:
    assert _verdicts(b"".join([*PASS, FAIL[0], UNCLEAN])) == ["wrong_answer", "accepted"]


def test_what_does_not_fit_together_was_not_written_by_the_harness() -> None:
    for data in (
        [*PASS, CLEAN, b"x"],
        [*PASS, CLEAN, CLEAN],
        [*PASS, FAIL[0], CLEAN],
        [b"\n", *PASS, CLEAN],
        [PASS[0][1:]],
    ):
        assert _verdicts(b"".join(data)) == ["runtime_error", "runtime_error"]


def test_the_end_alone_accepts_nothing_that_has_assertions() -> None:
    assert _verdicts(CLEAN) == ["runtime_error", "runtime_error"]


def test_what_may_not_be_reached_passes_with_the_end_alone() -> None:
    words = _words(LOOP)
    first, clean = words[0], words[4]
    assert report(first + clean, LOOP, NONCE) == [ACCEPTED, ACCEPTED]
    assert [finding.verdict for finding in report(first, LOOP, NONCE)] == ["runtime_error"] * 2
    assert [finding.verdict for finding in report(clean, LOOP, NONCE)] == ["runtime_error"] * 2


def test_a_text_without_assertions_needs_its_end() -> None:
    clean = _words(WHOLE)[2]
    assert report(clean, WHOLE, NONCE) == [ACCEPTED]
    assert report(b"", WHOLE, NONCE) != [ACCEPTED]


def test_names_of_exceptions() -> None:
    def message(mangled: bytes) -> str | None:
        return report(RAISED[:-1] + mangled + b"\n", TWO, NONCE)[0].message

    assert message(b"St13runtime_error") == "raised std::runtime_error"
    assert message(b"7MyError") == "raised MyError"
    assert message(b"i") == "raised an exception"
    assert message(b"99x") == "raised an exception"


def test_words_of_another_run_are_nothing() -> None:
    assert report(b"".join([*PASS, CLEAN]), TWO, NONCE[::-1])[0].verdict is Verdict.RUNTIME_ERROR


def test_words_as_they_are_handed_in_are_no_report() -> None:
    """Reading descriptor 3, or the page that its words are kept in, is not enough."""
    raw = [b"\n%016x\n" % word for (word,) in struct.iter_unpack("<Q", opening(TWO, NONCE))]
    assert _verdicts(b"".join([raw[0], raw[1], raw[4]])) == ["runtime_error", "runtime_error"]


@given(st.lists(st.sampled_from([*_words(), b"\n", b"x", b"\n0123456789abcdef\n", b"\xff"]), max_size=12).map(b"".join))
def test_only_the_whole_truth_is_accepted(data: bytes) -> None:
    findings = report(data, TWO, NONCE)
    assert len(findings) == 2
    if findings == [ACCEPTED, ACCEPTED]:
        lines = set(data.split())
        assert {PASS[0].strip(), PASS[1].strip(), CLEAN.strip()} <= lines
        assert lines <= {each.strip() for each in (*PASS, CLEAN, UNCLEAN)}


@given(st.binary(max_size=2000))
def test_garbage_fails_everything(data: bytes) -> None:
    assert all(finding is not ACCEPTED for finding in report(data, TWO, NONCE))


def test_a_flood_fails_everything() -> None:
    flood = b"".join([*PASS, CLEAN]) + b"\n" * report_limit(TWO)
    assert _verdicts(flood) == ["runtime_error", "runtime_error"]


@given(st.binary(max_size=500) | st.binary(max_size=300).map(lambda tail: b"\x7fELF\x02\x01" + tail))
def test_any_file_can_be_looked_at(binary: bytes) -> None:
    early(binary)


def test_what_is_no_program_is_refused() -> None:
    assert early(b"") is not None
    assert early(b"#!/bin/sh\n") is not None
    assert early(b"\x7fELF\x02\x01" + b"\xff" * 100) is not None
