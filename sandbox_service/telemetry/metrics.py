"""All metrics of the service. Label values come from closed sets, so that no request can add a series."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from sandbox_service.contract.verdict import Priority, State

STAGES = ("queued", "start", "compile", "run", "judge", "total")
METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
OTHER = "other"
# A warm run takes about two milliseconds, a slow compiler a minute.
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)


class Metrics:
    """The metrics of one process.

    Args:
        registry: where they are registered; each process or test has its own.
        languages: the ids that may stand in a `language` label; others become `other`.
    """

    def __init__(self, registry: CollectorRegistry, languages: Collection[str]) -> None:
        self.registry = registry
        self._languages = frozenset(languages)
        self._requests = Counter(
            "sandbox_http_requests", "HTTP requests answered.", ["route", "method", "status"], registry=registry
        )
        self._latency = Histogram(
            "sandbox_http_request_seconds",
            "From the request's head to the end of its answer, waits included.",
            ["route"],
            buckets=SECONDS,
            registry=registry,
        )
        self._accepted = Counter("sandbox_submissions_accepted", "Submissions queued.", ["language"], registry=registry)
        self._ended = Counter(
            "sandbox_submissions_ended", "Submissions that ended.", ["state", "verdict", "language"], registry=registry
        )
        self._stages = Histogram(
            "sandbox_stage_seconds", "Time of a submission by stage.", ["stage"], buckets=SECONDS, registry=registry
        )
        self._lookups = Counter(
            "sandbox_cache_lookups", "What asking a cache came to.", ["cache", "outcome"], registry=registry
        )
        self._depth = Gauge("sandbox_queue_depth", "Submissions that wait.", ["priority"], registry=registry)
        self._oldest = Gauge("sandbox_queue_oldest_seconds", "Age of the oldest that waits.", registry=registry)
        self._running = Gauge("sandbox_running", "Submissions that workers hold.", registry=registry)
        self._workers = Gauge("sandbox_workers", "Workers by state.", ["state"], registry=registry)
        self._slots = Gauge("sandbox_slots", "Slots of all live workers.", registry=registry)
        self._busy = Gauge("sandbox_slots_busy", "Slots that run something.", registry=registry)

    def request(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count an answered request; `route` is the template of the path, not the path."""
        self._requests.labels(route, method if method in METHODS else OTHER, str(status)).inc()
        self._latency.labels(route).observe(seconds)

    def accepted(self, language: str, count: int = 1) -> None:
        """Count submissions that were queued."""
        self._accepted.labels(self._language(language)).inc(count)

    def ended(
        self,
        state: State,
        verdict: str | None,
        language: str,
        stages: Mapping[str, float],
        caches: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Count a submission that ended; `stages` are seconds by name of stage, `caches` outcomes by name of cache."""
        self._ended.labels(state.value, verdict or "", self._language(language)).inc()
        for stage in STAGES:
            if stage in stages:
                self._stages.labels(stage).observe(stages[stage])
        for cache, outcome in caches.items():
            self._lookups.labels(cache, outcome).inc()

    def queue(self, by_priority: Mapping[str, int], oldest_seconds: float | None, running: int) -> None:
        """Show what waits and what runs."""
        for priority in Priority:
            self._depth.labels(priority.value).set(by_priority.get(priority.value, 0))
        self._oldest.set(oldest_seconds or 0.0)
        self._running.set(running)

    def queue_unknown(self) -> None:
        """Show that the queue cannot be asked."""
        for gauge in (*(self._depth.labels(priority.value) for priority in Priority), self._oldest, self._running):
            gauge.set(math.nan)

    def fleet(self, workers: Iterable[tuple[str, int, int]]) -> None:
        """Show the workers: state, slots and busy slots of each."""
        rows = list(workers)
        for state in ("ready", "draining", "lost"):
            self._workers.labels(state).set(sum(row[0] == state for row in rows))
        live = [row for row in rows if row[0] != "lost"]
        self._slots.set(sum(row[1] for row in live))
        self._busy.set(sum(row[2] for row in live))

    def _language(self, language: str) -> str:
        return language if language in self._languages else OTHER
