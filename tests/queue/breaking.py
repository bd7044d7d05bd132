"""A connection that breaks at a chosen command, and processes that die of it or try again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from redis.asyncio import ConnectionPool, UnixDomainSocketConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError

from sandbox_service.queue import connect
from sandbox_service.queue.line import Line, Word

T = TypeVar("T")


class Died(BaseException):
    """The process is gone, and whoever asked it hears nothing."""


@dataclass(frozen=True)
class Fault:
    """What happens to an operation.

    Attributes:
        command: at which of its commands, from 1.
        executed: after the server executed it, so that its answer is lost; else before it was sent.
        deadly: the process dies; else it loses its connection alone, and its client sends the command again.
    """

    command: int
    executed: bool
    deadly: bool


class Breaker:
    """Counts the commands of an operation and lets the one that was chosen fail."""

    def __init__(self) -> None:
        self.fault: Fault | None = None
        self.commands = 0
        self.came = False

    def sending(self) -> None:
        self.commands += 1
        self._fail(executed=False)

    def answered(self) -> None:
        self._fail(executed=True)

    def _fail(self, *, executed: bool) -> None:
        fault = self.fault
        if fault and (fault.command, fault.executed) == (self.commands, executed):
            self.fault, self.came = None, True
            raise Died if fault.deadly else ConnectionError("broken by the test")


class _Line(Line):
    """A line whose commands are counted, and fail when they are told to."""

    def __init__(self, pool: ConnectionPool, breaker: Breaker) -> None:
        super().__init__(pool)
        self._breaker = breaker

    async def once(self, *command: Word) -> Any:
        await self._or_hang_up(self._breaker.sending)
        reply = await super().once(*command)
        await self._or_hang_up(self._breaker.answered)
        return reply

    async def _or_hang_up(self, step: Callable[[], None]) -> None:
        try:
            step()
        except BaseException:
            await self.aclose()
            raise


class _Connection(UnixDomainSocketConnection):
    """Likewise, for what goes through redis-py."""

    breaker: Breaker
    greeting = False

    async def on_connect_check_health(self, check_health: bool = True) -> None:
        self.greeting = True
        await super().on_connect_check_health(check_health)
        self.greeting = False

    async def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        if not self.greeting:
            await self._or_disconnect(self.breaker.sending)
        await super().send_packed_command(command, check_health)

    async def read_response(self, *args: Any, **options: Any) -> Any:
        response = await super().read_response(*args, **options)
        if not self.greeting:
            await self._or_disconnect(self.breaker.answered)
        return response

    async def _or_disconnect(self, step: Any) -> None:
        try:
            step()
        except BaseException:
            await self.disconnect(nowait=True)
            raise


class Process:
    """A client of its own, whose connection breaks when it is told to."""

    def __init__(self, url: str) -> None:
        self.breaker = Breaker()
        self.redis = connect(url)
        pool = self.redis.connection_pool
        pool.connection_class = type("Connection", (_Connection,), {"breaker": self.breaker})
        pool.connection_kwargs["retry"] = Retry(NoBackoff(), 3)
        self.redis.line = _Line(pool, self.breaker)

    async def run(self, fault: Fault | None, operation: Awaitable[T]) -> T:
        """Do something, with a fault on the way.

        Raises:
            Died: the fault was deadly and came before the end.
        """
        self.breaker.fault, self.breaker.commands = fault, 0
        try:
            return await operation
        finally:
            self.breaker.fault = None
