"""Following a stream of announcements without missing any."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from redis.exceptions import RedisError

from sandbox_service.queue.connect import BLOCK_SECONDS, Client

log = logging.getLogger(__name__)
MOST_AT_ONCE = 1000
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.05, 2.0


@dataclass(frozen=True, slots=True)
class News:
    """What was announced; `gap` if some may have been missed before it, so that one has to look for oneself."""

    items: list[dict[bytes, bytes]]
    gap: bool


async def newest(redis: Client, stream: str) -> str:
    """The id of the last announcement so far."""
    last: Any = await redis.xrevrange(stream, count=1)
    return last[0][0].decode() if last else "0-0"


async def follow(redis: Client, stream: str, last: str) -> AsyncIterator[News]:
    """Announcements after the one with the id `last`, for ever.

    The server may be gone for a while: reading goes on where it stopped. Old announcements are trimmed
    away, but only when there are many more than one reading takes: a full one may follow a gap.
    """
    pause, lost = FIRST_PAUSE_SECONDS, False
    while True:
        try:
            items = await _read(redis, stream, last)
        except RedisError as error:
            log.warning("cannot read announcements, trying again: %s", error)
            lost = True
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
            continue
        if items or lost:
            last = items[-1][0].decode() if items else last
            yield News([_named(fields) for _, fields in items], gap=lost or len(items) == MOST_AT_ONCE)
        pause, lost = FIRST_PAUSE_SECONDS, False


async def _read(redis: Client, stream: str, last: str) -> list[Any]:
    """What was announced after the one with the id `last`: ids, and names and values in turn."""
    block = int(BLOCK_SECONDS * 1000)
    async with redis.own_line() as line:
        reply = await line("XREAD", "COUNT", MOST_AT_ONCE, "BLOCK", block, "STREAMS", stream, last)
    found: dict[bytes, list[Any]] = dict(reply or ())  # of pairs, in the older protocol
    return found.get(stream.encode(), [])


def _named(fields: list[bytes]) -> dict[bytes, bytes]:
    return dict(zip(fields[::2], fields[1::2], strict=True))
