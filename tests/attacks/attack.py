"""An attack, and how one layer or several are switched off to show that it is they who stop it."""

from __future__ import annotations

import copy
import io
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from sandbox_service.executor import NamespaceExecutor, plan, userns

REACHED = b"REACHED"
"""What an attack prints, or leaves in a file that is handed back, once it has what it wanted."""


@dataclass(frozen=True)
class Off:
    """Layers to leave out.

    Attributes:
        seccomp: the filter.
        init: changes of init's text: the file, what stands there, what shall stand there.
        outer: options of the outer wall to leave out.
        seen: paths of the host to show.
        limits: limits to set higher.
    """

    seccomp: bool = False
    init: tuple[tuple[str, str, str], ...] = ()
    outer: tuple[tuple[str, ...], ...] = ()
    seen: tuple[str, ...] = ()
    limits: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Attack:
    """A program that tries something.

    Attributes:
        name: of the attack.
        kind: of attack.
        code: Python. `{SECRET}` is a file of the host, `{PORT}` a port on which the host listens.
        off: the layers that stop it.
        before: what runs before it in the same sandbox.
        collect: files that are handed back; the attack is to have the secret among them.
        limits: limits it is held to.
    """

    name: str
    kind: str
    code: str
    off: Off
    before: str = ""
    collect: tuple[str, ...] = ()
    limits: dict[str, Any] = field(default_factory=dict)


@asynccontextmanager
async def weakened(
    executor: NamespaceExecutor, off: Off, monkeypatch: pytest.MonkeyPatch, seen: tuple[str, ...]
) -> AsyncIterator[NamespaceExecutor]:
    """An executor without some layers, that shares what the other one found out."""
    weak = copy.copy(executor)
    weak._idle = []
    weak._namespace = userns.make() if executor._namespace else None  # what is set in one holds for all that use it
    weak._init = changed(executor._init, off.init)
    arguments = plan.bwrap_arguments

    def fewer(*given: Any) -> list[str]:
        shown = [item for path in seen for item in shows(Path(path))]
        made = arguments(*given)
        made[-4:-4] = shown  # before all is made read-only
        for option in off.outer:
            at = next(at for at in range(len(made)) if tuple(made[at : at + len(option)]) == option)
            del made[at : at + len(option)]
        return made

    with monkeypatch.context() as patch:
        patch.setattr(plan, "bwrap_arguments", fewer)
        try:
            yield weak
        finally:
            await weak._end_idle()
            if weak._namespace:
                weak._namespace.close()


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
