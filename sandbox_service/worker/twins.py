"""Identical submissions are evaluated once: what they came to is kept, and those that come meanwhile wait for it."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from redis.exceptions import RedisError

import sandbox_service
from sandbox_service.contract.parse import dumps, loads
from sandbox_service.contract.result import Result, Timing
from sandbox_service.contract.reward import Reward
from sandbox_service.contract.verdict import State, Verdict
from sandbox_service.policy import Policies
from sandbox_service.queue import Entry, ResultCache
from sandbox_service.results import encode
from sandbox_service.reward import repeatable as repeatable_reward
from sandbox_service.worker.pipeline import NO_CODE

log = logging.getLogger(__name__)
OWN = ("metadata", "domain", "priority", "cache")
"""What two submissions may differ in and still come to the same."""
EXPLAINED = (None, NO_CODE, "ended with exit code 1")
"""What is said of a compiler that would say the same again; not that it ran out of time, or was killed."""
MOST_ALONE = 4096


class Twin:
    """A submission that is evaluated now, for all that are identical to it.

    Attributes:
        digest: of all that its result depends on.
        ended: what it came to; `None` if others have to find that out for themselves.
    """

    def __init__(self, digest: str) -> None:
        self.digest = digest
        self.ended: asyncio.Future[Result | None] = asyncio.get_running_loop().create_future()


class Twins:
    """What this worker knows of identical submissions.

    Args:
        cache: what all workers know.
        policies: by name.
        place: whatever of this worker a result depends on.
    """

    def __init__(self, cache: ResultCache, policies: Policies, place: bytes) -> None:
        self._cache, self._policies, self._place = cache, policies, hashlib.sha256(place).digest()
        self._running: dict[str, Twin] = {}
        self._alone: OrderedDict[str, None] = OrderedDict()

    def digest(self, entry: Entry, body: Mapping[str, Any]) -> str | None:
        """Of all that the result of an accepted body depends on; `None` where it must be evaluated in any case.

        The order of names counts: it is that of a compiler's files, and of a function's arguments.
        """
        policy = self._policies.get(body.get("policy", "default"))
        if body.get("cache") is False or policy is None or not policy.cache:
            return None
        asked = body.get("reward")
        reward = policy.reward(Reward.model_validate(asked) if isinstance(asked, dict) else asked, entry.domain)
        # Such as how fast a program is.
        if reward is not None and not repeatable_reward(reward):
            return None
        same = {name: value for name, value in body.items() if name not in OWN}
        of_domain = policy.domains.get(entry.domain) if asked is None else None
        text = dumps([entry.tenant, policy.digest, same, of_domain])
        digest = hashlib.sha256(self._place + text).hexdigest()
        return None if digest in self._alone else digest

    def running(self, digest: str) -> Twin | None:
        """The identical submission that is evaluated now, if there is one."""
        return self._running.get(digest)

    @contextmanager
    def leading(self, digest: str) -> Iterator[Twin]:
        """Others wait for this one. If it ends without a result, whatever the reason, they do not get one either."""
        twin = self._running[digest] = Twin(digest)
        try:
            yield twin
        finally:
            del self._running[digest]
            if not twin.ended.done():
                twin.ended.set_result(None)

    async def kept(self, twin: Twin) -> Result | None:
        """What an identical submission came to earlier; those who wait get it too."""
        with suppress(RedisError, ValueError):  # then this one is evaluated
            if text := await self._cache.get(twin.digest):
                result = Result.model_validate(loads(text))
                twin.ended.set_result(result)
                return result
        return None

    async def share(self, twin: Twin, result: Result) -> None:
        """Give a result to those who wait, and keep it, if it would be the same the next time."""
        if not repeatable(result):
            # Whatever it was, the others are evaluated each by itself: else they would go round together once for each.
            self._alone[twin.digest] = None
            while len(self._alone) > MOST_ALONE:
                self._alone.popitem(last=False)
            return
        bare = result.model_copy(update={"id": "", "domain": "", "metadata": {}, "timing": None})
        twin.ended.set_result(bare)
        with suppress(RedisError):
            await self._cache.put(twin.digest, encode(bare))


def repeatable(result: Result) -> bool:
    """Whether the same submission would come to the same: nothing failed on our side, nothing hung on time."""
    compiled = result.compile
    return (
        result.state is State.FINISHED
        and not result.rejudged
        and not any(case.near_limit or case.verdict is Verdict.TIME_LIMIT_EXCEEDED for case in result.cases)
        and (compiled is None or compiled.message in EXPLAINED)
    )


def as_own(result: Result, entry: Entry, metadata: dict[str, Any], *, attempts: int, now: float) -> Result:
    """The result of a twin as that of a submission which never ran.

    Args:
        result: of the twin.
        entry: the submission.
        metadata: of the submission.
        attempts: how often it was delivered.
        now: unix seconds.
    """
    waited = max(now - entry.created, 0.0)
    return result.model_copy(
        update={
            "id": entry.id,
            "domain": entry.domain,
            "metadata": metadata,
            "attempts": attempts,
            "timing": Timing(queued_seconds=waited, total_seconds=waited),
            "cached": True,
        }
    )


def code_digest() -> bytes:
    """Of this service's own files: another judge may come to another verdict."""
    found = hashlib.sha256()
    folder = Path(sandbox_service.__file__).parent
    for path in sorted(path for path in folder.rglob("*") if path.suffix != ".pyc" and path.is_file()):
        found.update(f"{path.relative_to(folder)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return found.digest()
