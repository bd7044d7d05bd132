"""What lets compilers come to the same result sooner: headers that were read beforehand, and a faster linker."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import logging
import os
import re
import shutil
import stat
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from sandbox_service.contract.limits import Limits
from sandbox_service.contract.parse import dumps
from sandbox_service.contract.run import File, RunRequest
from sandbox_service.executor import SHARED, Executor, ExecutorError
from sandbox_service.languages import Language
from sandbox_service.policy import Policy
from sandbox_service.worker.job import Job
from sandbox_service.worker.tools import PREFIX as TOOLS

log = logging.getLogger(__name__)
HEADER_BYTES = 256 << 20
LOOK_SECONDS = 2.0
KEPT_SECONDS = 86400.0
# A comment that goes on after a backslash is left: what follows is no first include then.
_SKIPPED = re.compile(rb"\s+|//[^\n\\]*\n|/\*.*?\*/", re.DOTALL)
_INCLUDE = re.compile(rb"#[ \t]*include[ \t]*<([^>\n]+)>")


class Shortcuts:
    """Additions to the compilers' commands. They change no verdict: the compiler itself sees whether they fit.

    Args:
        folder: where headers lie that were read, beside each other for all workers of this host and user; the sandboxes
            have it at `SHARED`. `None`: there are none.
        root: whose programs the sandboxes have.
    """

    def __init__(self, folder: Path | None, root: Path = Path("/")) -> None:
        self._folder, self._root = folder, root
        self._places: dict[str, str] = {}

    def __call__(self, job: Job) -> list[str]:
        """What to add to the command that compiles a submission.

        Nothing where a test text is compiled with it: there the linker has a part in what keeps the two apart.
        """
        if job.together:
            return []
        linker = job.language.linker
        linked = linker.arguments if linker and (self._root / linker.path.lstrip("/")).exists() else []
        return [*self._headers(job), *linked]

    def _headers(self, job: Job) -> list[str]:
        headers, sources = job.language.headers, job.language.sources(job.submission)
        if not headers or not self._folder or len(sources) != 1 or job.language.id not in self._places:
            return []
        name = first_include(job.files[sources[0]].content)
        flags = [flag for flag in job.submission.compile_flags if flag not in headers.neutral]
        if name not in headers.names or flags not in headers.flags:
            return []
        place = self._place(job.language, flags)
        # Searched before the system's own, and after nothing: the submission's files are not among them.
        return ["-isystem", f"{SHARED}/{place}"] if (self._folder / place / f"{name}.gch").exists() else []

    def _place(self, language: Language, flags: list[str]) -> str:
        return f"{self._places[language.id]}/{'_'.join(flags) or 'usual'}"

    async def make(self, executor: Executor, languages: Iterable[Language], policy: Policy, toolchain: str) -> None:
        """Read all headers that were not read yet; takes seconds of CPU time for each.

        Args:
            executor: whose sandboxes have the folder. Nothing but texts of ours is compiled here.
            languages: those that can be run.
            policy: its highest limits hold.
            toolchain: a digest of the compilers.
        """
        for language in languages:
            if not self._folder or not language.headers:
                continue
            digest = hashlib.sha256(dumps([toolchain, language.headers.compile])).hexdigest()[:16]
            self._places[language.id] = f"{language.id}-{digest}"
            try:
                await self._make(executor, language, policy)
            except (OSError, ExecutorError) as error:
                log.warning("headers of %s are not read beforehand: %s", language.id, error)

    async def _make(self, executor: Executor, language: Language, policy: Policy) -> None:
        assert self._folder is not None  # noqa: S101
        assert language.headers is not None  # noqa: S101
        folder = self._folder / self._places[language.id]
        _make_folder(folder)
        os.utime(folder)
        _forget_old(self._folder)
        for flags in language.headers.flags:
            place = self._folder / self._place(language, flags)
            for name in language.headers.names:
                # Where no sandbox sees it: whoever can read a file can lock it.
                async with _alone(self._folder.with_name(f"{language.id}.lock")):
                    if not (place / f"{name}.gch").exists():
                        await _read(executor, language, policy, flags, place, name)


def first_include(text: bytes) -> str | None:
    """The header that a program includes before anything else stands in it; later ones cannot be read beforehand."""
    at = 0
    while skipped := _SKIPPED.match(text, at):
        at = skipped.end()
    found = _INCLUDE.match(text, at)
    return found[1].decode("latin-1") if found else None


def shared_folder() -> Path | None:
    """A folder that sandboxes can be given, as their user can reach it; `None` if there can be none."""
    user = os.geteuid()
    base = Path("/var/cache/sandbox-service") if user == 0 else Path(f"/var/tmp/sandbox-service-{user}")  # noqa: S108
    try:
        _make_folder(base)
        if is_ours(base):
            _make_folder(base / "headers")
            return base / "headers"
        log.warning("%s is not ours alone: no headers are read beforehand", base)
    except OSError as error:
        log.info("no headers are read beforehand: %s", error)
    return None


def is_ours(folder: Path) -> bool:
    """Whether this is a folder, and nobody but this user can write to it."""
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o022


def _make_folder(folder: Path) -> None:
    """Make a folder that all may read, whatever the mask, unless it is there."""
    with suppress(FileExistsError):
        folder.mkdir()
        folder.chmod(0o755)


async def _read(
    executor: Executor, language: Language, policy: Policy, flags: list[str], place: Path, name: str
) -> None:
    _, limits = policy.resolve(Limits(compile=policy.caps.compile))
    request = RunRequest(
        [word.encode() for word in language.headers_command(flags)],
        limits,
        {"header.h": File(f"#include <{name}>\n".encode())},
        environment=language.environment,
        collect=("header.gch",),
        collect_each=HEADER_BYTES,
        collect_total=HEADER_BYTES,
    )
    log.info("%s of %s %s is being read, once on this host, beside whatever runs", name, language.id, " ".join(flags))
    sandbox = await executor.open()
    try:
        outcome = await sandbox.run(request)
    finally:
        await sandbox.close(reuse=False)
    if outcome.exit_code != 0 or "header.gch" not in outcome.files:
        raise ExecutorError("headers", outcome.stderr.decode("utf-8", "replace")[:300] or "the compiler made nothing")
    for parent in reversed((place / name).parents[: len(Path(name).parts)]):
        _make_folder(parent)
    # A program that includes it twice finds this the second time.
    await asyncio.to_thread(_write, place / name, f"#include_next <{name}>\n".encode())
    await asyncio.to_thread(_write, place / f"{name}.gch", outcome.files["header.gch"])
    log.info("%s of %s %s is read, in %.1f s", name, language.id, " ".join(flags), outcome.cpu_seconds)


def _write(path: Path, content: bytes) -> None:
    """All of it or nothing, whoever looks."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(content)
        unfinished.chmod(0o644)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


@asynccontextmanager
async def _alone(lock: Path) -> AsyncIterator[None]:
    """Several workers that start together do not all do the same."""
    with lock.open("wb") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                await asyncio.sleep(LOOK_SECONDS)
        yield


def _forget_old(folder: Path) -> None:
    """What no worker asked for in a day belongs to a toolchain that is gone; who has it still does without."""
    for other in folder.iterdir():
        if other.name.startswith(TOOLS):  # a worker that runs for days could not judge without them
            continue
        with suppress(FileNotFoundError):
            if other.stat().st_mtime < time.time() - KEPT_SECONDS:
                shutil.rmtree(other, ignore_errors=True)
