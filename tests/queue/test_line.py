"""Many commands over one connection."""

from __future__ import annotations

import asyncio

import pytest
from redis.exceptions import NoScriptError, ResponseError

from sandbox_service.queue import Client


async def test_each_hears_its_own_answer(redis: Client) -> None:
    answers = await asyncio.gather(*(redis.line("ECHO", number) for number in range(500)))
    assert answers == [b"%d" % number for number in range(500)]


async def test_who_leaves_takes_no_answer_from_others(redis: Client) -> None:
    leaving = asyncio.create_task(redis.line("ECHO", "left"))
    await asyncio.sleep(0)
    staying = asyncio.create_task(redis.line("ECHO", "stayed"))
    await asyncio.sleep(0)
    leaving.cancel()
    assert await staying == b"stayed"
    assert await redis.line("ECHO", "later") == b"later"


async def test_a_refusal_is_told_to_who_asked(redis: Client) -> None:
    good, refused, unknown = await asyncio.gather(
        redis.line("PING"), redis.line("HSET", "key"), redis.line("EVALSHA", "0" * 40, 0), return_exceptions=True
    )
    assert good == b"PONG"
    assert isinstance(refused, ResponseError)
    assert isinstance(unknown, NoScriptError)


async def test_a_lost_connection_is_made_again(redis: Client) -> None:
    for _ in range(3):
        number = await redis.line("CLIENT", "ID")
        await redis.client_kill_filter(_id=str(number))
        assert await redis.line("ECHO", "there") == b"there"


async def test_who_waits_while_the_connection_is_lost_is_asked_for_again(redis: Client) -> None:
    async with redis.own_line() as line:
        number = await line("CLIENT", "ID")
        waiting = asyncio.create_task(line("BLPOP", "nothing", 0.5))
        await asyncio.sleep(0.1)
        await redis.client_kill_filter(_id=str(number))
        assert await waiting is None


async def test_a_line_that_was_left_while_it_blocked_is_not_used_again(redis: Client) -> None:
    async def blocked() -> None:
        async with redis.own_line() as line:
            await line("BLPOP", "nothing", 60)

    task = asyncio.create_task(blocked())
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with redis.own_line() as line:
        assert await asyncio.wait_for(line("ECHO", "free"), 30) == b"free"
