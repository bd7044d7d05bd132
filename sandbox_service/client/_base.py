"""What both clients have: settings, which travel to other processes, and a circuit breaker, which does not."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

from sandbox_service.client import _config
from sandbox_service.client._breaker import Breaker


class Base:
    """A client without connections.

    Connections, locks and what is known of the service belong to one process. A client that a fork took along makes
    them anew there; one that was pickled, as `multiprocessing` does to start a process, is made anew.
    """

    def __init__(
        self, url: str | None = None, key: str | None = None, *, patience: float = _config.PATIENCE_SECONDS
    ) -> None:
        self._config = _config.Config.of(url, key, patience)
        self._breakers: dict[int, Breaker] = {}

    @property
    def _breaker(self) -> Breaker:
        return self._breakers.get(pid := os.getpid()) or self._breakers.setdefault(pid, Breaker())

    def __reduce__(self) -> tuple[Any, ...]:
        config = self._config
        return partial(type(self), config.url, config.key, patience=config.patience), ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._config.url!r})"
