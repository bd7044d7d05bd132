"""What a program of `program.py` tells over its descriptor 4, and what it needs to be able to.

Before it runs, the program reads one secret word for each thing that it can tell from its descriptor 3. What it then
tells is such a word on a line of its own. The solution can write there too, but nothing that means anything.
"""

from __future__ import annotations

import hashlib
import re
import struct
from dataclasses import dataclass, field

from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge.cpp.outline import Site
from sandbox_service.judge.cpp.program import Program
from sandbox_service.judge.finding import ACCEPTED, Finding

GONE = "the program ended before its tests did"
WRONG = "the assertion does not hold"
MISSED = "the tests never came to this assertion"
FOREIGN = "gave a value of a class of its own, which the tests do not name"
FORGED = "something else was written where the tests report"

_WORD = struct.Struct("<Q")
_DIGITS = 16
_ENDS = ("clean", "unclean", "status", "burnt", "foreign", "raised")
"""What can be told besides how cases ended, in the harness's order: `main` ended and nothing had failed; it ended; with
another status than 0; the text said that something is wrong; `FOREIGN`; an exception left `main`."""
_SIMPLE = re.compile(r"(St)?(\d{1,3})([A-Za-z_]\w*)")


def report_limit(program: Program) -> int:
    """The most bytes that are worth reading of a report: what is beyond is none of ours."""
    return (1 << 16) + 64 * len(program.sites)


def opening(program: Program, nonce: str) -> bytes:
    """What the program has to find in its descriptor 3: 8 bytes for each word; more than 64 KiB for 4000 cases.

    Args:
        program: what runs.
        nonce: unguessable, and used for one run.
    """
    words = _words(program, nonce)
    hidden = [*program.keys[:-1], *[0] * len(program.sites), program.keys[-1]]
    hidden += [0] * (len(words) - len(hidden))
    return b"".join(_WORD.pack(word ^ key) for word, key in zip(words, hidden, strict=True))


def report(data: bytes, program: Program, nonce: str) -> list[Finding]:
    """How each case ended, in order; linear in the length of what came, whatever it is.

    A case that is not known to have passed has not. If the program did not come to the end of its `main`, at least one
    case has failed. If anything came that the harness does not write, all have.
    """
    told = _told(data, program, nonce)
    if told is None:
        return [Finding(Verdict.RUNTIME_ERROR, FORGED, None, site.text) for site in program.sites]
    missing = _missing(told)
    findings = []
    for number, site in enumerate(program.sites):
        if number in told.failed:
            findings.append(Finding(Verdict.WRONG_ANSWER, WRONG, None, site.text))
        elif _held(number, site, program, told):
            findings.append(ACCEPTED)
        else:
            findings.append(Finding(*missing, None, site.text))
    if "clean" not in told.ends and all(finding is ACCEPTED for finding in findings):
        findings[-1] = Finding(*missing, None, program.sites[-1].text)
    return findings


@dataclass(slots=True)
class _Told:
    """Numbers of cases, and names of `_ENDS`; for an exception the name of its class."""

    passed: set[int] = field(default_factory=set)
    failed: set[int] = field(default_factory=set)
    ends: set[str] = field(default_factory=set)
    raised: str = ""

    @property
    def ended(self) -> bool:
        """`main` came to its end, as it should have; what failed on the way was told."""
        bad = bool(self.failed) or "burnt" in self.ends
        return "clean" in self.ends or ("unclean" in self.ends and bad and "status" not in self.ends)


def _held(number: int, site: Site, program: Program, told: _Told) -> bool:
    if not program.asserts:
        return "clean" in told.ends
    if site.certain:
        return number in told.passed
    # One that may be executed many times has passed once all are over; one that may not be reached need not be.
    return told.ended and bool(told.passed)


def _missing(told: _Told) -> tuple[Verdict, str]:
    if "foreign" in told.ends:
        return Verdict.WRONG_ANSWER, FOREIGN
    if "burnt" in told.ends:
        return Verdict.WRONG_ANSWER, WRONG
    if "raised" in told.ends:
        return Verdict.RUNTIME_ERROR, f"raised {told.raised}"
    return Verdict.RUNTIME_ERROR, MISSED if told.ended else GONE


def _told(data: bytes, program: Program, nonce: str) -> _Told | None:
    """What came; `None` if any of it was not written by the harness."""
    if len(data) > report_limit(program):
        return None
    lines = data.split(b"\n")
    if any(lines[::2]) or len(lines) % 2 == 0:
        return None
    cases = len(program.sites)
    numbers = {f"{word:016x}".encode(): number for number, word in enumerate(_words(program, nonce))}
    told, seen = _Told(), set()
    for line in lines[1::2]:
        number = numbers.get(line[:_DIGITS])
        if number is None or number in seen:
            return None
        seen.add(number)
        if number < 2 * cases:
            (told.passed if number < cases else told.failed).add(number % cases)
            continue
        told.ends.add(_ENDS[number - 2 * cases])
        if number - 2 * cases == _ENDS.index("raised"):
            told.raised = _type_name(line[_DIGITS:].decode("ascii", "replace"))
    if "clean" in told.ends and (told.failed or told.ends - {"clean", "unclean"}):
        return None
    return told


def _words(program: Program, nonce: str) -> list[int]:
    count = 2 * len(program.sites) + len(_ENDS)
    stream = hashlib.shake_256(b"words of a report\0" + nonce.encode()).digest(count * _WORD.size)
    return [word for (word,) in _WORD.iter_unpack(stream)]


def _type_name(mangled: str) -> str:
    """The name of a class from what the compiler makes of it, where that is simple."""
    match = _SIMPLE.match(mangled)
    if match is None or len(match[3]) < int(match[2]):
        return "an exception"
    return f"{'std::' if match[1] else ''}{match[3][: int(match[2])]}"
