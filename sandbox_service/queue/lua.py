"""The queue's scripts: one file each, run by their digest."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from redis.asyncio import Redis
from redis.typing import EncodableT

from sandbox_service.queue.keys import Keys

_folder = Path(__file__).with_name("scripts")


@cache
def _text(name: str) -> str:
    return (_folder / "common.lua").read_text("ascii") + (_folder / f"{name}.lua").read_text("ascii")


class Script:
    """A script with `common.lua` before it. All keys are handed to each, so that one place gives them their names."""

    def __init__(self, redis: Redis, keys: Keys, name: str) -> None:
        self._keys = keys
        self._script = redis.register_script(_text(name))

    async def __call__(self, *args: EncodableT, client: Redis | None = None) -> Any:
        """Run it, or add it to the pipeline `client`; it is loaded where the server does not know it yet."""
        return await self._script(keys=self._keys, args=args, client=client)
