"""Executors that lack some layers."""

from __future__ import annotations

import copy
import io
import subprocess
import zipfile
from collections import defaultdict
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sandbox_service.contract.run import Preload
from sandbox_service.executor import NamespaceExecutor, cgroup, plan, userns
from tests.attacks.attack import Off


class Weakened(NamespaceExecutor):
    """An executor without some layers, that shares what another one found out.

    Args:
        whole: the other one, which has started.
        off: what to leave out; the filter and the limits are those of a request.
    """

    def __init__(self, whole: NamespaceExecutor, off: Off) -> None:
        vars(self).update(vars(copy.copy(whole)))
        self._off, self._idle = off, defaultdict(list)
        self._namespace = userns.make() if whole._namespace else None  # what is set in one holds for all that use it
        self._init = changed(whole._init, off.init)

    async def stop(self) -> None:
        await self._end_idle()
        if self._namespace:
            self._namespace.close()

    def _launch(self, channel: int, preload: Preload) -> subprocess.Popen[bytes]:
        with patch.object(plan, "bwrap_arguments", self._fewer(plan.bwrap_arguments)):
            return super()._launch(channel, preload)

    def _fewer(self, arguments: Any) -> Any:
        def fewer(*given: Any) -> list[str]:
            made: list[str] = arguments(*given)
            made[-4:-4] = [item for path in self._off.seen for item in shows(Path(path))]  # before all is read-only
            for option in self._off.outer:
                at = next(at for at in range(len(made)) if tuple(made[at : at + len(option)]) == option)
                del made[at : at + len(option)]
            return made

        return fewer

    def new_group(self) -> cgroup.SlotGroup:
        group = super().new_group()
        return Unproved(group) if self._off.unproved else group


class Unproved(cgroup.SlotGroup):
    """A control group that is believed to be left as it was."""

    stale = property(lambda self: False, lambda self, value: None)

    def __init__(self, group: cgroup.SlotGroup) -> None:
        vars(self).update(vars(group))

    async def settle(self) -> bool:
        return True


def shows(path: Path) -> list[str]:
    """Options that show a file of the host, with the folders on the way."""
    folders = [part for folder in reversed(path.parents[:-1]) for part in ("--perms", "0755", "--dir", str(folder))]
    return [*folders, "--ro-bind", str(path), str(path)]


def changed(archive: bytes, changes: tuple[tuple[str, str, str], ...]) -> bytes:
    """Init with other words; each must be there once, else it has moved and the attack shows nothing."""
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        texts = {name: packed.read(name).decode() for name in packed.namelist()}
    for name, old, new in changes:
        assert texts[f"init/{name}.py"].count(old) == 1, f"{old!r} in {name}.py"
        texts[f"init/{name}.py"] = texts[f"init/{name}.py"].replace(old, new)
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w") as packed:
        for name, text in texts.items():
            packed.writestr(name, text)
    return result.getvalue()
