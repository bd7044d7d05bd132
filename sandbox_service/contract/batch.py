"""Batches: hundreds of submissions in one request, all or none of them queued."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from sandbox_service.contract.base import Model

MAX_BATCH = 10_000


class BatchRequest(Model):
    """The body of `POST /v1/batches`; `defaults` fill absent keys; `limits` and `metadata` merge one level."""

    submissions: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=MAX_BATCH)]
    defaults: dict[str, Any] = {}


class BatchCreated(Model):
    """The answer to a batch."""

    id: str
    total: int


class BatchStatus(Model):
    """Counts by state, and by verdict for those that finished."""

    id: str
    total: int
    states: dict[str, int]
    verdicts: dict[str, int]


def with_defaults(submission: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """A submission of a batch with the batch's defaults filled in."""
    merged = defaults | submission
    for name in ("limits", "metadata"):
        both = (defaults.get(name), submission.get(name))
        if all(isinstance(value, dict) for value in both):
            merged[name] = both[0] | both[1]  # type: ignore[operator]
    return merged
