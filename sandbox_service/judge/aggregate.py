"""From the verdicts of the cases to the one of the submission."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox_service.contract.result import CaseResult
from sandbox_service.contract.verdict import Verdict


def aggregate(cases: Sequence[CaseResult]) -> Verdict:
    """The verdict of a submission: `accepted` if every case is, else that of the first case that was run and is not.

    If all cases were skipped, nothing could be run: `compile_error`.

    Raises:
        ValueError: there are no cases, or some were skipped although none failed. Either is our mistake, and must
            not become a reward.
    """
    if not cases:
        raise ValueError("a submission without cases has no verdict")
    ran = [case.verdict for case in cases if case.verdict is not Verdict.SKIPPED]
    if not ran:
        return Verdict.COMPILE_ERROR
    failed = next((verdict for verdict in ran if verdict is not Verdict.ACCEPTED), None)
    if failed is None and len(ran) < len(cases):
        raise ValueError("cases were skipped although none failed")
    return failed or Verdict.ACCEPTED
