"""Commands to Redis over one connection, each sent at once and answered in its turn."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

import hiredis
from redis.asyncio.connection import AbstractConnection, ConnectionPool, DefaultParser
from redis.exceptions import ConnectionError, InvalidResponse, TimeoutError

Word = str | bytes | int | float


class Line:
    """A connection that any number of tasks use at once; it connects when first used, close it with `aclose`.

    redis-py connects and says who we are. What follows goes past it: a command through it takes eight times the CPU
    time. One that blocks holds up those behind it, and wants a line of its own.

    Args:
        pool: makes the connection, and knows how often to try again.
    """

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool, self._connecting = pool, asyncio.Lock()
        self._connection: AbstractConnection | None = None
        self._talk: _Talk | None = None

    async def __call__(self, *command: Word) -> Any:
        """Send a command and wait for its answer; sent again where the server was not reached or its answer is lost.

        Raises:
            RedisError: it refused the command, or could not be reached.
        """
        try:
            return await self.once(*command)
        except (ConnectionError, TimeoutError):
            return await self._new_connection().retry.call_with_retry(lambda: self.once(*command), _pass)

    async def once(self, *command: Word) -> Any:
        """Send a command a single time."""
        talk = self._talk if self._talk is not None and self._talk.open else await self._connect()
        return await talk.ask(command)

    async def aclose(self) -> None:
        """Hang up; who still waits for an answer hears that there is none."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.disconnect(nowait=True)
        if self._talk is not None:
            talk, self._talk = self._talk, None
            talk.connection_lost(None)

    async def _connect(self) -> _Talk:
        async with self._connecting:
            if self._talk is None or not self._talk.open:
                await self.aclose()
                self._connection = self._new_connection()
                await self._connection.connect()  # type: ignore[no-untyped-call]
                assert self._connection._writer is not None  # noqa: S101
                self._talk = _Talk(self._connection._writer.transport)
            return self._talk

    def _new_connection(self) -> AbstractConnection:
        connection: AbstractConnection = self._pool.make_connection()  # type: ignore[no-untyped-call]
        return connection


class _Talk(asyncio.Protocol):
    """What is said over one connection while it is open."""

    def __init__(self, transport: asyncio.WriteTransport) -> None:
        self.open = True
        self._transport, self._waiting = transport, deque[asyncio.Future[Any]]()
        self._reader = hiredis.Reader(protocolError=InvalidResponse, replyError=DefaultParser.parse_error)
        transport.set_protocol(self)

    def ask(self, command: tuple[Word, ...]) -> asyncio.Future[Any]:
        """Send a command; what will be answered."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append(answer)
        self._transport.write(hiredis.pack_command(command))  # type: ignore[arg-type]  # by its stub, a tuple of one
        return answer

    def data_received(self, data: bytes) -> None:
        """Hand out the answers that are whole."""
        self._reader.feed(data)
        try:
            while (reply := self._reader.gets()) is not False:
                self._answer(reply)
        except InvalidResponse:
            self._transport.abort()

    def _answer(self, reply: Any) -> None:
        if isinstance(reply, hiredis.PushNotification):  # nobody asked for it
            return
        answer = self._waiting.popleft()
        if answer.done():  # who asked was cancelled
            return
        if isinstance(reply, Exception):
            answer.set_exception(reply)
        else:
            answer.set_result(reply)

    def connection_lost(self, error: Exception | None) -> None:
        """Tell all that wait."""
        self.open = False
        waiting, self._waiting = self._waiting, deque()
        for answer in waiting:
            if not answer.done():
                answer.set_exception(ConnectionError(f"the connection to Redis was lost: {error or 'closed'}"))


async def _pass(_: Exception) -> None:
    """Nothing is to be done between two tries."""
