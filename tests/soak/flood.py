"""Sends one request over and over at a steady rate; a real HTTP client would be overloaded before the service."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

CONNECTIONS = 128
TICK_SECONDS = 0.02


@dataclass
class Flood:
    """What became of the requests.

    Attributes:
        accepted: ids of the submissions that were taken in.
        answers: how many there were of each status.
        retry_after: what those that were refused were told, in seconds.
        seconds: how long each answer took, from the moment when it was due.
        faults: answers that are neither.
    """

    accepted: list[str] = field(default_factory=list)
    answers: Counter[int] = field(default_factory=Counter)
    retry_after: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def heard(self, status: int, retry_after: str, body: bytes) -> None:
        self.answers[status] += 1
        if status == 202:
            self.accepted.append(json.loads(body)["id"])
        elif status == 429 and retry_after.isdigit() and int(retry_after) > 0:
            self.retry_after.append(int(retry_after))
        else:
            self.faults.append(f"HTTP {status}, Retry-After {retry_after!r}: {body[:200]!r}")


async def flood(
    url: str, submission: dict[str, Any], rate: float, seconds: float, progress: Callable[[float], None]
) -> Flood:
    """Offer so many submissions a second, whatever the answers are; `progress` is told the share of the time."""
    place, found = urlsplit(url), Flood()
    due: asyncio.Queue[float] = asyncio.Queue()
    body = json.dumps(submission).encode()
    head = f"POST /v1/submissions HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Type: application/json\r\n"
    request = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    senders = [
        asyncio.create_task(_send(place.hostname or "", place.port or 80, request, due, found))
        for _ in range(CONNECTIONS)
    ]
    began, sent = time.monotonic(), 0
    while (passed := time.monotonic() - began) < seconds:
        for _ in range(int(rate * passed) - sent):
            due.put_nowait(time.monotonic())
            sent += 1
        progress(passed / seconds)
        await asyncio.sleep(TICK_SECONDS)
    await asyncio.wait([asyncio.create_task(due.join()), *senders], return_when=asyncio.FIRST_COMPLETED)
    for sender in senders:
        sender.cancel()
    ends = await asyncio.gather(*senders, return_exceptions=True)
    found.faults += [f"a connection was lost: {end!r}" for end in ends if not isinstance(end, asyncio.CancelledError)]
    return found


async def _send(host: str, port: int, request: bytes, due: asyncio.Queue[float], found: Flood) -> None:
    reader, writer = await asyncio.open_connection(host, port)
    try:
        while True:
            since = await due.get()
            writer.write(request)
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
            body = await reader.readexactly(int(headers["content-length"]))
            found.heard(int(first.split()[1]), headers.get("retry-after", ""), body)
            found.seconds.append(time.monotonic() - since)
            due.task_done()
    finally:
        writer.close()
