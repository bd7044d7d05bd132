"""Hears of every submission that ends, as the gateways do."""

from __future__ import annotations

import threading
import time
from collections import Counter
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from sandbox_service.queue.keys import Keys
from sandbox_service.queue.settings import QueueSettings

KEYS = Keys.under(QueueSettings().prefix)
STAYING = {KEYS.doorbell, KEYS.held, KEYS.dead, KEYS.events, KEYS.cancels, KEYS.workers, KEYS.seen, KEYS.draining}
"""However many submissions there were, there is one of each; and of `KEYS.turns` a few a tenant."""
BLOCK_MILLISECONDS = 500


def of_submissions(redis: Redis) -> list[str]:
    """The keys that submissions brought, and that have to go with them."""
    keys = sorted(key.decode() for key in redis.scan_iter(count=1000))
    return [key for key in keys if key not in STAYING and not key.startswith(KEYS.turns)]


class Observer:
    """Follows the announcements in a thread of its own, also over restarts of Redis.

    Attributes:
        endings: how often each submission ended, by its id.
    """

    def __init__(self, url: str) -> None:
        redis: Any = Redis.from_url(url, decode_responses=True)
        self._redis = redis
        newest = self._redis.xrevrange(KEYS.events, count=1)
        self._last: str = newest[0][0] if newest else "0-0"
        self._heard, self._over = threading.Condition(), False
        self.endings: Counter[str] = Counter()
        self._thread = threading.Thread(target=self._follow)

    def __enter__(self) -> Observer:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._over = True
        self._thread.join()
        self._redis.close()

    @property
    def ended(self) -> int:
        return self.endings.total()

    def wait_for(self, ended: int, seconds: float) -> bool:
        """Wait until so many submissions have ended."""
        with self._heard:
            return self._heard.wait_for(lambda: self.ended >= ended, seconds)

    def _follow(self) -> None:
        while not self._over:
            try:
                streams = self._redis.xread({KEYS.events: self._last}, count=1000, block=BLOCK_MILLISECONDS)
            except RedisError:
                time.sleep(0.05)
                continue
            for _, items in streams:
                with self._heard:
                    self._last = items[-1][0]
                    self.endings.update(fields["id"] for _, fields in items)
                    self._heard.notify_all()
