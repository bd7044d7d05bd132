"""The queue's scripts: one file each, run by their digest."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from redis.asyncio.client import Pipeline
from redis.exceptions import NoScriptError

from sandbox_service.queue.connect import Client
from sandbox_service.queue.keys import Keys
from sandbox_service.queue.line import Word

_folder = Path(__file__).with_name("scripts")


@cache
def _text(name: str) -> str:
    return (_folder / "common.lua").read_text("ascii") + (_folder / f"{name}.lua").read_text("ascii")


class Script:
    """A script with `common.lua` before it. All keys are handed to each, so that one place gives them their names."""

    def __init__(self, redis: Client, keys: Keys, name: str) -> None:
        self._line, self._keys, self._text = redis.line, keys, _text(name)
        self._script = redis.register_script(self._text)

    async def __call__(self, *args: Word, client: Pipeline | None = None) -> Any:
        """Run it, or add it to the pipeline `client`; it is loaded where the server does not know it yet."""
        if client is not None:
            return await self._script(keys=self._keys, args=args, client=client)
        try:
            return await self._line("EVALSHA", self._script.sha, len(self._keys), *self._keys, *args)
        except NoScriptError:
            return await self._line("EVAL", self._text, len(self._keys), *self._keys, *args)
