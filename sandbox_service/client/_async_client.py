"""The client for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import closing
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import httpx

from sandbox_service.client import _batch, _config, _core
from sandbox_service.client._base import Base
from sandbox_service.client._retry import Steps, T
from sandbox_service.client._score import BATCH_SIZE, IN_FLIGHT, Progress, Tally, batches
from sandbox_service.client._wire import Lines, Lost, Request, Response

if TYPE_CHECKING:
    from sandbox_service.contract.result import Result
    from sandbox_service.contract.submission import Submission

Pool = tuple[AsyncGenerator[httpx.AsyncClient, None], httpx.AsyncClient]


class AsyncClient(Base):
    """Talks to one service from asyncio; the same as `Client`, awaited.

    One client may serve several event loops, one after another (`asyncio.run` twice) or in several threads: each
    loop has connections of its own, which end with it. It may be taken along by a fork, and pickled.

    Args:
        url: default `SANDBOX_URL`, else `http://127.0.0.1:8000`.
        key: the API key; default `SANDBOX_KEY`, else none.
        patience: seconds for which a service that cannot be reached is asked again. One that is full is waited for.

    Every method raises what `sandbox_service.client.errors` lists.
    """

    def __init__(
        self, url: str | None = None, key: str | None = None, *, patience: float = _config.PATIENCE_SECONDS
    ) -> None:
        super().__init__(url, key, patience=patience)
        self._pools: dict[asyncio.AbstractEventLoop, Pool] = {}

    async def run(
        self,
        code: str | bytes | None = None,
        *,
        language: str = "python",
        stdin: str | bytes = "",
        args: list[str | bytes] | None = None,
        files: Mapping[str, str | bytes] | None = None,
        limits: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> Result:
        """Run a program once and wait until it has ended. See `Client.run`."""
        more = {"files": files, "limits": limits} | fields
        return await self._drive(_core.run(_config.body(code, language, stdin, args, more), self._config.patience))

    async def submit(self, submission: Mapping[str, Any] | Submission) -> str:
        """Hand in a submission; its id. Asked again after a lost connection, it is still taken in once."""
        return await self._drive(_core.submit(submission, self._config.patience))

    async def result(self, id: str, wait: float | None = None) -> Result:
        """The result, after at most `wait` seconds: `None` waits until it has ended, 0 gives it as it stands."""
        return await self._drive(_core.result(id, wait, self._config.patience))

    async def cancel(self, id: str) -> None:
        """End a submission as cancelled; one that has ended stays as it is."""
        await self._drive(_core.cancel(id, self._config.patience))

    async def languages(self) -> list[dict[str, Any]]:
        """What this service can run."""
        return await self._drive(_core.languages(self._config.patience))

    async def score(
        self,
        submissions: Iterable[Mapping[str, Any] | Submission],
        *,
        batch_size: int = BATCH_SIZE,
        in_flight: int = IN_FLIGHT,
        progress: bool | Progress = False,
    ) -> list[Result]:
        """Score many submissions; their results in the same order.

        They go as batches, several at once. After a lost connection a batch goes on where it was. A submission that
        the service failed, or whose result could not be had, comes as a result with `state` `failed` and `reward`
        `None`: never as an exception, never as a zero.

        Args:
            submissions: read only as fast as they are sent.
            batch_size: the most submissions in one request.
            in_flight: the most submissions sent and not yet ended.
            progress: `True` for a bar on stderr, or called with the number ended and the total (or `None`).

        Raises:
            RequestProblem: a submission is wrong; `problem.field` names it as `submissions.N`. What was sent with
                earlier batches still runs.
        """
        if batch_size < 1 or in_flight < 1:
            raise ValueError("batch_size and in_flight are at least 1")
        size = min(batch_size, in_flight)
        tally, waiting = Tally(submissions, progress), batches(submissions, size)

        async def lane() -> None:
            for first, lines in waiting:
                await self._drive(_batch.batch(first, lines, tally.ended, self._config.patience))

        lanes = [asyncio.create_task(lane()) for _ in range(in_flight // size)]
        try:
            await asyncio.gather(*lanes)
        finally:
            for task in lanes:
                task.cancel()
            await asyncio.gather(*lanes, return_exceptions=True)
        return tally.in_order()

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        if pool := self._pools.get(asyncio.get_running_loop()):
            await pool[0].aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _drive(self, steps: Steps[T]) -> T:
        answer: Response | Lost | None = None
        with closing(self._breaker.guard(steps)) as guarded:
            while True:
                try:
                    step = guarded.send(answer)
                except StopIteration as end:
                    value: T = end.value
                    return value
                if isinstance(step, Request):
                    answer = await self._send(step)
                else:
                    await asyncio.sleep(step)

    async def _send(self, request: Request) -> Response | Lost:
        http = await self._http()
        try:
            async with http.stream(**_config.arguments(request)) as response:
                body = await _body(response, request)
        except httpx.TransportError as error:
            return Lost(f"no answer from {self._config.url}: {str(error) or type(error).__name__}")
        return Response(response.status_code, response.headers, body)

    async def _http(self) -> httpx.AsyncClient:
        loop = asyncio.get_running_loop()
        if loop not in self._pools:
            pool = self._connections(loop)
            self._pools[loop] = pool, await anext(pool)
        return self._pools[loop][1]

    async def _connections(self, loop: asyncio.AbstractEventLoop) -> AsyncGenerator[httpx.AsyncClient, None]:
        """The connections of one loop. A generator, because an ending loop ends its generators: they close in time."""
        http = httpx.AsyncClient(**self._config.http())
        try:
            yield http
        finally:
            self._pools.pop(loop, None)
            await http.aclose()


async def _body(response: httpx.Response, request: Request) -> bytes:
    if request.on_line is None or not response.is_success:
        return await response.aread()
    lines = Lines()
    async for chunk in response.aiter_bytes():
        for line in lines.feed(chunk):
            request.on_line(line)
    return b""
