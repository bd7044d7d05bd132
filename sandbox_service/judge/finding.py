"""How one case ended, before limits are looked at."""

from __future__ import annotations

from dataclasses import dataclass

from sandbox_service.contract.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one case.

    Attributes:
        verdict: `accepted`, or why not.
        message: why not; nothing of the test text or its expected values.
        actual: what the solution gave, in short.
        expected: the text of the assertion, or the expected value, or what else would give it away.
        score: the points of an answer that is only partly right, in [0, 1].
    """

    verdict: Verdict
    message: str | None = None
    actual: str | None = None
    expected: str | None = None
    score: float | None = None


ACCEPTED = Finding(Verdict.ACCEPTED)
