"""Every Redis key of the queue."""

from __future__ import annotations

from typing import NamedTuple

from sandbox_service.contract.verdict import Priority


class Keys(NamedTuple):
    """All keys and families of keys, in the order in which `scripts/common.lua` names them.

    A family ends in a colon; what its keys belong to is appended. The prefix carries a hash tag,
    so that a cluster keeps all of them in one slot and a script may touch any of them.
    """

    high: str
    normal: str
    low: str
    returned: str
    leases: str
    dead: str
    doorbell: str
    held: str
    events: str
    cancels: str
    workers: str
    seen: str
    draining: str
    lane: str
    turns: str
    submission: str
    payload: str
    result: str
    batch: str
    done: str
    members: str
    idempotency: str
    ended: str
    cache: str
    cached: str
    cache_held: str

    @classmethod
    def under(cls, prefix: str) -> Keys:
        """The keys below a prefix such as `{sbx}`."""
        return cls(
            high=f"{prefix}:waiting:high",  # sorted set: submission -> microseconds since when it waits
            normal=f"{prefix}:waiting:normal",
            low=f"{prefix}:waiting:low",
            returned=f"{prefix}:returned",  # sorted set: those of them that a worker had already -> when they are due
            leases=f"{prefix}:leases",  # sorted set: submission that a worker has -> time of its last heartbeat
            dead=f"{prefix}:dead",  # stream: what we gave up
            doorbell=f"{prefix}:doorbell",  # list: one token for each entry that an idle worker may come for
            held=f"{prefix}:held",  # bytes of the payloads of all that have not ended
            events=f"{prefix}:events",  # stream: what has ended
            cancels=f"{prefix}:cancels",  # stream: what was cancelled while it ran
            workers=f"{prefix}:workers",  # hash: worker -> WorkerInfo as JSON
            seen=f"{prefix}:workers:seen",  # sorted set: worker -> time of its last sign of life
            draining=f"{prefix}:workers:draining",  # set: workers that shall take nothing more
            lane=f"{prefix}:lane:",  # sorted set a priority, tenant and domain: submission -> since when it waits
            turns=f"{prefix}:turns:",  # sorted set a priority: tenant -> pass; a priority and tenant: domain -> pass
            submission=f"{prefix}:submission:",  # hash
            payload=f"{prefix}:payload:",
            result=f"{prefix}:result:",
            batch=f"{prefix}:batch:",  # hash: total, left, counts by state and verdict
            done=f"{prefix}:batch:done:",  # list of "index:submission", in order of completion
            members=f"{prefix}:batch:members:",  # list of submissions
            idempotency=f"{prefix}:idempotency:",  # hash: digest, id
            ended=f"{prefix}:ended:",  # hash a minute: counts by state and verdict
            cache=f"{prefix}:cache:",  # what identical submissions came to
            cached=f"{prefix}:cached",  # sorted set: "bytes:digest" of those -> milliseconds at which it expires
            cache_held=f"{prefix}:cached:held",  # their bytes
        )

    def idempotency_name(self, tenant: str, key: str) -> str:
        """A tenant's idempotency key within its family; the length keeps `a` + `b:c` and `a:b` + `c` apart."""
        return f"{len(tenant)}:{tenant}:{key}"


PRIORITIES = (Priority.HIGH, Priority.NORMAL, Priority.LOW)
"""In the order of `Keys`; scripts know a priority by its number in this order, from 1."""


def queue_number(priority: Priority) -> int:
    """The number by which scripts know what waits at a priority."""
    return PRIORITIES.index(priority) + 1
