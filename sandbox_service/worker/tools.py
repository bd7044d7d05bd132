"""Programs of others that judge inside sandboxes: ruff, math-verify. Copied once, from where this worker has them.

They come with `pip install sandbox-service[tools]`. Sandboxes see no virtual environment, and need not: what they may
read lies in a folder that they all have (`SHARED`). What a worker has not, no reward is made of: it does not offer it.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

from sandbox_service.contract.result import InfraError
from sandbox_service.executor import SHARED
from sandbox_service.worker.boundary import InfraFailure

MATH = ("math-verify", "latex2sympy2-extended", "antlr4-python3-runtime", "sympy", "mpmath")
PYTHON = "/usr/bin/python3"
FIX = "install sandbox-service[tools] where the worker runs"
PREFIX = "tools-"


class Tools:
    """What of them there is.

    Args:
        folder: that all sandboxes have at `SHARED`; `None`: there is none, and so no tools.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder, self._making = folder, asyncio.Lock()

    @property
    def versions(self) -> dict[str, str]:
        """What is offered, by name: `ruff`, `math`; empty where sandboxes have no folder."""
        if self._folder is None:
            return {}
        found = {"ruff": _version("ruff") if _ruff() else None, "math": _version(*MATH)}
        return {name: text for name, text in found.items() if text}

    async def ruff(self) -> bytes:
        """The path of ruff inside a sandbox.

        Raises:
            InfraFailure: there is none here.
        """
        return (await self._place("ruff") + "/ruff").encode()

    async def math(self) -> str:
        """The folder of math-verify inside a sandbox; its first use takes seconds, to compile it.

        Raises:
            InfraFailure: there is none here.
        """
        return await self._place("math")

    async def _place(self, name: str) -> str:
        text = self.versions.get(name)
        if text is None or self._folder is None:
            message = f"this worker has no {name}: {FIX}"
            raise InfraFailure(InfraError(kind="not_on_this_worker", message=message, retryable=True))
        place = f"{PREFIX}{name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
        async with self._making:
            if not (self._folder / place).is_dir():
                await asyncio.to_thread(_MAKERS[name], self._folder / place)
        return f"{SHARED}/{place}"


def _make_ruff(place: Path) -> None:
    source = _ruff()
    assert source is not None  # noqa: S101
    copy = _unfinished(place)
    shutil.copyfile(source, copy / "ruff")
    (copy / "ruff").chmod(0o755)
    _publish(copy, place)


def _make_math(place: Path) -> None:
    copy = _unfinished(place)
    for name in MATH:
        for file in distribution(name).files or ():
            if ".." in file.parts or "tests" in file.parts or file.suffix == ".pyc":
                continue
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(file.locate()), copy / file)
    # Compiles what it imports, and nothing else, for the sandbox's own Python.
    program = f"import sys; sys.path.insert(0, {str(copy)!r}); import math_verify"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    subprocess.run([PYTHON, "-c", program], check=False, timeout=300, env=environment, capture_output=True)
    _publish(copy, place)


_MAKERS = {"ruff": _make_ruff, "math": _make_math}


def _unfinished(place: Path) -> Path:
    copy = place.with_name(f"{PREFIX}unfinished-{place.name}-{os.getpid()}")
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(mode=0o755)
    return copy


def _publish(copy: Path, place: Path) -> None:
    """All of it or nothing, whoever looks; another worker may have been faster."""
    for path in (copy, *copy.rglob("*")):
        path.chmod(0o755 if path.is_dir() or path.name == "ruff" else 0o644)
    try:
        copy.rename(place)
    except OSError:
        shutil.rmtree(copy, ignore_errors=True)


def _ruff() -> Path | None:
    beside = Path(sys.executable).parent / "ruff"
    found = shutil.which("ruff", path=f"{beside.parent}:/usr/bin")
    return Path(found) if found else None


def _version(*names: str) -> str | None:
    """The versions of all of these packages; `None` if one is missing."""
    try:
        return " ".join(f"{name} {version(name)}" for name in names)
    except PackageNotFoundError:
        return None
