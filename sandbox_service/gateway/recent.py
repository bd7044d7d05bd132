"""What ended lately, for the figures of `GET /v1/stats`."""

from __future__ import annotations

import math
import time
from collections import deque

WINDOW_SECONDS = 60.0
MOST = 20_000


class Recent:
    """Completions of the last minute: how many, and how long they took."""

    def __init__(self) -> None:
        self._ended: deque[tuple[float, float]] = deque(maxlen=MOST)
        self._started = time.monotonic()

    def add(self, seconds: float) -> None:
        """Note a completion that took so long in all."""
        self._ended.append((time.monotonic(), seconds))

    def figures(self) -> tuple[float, float | None, float | None]:
        """Completions a second, and the median and 99th percentile of their seconds, `None` if there were none."""
        now = time.monotonic()
        while self._ended and self._ended[0][0] < now - WINDOW_SECONDS:
            self._ended.popleft()
        window = self._ended[0][0] if len(self._ended) == MOST else max(self._started, now - WINDOW_SECONDS)
        times = sorted(seconds for _, seconds in self._ended)
        return len(times) / max(now - window, 1.0), _percentile(times, 0.5), _percentile(times, 0.99)


def _percentile(ordered: list[float], part: float) -> float | None:
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)] if ordered else None
