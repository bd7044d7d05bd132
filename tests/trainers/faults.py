"""A proxy before a service that makes failures of ours out of some of its results, as a service in trouble would."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx

from tests.client.server import Answer, Seen, serving

ERROR = {"kind": "disk_full", "message": "injected", "retryable": True}


@dataclass
class Faults:
    """Every `nth` result is failed; `target` is the service that is asked, which may come and go."""

    target: str
    nth: int
    injected: int = 0
    lost: int = 0
    _count: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def answer(self, seen: Seen) -> Answer:
        headers = {name: seen.headers[name] for name in ("content-type", "authorization") if name in seen.headers}
        try:
            with httpx.Client(base_url=self.target, trust_env=False, timeout=60) as http:
                found = http.request(seen.method, seen.path, params=seen.query, content=seen.body, headers=headers)
        except httpx.TransportError:
            self.lost += 1
            return Answer(502, b"no service")
        body = found.content
        if seen.path.endswith("/results"):
            body = b"".join(self._line(line) + b"\n" for line in body.splitlines())
        return Answer(found.status_code, body, {"Content-Type": found.headers["content-type"]})

    def _line(self, line: bytes) -> bytes:
        if not line.strip() or next(self._count) % self.nth:
            return line
        self.injected += 1
        failed = {"state": "failed", "verdict": None, "reward": None, "infra_error": ERROR, "cases": []}
        return json.dumps(json.loads(line) | failed).encode()


@contextmanager
def before(target: str, nth: int) -> Iterator[tuple[str, Faults]]:
    """Serve; gives the URL and what is known of the faults."""
    faults = Faults(target, nth)
    with serving(faults.answer) as (url, _):
        yield url, faults
