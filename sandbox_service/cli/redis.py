"""The Redis that the environment names."""

from __future__ import annotations

import asyncio
import os

from sandbox_service.cli.errors import CliError

VARIABLE = "SANDBOX_REDIS_URL"


def named() -> str | None:
    """Its URL, `None` if there is none; it answers.

    An environment variable and no option: a URL may hold a password, and everyone on a machine can read arguments.

    Raises:
        CliError: it does not answer, or the URL is none.
    """
    url = os.environ.get(VARIABLE)
    if url:
        asyncio.run(_ping(url))
    return url or None


def needed() -> str:
    """Its URL, for a command that cannot do without.

    Raises:
        CliError: none is named, or it does not answer.
    """
    if url := named():
        return url
    raise CliError(f"set {VARIABLE}, or use `sandbox-service up`, which brings a queue", usage=True)


async def _ping(url: str) -> None:
    from redis.exceptions import RedisError

    from sandbox_service.queue import connect

    try:
        redis = connect(url)
    except ValueError as error:
        raise CliError(f"{VARIABLE} is no URL of a Redis: {error}", usage=True) from None
    try:
        await redis.ping()
    except RedisError as error:
        raise CliError(f"the Redis that {VARIABLE} names does not answer: {error}") from None
    finally:
        await redis.aclose()
