"""Settings of the queue; all processes that share a Redis must use the same ones."""

from __future__ import annotations

from dataclasses import dataclass

GIB = 1 << 30


@dataclass(frozen=True)
class QueueSettings:
    """How much the queue takes, how long it keeps things, and when it takes a worker for dead.

    Attributes:
        prefix: before every key; carries the hash tag.
        result_ttl_seconds: how long a submission, its result and its idempotency key are kept after
            it ended; for one of a batch, after the whole batch ended.
        max_queued: the most submissions that have not ended.
        max_bytes: the most bytes of their payloads.
        heartbeat_seconds: how often a worker confirms its leases.
        reclaim_heartbeats: so many missed heartbeats make a lease anyone's.
        max_deliveries: a worker ends what was delivered more often as failed.
        retry_seconds: how long what failed by our fault waits for its second delivery, twice as long for its third.
        left_to_others_seconds: after that it goes back to a worker that had it only if no other took it for so long.
        cache_bytes: the most bytes of results that are kept for identical submissions, as long as others; 0: none are.
    """

    prefix: str = "{sbx}"
    result_ttl_seconds: int = 3600
    max_queued: int = 100_000
    max_bytes: int = GIB
    heartbeat_seconds: float = 2.0
    reclaim_heartbeats: int = 3
    max_deliveries: int = 3
    retry_seconds: float = 0.5
    left_to_others_seconds: float = 3.0
    cache_bytes: int = GIB // 4

    @property
    def reclaim_after_seconds(self) -> float:
        """A lease not confirmed for so long belongs to a dead worker."""
        return self.heartbeat_seconds * self.reclaim_heartbeats
