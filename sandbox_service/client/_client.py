"""The client for code that waits."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import httpx

from sandbox_service.client import _config, _core
from sandbox_service.client._base import Base
from sandbox_service.client._retry import Steps, T
from sandbox_service.client._score import BATCH_SIZE, IN_FLIGHT, Progress
from sandbox_service.client._wire import Lost, Request, Response

if TYPE_CHECKING:
    from sandbox_service.contract.result import Result
    from sandbox_service.contract.submission import Submission


class Client(Base):
    """Talks to one service. Close it, or use it as a context manager.

    One client may be shared by threads, taken along by a fork, and pickled; it works inside a running event loop too,
    as in a notebook. After `close` it opens new connections when it is used again.

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
        self._pools: dict[int, httpx.Client] = {}

    def run(
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
        """Run a program once and wait until it has ended.

        Args:
            code: the program, where it is one file; else give `files`.
            language: an id that `languages` lists.
            stdin: what it reads.
            args: its arguments.
            files: the program's files by their path.
            limits: such as `{"cpu_seconds": 2, "memory_bytes": 1 << 28}`.
            fields: further fields of a submission, such as `compile_flags` or `policy`.
        """
        more = {"files": files, "limits": limits} | fields
        return self._drive(_core.run(_config.body(code, language, stdin, args, more), self._config.patience))

    def submit(self, submission: Mapping[str, Any] | Submission) -> str:
        """Hand in a submission; its id. Asked again after a lost connection, it is still taken in once."""
        return self._drive(_core.submit(submission, self._config.patience))

    def result(self, id: str, wait: float | None = None) -> Result:
        """The result, after at most `wait` seconds: `None` waits until it has ended, 0 gives it as it stands."""
        return self._drive(_core.result(id, wait, self._config.patience))

    def cancel(self, id: str) -> None:
        """End a submission as cancelled; one that has ended stays as it is."""
        self._drive(_core.cancel(id, self._config.patience))

    def languages(self) -> list[dict[str, Any]]:
        """What this service can run."""
        return self._drive(_core.languages(self._config.patience))

    def score(
        self,
        submissions: Iterable[Mapping[str, Any] | Submission],
        *,
        batch_size: int = BATCH_SIZE,
        in_flight: int = IN_FLIGHT,
        progress: bool | Progress = False,
    ) -> list[Result]:
        """Score many submissions; their results in the same order. See `AsyncClient.score`.

        Several batches are under way at once, in an event loop of a thread of its own; `progress` is called there.
        """
        from anyio.from_thread import start_blocking_portal

        from sandbox_service.client._async_client import AsyncClient

        async def score() -> list[Result]:
            async with AsyncClient(self._config.url, self._config.key, patience=self._config.patience) as client:
                client._breakers = self._breakers
                return await client.score(submissions, batch_size=batch_size, in_flight=in_flight, progress=progress)

        with start_blocking_portal() as portal:  # an interrupt of this thread ends it too
            return portal.call(score)

    def close(self) -> None:
        """Close this process's connections."""
        if http := self._pools.pop(os.getpid(), None):
            http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _drive(self, steps: Steps[T]) -> T:
        answer: Response | Lost | None = None
        with closing(self._breaker.guard(steps)) as guarded:
            while True:
                try:
                    step = guarded.send(answer)
                except StopIteration as end:
                    value: T = end.value
                    return value
                if isinstance(step, Request):
                    answer = self._send(step)
                else:
                    time.sleep(step)

    def _send(self, request: Request) -> Response | Lost:
        try:
            response = self._http().request(**_config.arguments(request))
        except httpx.TransportError as error:
            return Lost(f"no answer from {self._config.url}: {str(error) or type(error).__name__}")
        return Response(response.status_code, response.headers, response.content)

    def _http(self) -> httpx.Client:
        """This process's connections; those of a parent are left alone, as it uses them still."""
        pid = os.getpid()
        return self._pools.get(pid) or self._pools.setdefault(pid, httpx.Client(**self._config.http()))
