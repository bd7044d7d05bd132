"""Following a stream of announcements without missing any."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

from sandbox_service.queue.connect import BLOCK_SECONDS

log = logging.getLogger(__name__)
MOST_AT_ONCE = 1000
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.05, 2.0


@dataclass(frozen=True, slots=True)
class News:
    """What was announced; `gap` if some may have been missed before it, so that one has to look for oneself."""

    items: list[dict[bytes, bytes]]
    gap: bool


async def newest(redis: Redis, stream: str) -> str:
    """The id of the last announcement so far."""
    last: Any = await redis.xrevrange(stream, count=1)
    return last[0][0].decode() if last else "0-0"


async def follow(redis: Redis, stream: str, last: str) -> AsyncIterator[News]:
    """Announcements after the one with the id `last`, for ever.

    The server may be gone for a while: reading goes on where it stopped. Old announcements are trimmed
    away, but only when there are many more than one reading takes: a full one may follow a gap.
    """
    pause, lost = FIRST_PAUSE_SECONDS, False
    while True:
        try:
            block = int(BLOCK_SECONDS * 1000)
            reply: Any = await redis.xread({stream: last}, count=MOST_AT_ONCE, block=block)
        except RedisError as error:
            log.warning("cannot read announcements, trying again: %s", error)
            lost = True
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
            continue
        items = reply.get(stream.encode(), [])
        if items or lost:
            last = items[-1][0].decode() if items else last
            yield News([fields for _, fields in items], gap=lost or len(items) == MOST_AT_ONCE)
        pause, lost = FIRST_PAUSE_SECONDS, False
