"""The measurements: one client, many, batches, or arrivals at random."""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from sandbox_service.cli.bench import baseline
from sandbox_service.cli.bench.apis import Busy, evaluated
from sandbox_service.cli.bench.connection import Connection
from sandbox_service.cli.bench.cpu import by_part
from sandbox_service.cli.bench.report import Row
from sandbox_service.cli.bench.workloads import RL_STEP, WORKLOADS, Submission, Workload, rl_step
from sandbox_service.cli.errors import CliError

WARM_UP = 20
Pair = tuple[Submission, str]
"""A submission, and the verdict that it must get."""


@dataclass(slots=True)
class Tally:
    """What came of submissions: how many got the verdict that they must, in what time, and how many were refused."""

    runs: int = 0
    refused: int = 0
    times: list[float] = field(default_factory=list)


class Measurement:
    """All that one call of `bench` measures.

    Args:
        url: the service.
        given: the command's arguments.
    """

    def __init__(self, url: str, given: argparse.Namespace) -> None:
        self._url, self._given = url, given
        self._numbers = itertools.count(secrets.randbelow(1 << 40))
        """Of inputs: no service has seen them before."""
        self._naive = 0.0

    async def all(self) -> list[Row]:
        """One row for each way, the baselines first."""
        given = self._given
        rows = []
        for name, run in (("bare python3", baseline.bare), ("plain subprocess", baseline.naive)):
            rate, cpu = await asyncio.to_thread(baseline.measure, run, given.runs)
            self._naive = rate
            rows.append(Row(name, "", os.cpu_count() or 1, given.runs, rate, cpu_ms=cpu * 1e3))
        for name in given.workloads:
            rows += await (self._rl_step() if name == RL_STEP else self._workload(name, WORKLOADS[name]))
        for row in rows:
            row.times_naive = row.runs_per_second / self._naive
        return rows

    async def _workload(self, name: str, workload: Workload) -> list[Row]:
        given, runs = self._given, min(self._given.runs, workload.runs)
        await self._closed(name, self._pairs(workload, min(WARM_UP, runs)), given.clients)
        if given.rate:
            return [await self._open(name, self._pairs(workload, runs), given.rate)]
        rows = [
            await self._closed(name, self._pairs(workload, max(runs // 4, 1)), 1),
            await self._closed(name, self._pairs(workload, runs), given.clients),
        ]
        if given.api == "sandbox-service":
            rows.append(await self._batches(name, self._pairs(workload, runs)))
        return rows

    async def _rl_step(self) -> list[Row]:
        """One batch, as a trainer sends it; only its own duplicates can be taken from the cache."""
        step = rl_step(self._given.scale, next(self._numbers))
        return [await self._batches(RL_STEP, [(submission | {"cache": True}, known) for submission, known in step])]

    def _pairs(self, workload: Workload, count: int) -> list[Pair]:
        more: dict[str, Any] = {"cache": self._given.cache}
        if self._given.policy != "default":
            more["policy"] = self._given.policy
        return [(workload.make(next(self._numbers)) | more, workload.verdict) for _ in range(count)]

    # ---- ways of sending ----

    async def _closed(self, name: str, pairs: list[Pair], clients: int) -> Row:
        """Clients of which each sends its next submission when it has the result of the last."""
        left, tally = iter(pairs), Tally()

        async def client(connection: Connection) -> None:
            for submission, known in left:
                await self._one(tally, connection, submission, known, time.perf_counter())

        async with self._connections(clients) as connections:
            return await self._row(name, "one each", clients, tally, lambda: _all(map(client, connections)))

    async def _open(self, name: str, pairs: list[Pair], rate: float) -> Row:
        """Arrivals at random times, whatever the service does: what waits in line counts as latency."""
        tally = Tally()

        async def arrival(submission: Submission, known: str, due: float) -> None:
            async with self._connections(1) as (connection,):
                await self._one(tally, connection, submission, known, due)

        async def arrivals() -> None:
            due = time.perf_counter()
            async with asyncio.TaskGroup() as tasks:
                for submission, known in pairs:
                    due += random.expovariate(rate)
                    await asyncio.sleep(max(0.0, due - time.perf_counter()))
                    tasks.create_task(arrival(submission, known, due))

        return await self._row(name, f"open, {rate}/s", 0, tally, arrivals)

    async def _batches(self, name: str, pairs: list[Pair]) -> Row:
        """Batches in turn, each read to its end before the next is sent."""
        size = len(pairs) if name == RL_STEP else self._given.batch
        bodies, tally = [pairs[at : at + size] for at in range(0, len(pairs), size)], Tally()

        async def send() -> None:
            for body in bodies:
                await self._batch(connection, body)
                tally.runs += len(body)

        async with self._connections(1) as (connection,):
            return await self._row(name, f"batch of {min(size, len(pairs))}", 1, tally, send)

    async def _batch(self, connection: Connection, pairs: list[Pair]) -> None:
        submissions = [{**one, "metadata": {"known": known}} for one, known in pairs]
        body = json.dumps({"submissions": submissions}).encode()
        created = json.loads(await connection.request("POST", "/v1/batches", body))
        if "id" not in created:
            raise CliError(f"the batch was not taken: {created}")
        lines = await connection.request("GET", f"/v1/batches/{created['id']}/results")
        results = [json.loads(line) for line in lines.splitlines() if line.strip()]
        for result in results:
            _must_be(result["metadata"]["known"], result)
        if len(results) != len(pairs):
            raise CliError(f"{len(results)} results for {len(pairs)} submissions")

    # ---- what they share ----

    async def _one(
        self, tally: Tally, connection: Connection, submission: Submission, known: str, began: float
    ) -> None:
        try:
            _must_be(known, await evaluated(connection, self._given.api, submission))
        except Busy:
            tally.refused += 1
            return
        tally.runs += 1
        tally.times.append(time.perf_counter() - began)

    async def _row(self, name: str, way: str, clients: int, tally: Tally, work: Callable[[], Awaitable[None]]) -> Row:
        before, began = by_part(), time.perf_counter()
        await work()
        seconds, after = time.perf_counter() - began, by_part()
        runs = tally.runs or 1
        parts = {part: (after[part] - before[part]) * 1e3 / runs for part in after if after[part] > before[part]}
        rate = tally.runs / seconds
        return Row(name, way, clients, tally.runs, rate, times=tally.times, cpu_ms_by_part=parts, refused=tally.refused)

    @asynccontextmanager
    async def _connections(self, count: int) -> AsyncIterator[list[Connection]]:
        async with AsyncExitStack() as stack:
            connections = []
            for _ in range(count):
                connections.append(await self._connect())
                stack.callback(connections[-1].close)
            yield connections

    async def _connect(self) -> Connection:
        try:
            return await Connection.to(self._url, os.environ.get("SANDBOX_KEY"))
        except OSError as error:
            raise CliError(f"nobody answers at {self._url}: {error}") from None


async def _all(work: Iterable[Awaitable[None]]) -> None:
    await asyncio.gather(*work)


def _must_be(known: str, result: dict[str, Any]) -> None:
    if result["verdict"] != known:
        raise CliError(f"a verdict is {result['verdict']}, not {known}: {json.dumps(result)[:900]}")
