"""The Redis that the environment names."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from urllib.parse import quote, urlsplit

from sandbox_service.cli.errors import CliError

VARIABLE = "SANDBOX_REDIS_URL"
PASSWORD_FILE = "SANDBOX_REDIS_PASSWORD_FILE"  # noqa: S105


def named() -> str | None:
    """Its URL, `None` if there is none; it answers.

    An environment variable and no option: a URL may hold a password, and everyone on a machine can read arguments.
    Where it holds none, the password may be in the file that `SANDBOX_REDIS_PASSWORD_FILE` names.

    Raises:
        CliError: it does not answer, the URL is none, or the file cannot be read.
    """
    url = os.environ.get(VARIABLE)
    if url and (file := os.environ.get(PASSWORD_FILE)):
        url = _with_password(url, Path(file))
    if url:
        asyncio.run(_ping(url))
    return url or None


def _with_password(url: str, file: Path) -> str:
    try:
        password = file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CliError(f"{PASSWORD_FILE}: {error}") from None
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{quote(parts.username or '')}:{quote(password, safe='')}@{host}").geturl()


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
