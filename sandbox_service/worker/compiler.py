"""Compiling: once a program, whatever it is then run with. What a compiler made is kept for the next identical one."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.parse import dumps
from sandbox_service.contract.result import CompileResult
from sandbox_service.contract.run import RunRequest
from sandbox_service.judge import compile_failure, cpp
from sandbox_service.worker.job import Job
from sandbox_service.worker.room import Room

LINKER = re.compile(rb"^(?:/usr/bin/)?mold: ", re.MULTILINE)
MAX_COMPILER_BYTES = 64 << 10
"""Of each output of a compiler; nobody reads the thousandth error, and a result has other things to hold."""
MAX_PROGRAM_BYTES = 64 << 20
"""What all outputs of a compiler may have together: the worker holds them for as long as the submission runs."""
CACHE_BYTES = 256 << 20
ENTRY_BYTES = 4096
"""What one entry of the cache takes beside its texts, at most."""


class Compiler:
    """Compiles programs in sandboxes. What it makes is kept in memory, as bytes: nothing there has a path.

    Args:
        faster: gives what to add to a compiler's command so that it comes to the same sooner.
        most_bytes: of all that is kept; the least used make room. 0: nothing is.
    """

    def __init__(self, faster: Callable[[Job], Sequence[str]] = lambda _: (), most_bytes: int = CACHE_BYTES) -> None:
        self._faster, self._most_bytes = faster, most_bytes
        self._kept: OrderedDict[bytes, Outcome] = OrderedDict()
        self._bytes = 0
        self._running: dict[bytes | None, asyncio.Future[None]] = {}

    async def compile(self, job: Job, room: Room) -> tuple[Outcome, CompileResult]:
        """Compile a submission, or take what an identical program was compiled to.

        Raises:
            ExecutorError: we failed.
        """
        digest = _digest(job) if job.policy.cache and self._most_bytes else None
        if digest in self._running:
            await asyncio.wait([self._running[digest]])
        if digest and (kept := self._kept.get(digest)):
            self._kept.move_to_end(digest)
            return kept, _result(job, kept).model_copy(update={"cached": True})
        with self._awaited(digest):
            faster = self._faster(job)
            outcome = await room.run(_request(job, faster))
            if faster and _doubtful(outcome):
                outcome = await room.run(_request(job, ()))
            if digest and _repeatable(outcome, room):
                self._keep(digest, outcome)
        job.seconds["compile"] = outcome.wall_seconds
        return outcome, _result(job, outcome)

    @contextmanager
    def _awaited(self, digest: bytes | None) -> Iterator[None]:
        """Others wait for the first; if what it comes to is not kept, each of them compiles for itself."""
        if digest is None or digest in self._running:
            yield
            return
        ended = self._running[digest] = asyncio.get_running_loop().create_future()
        try:
            yield
        finally:
            del self._running[digest]
            ended.set_result(None)

    def _keep(self, digest: bytes, outcome: Outcome) -> None:
        if digest in self._kept:  # by another that did not wait
            return
        self._kept[digest] = outcome
        self._bytes += _size(outcome)
        while self._bytes > self._most_bytes:
            self._bytes -= _size(self._kept.popitem(last=False)[1])


def _digest(job: Job) -> bytes:
    """Of all that a compiler is given. The worker's own part, its toolchain, is the same for as long as it lives."""
    terms = [job.tenant, job.policy.digest, job.compile_limits.model_dump(), job.language.environment, _command(job)]
    found = hashlib.sha256(dumps([*terms, job.language.outputs]))
    for name, file in job.files.items():
        path = name.encode("utf-8", "surrogatepass")
        found.update(b"%d %d %d " % (len(path), len(file.content), file.executable) + path + file.content)
    return found.digest()


def _repeatable(outcome: Outcome, room: Room) -> bool:
    """Whether it would come to the same: what a compiler says of the program, not how far it got with it."""
    ended = outcome.killed_by is None and not outcome.out_of_memory and not outcome.security_violation
    # Where nobody counts memory, a compiler that has none left says so in words of its own.
    errors = (0, 1) if room.isolation and "memory" not in room.isolation.degraded else (0,)
    return ended and outcome.exit_code in errors and not outcome.files_cut


def _doubtful(outcome: Outcome) -> bool:
    """Whether a shortcut may be to blame: it is named, or the compiler itself broke down."""
    named = LINKER.search(outcome.stderr) is not None or b".gch" in outcome.stderr
    return outcome.killed_by is None and outcome.exit_code != 0 and (named or outcome.exit_code != 1)


def _size(outcome: Outcome) -> int:
    return ENTRY_BYTES + len(outcome.stdout) + len(outcome.stderr) + sum(map(len, outcome.files.values()))


def _command(job: Job) -> list[str]:
    if not job.together:
        return job.language.compile_command(job.submission)
    _, *others = job.language.sources(job.submission)
    words = job.language.compile_command(job.submission, [*job.together.sources, *others])
    return [*words, *job.together.arguments]


def _request(job: Job, faster: Sequence[str]) -> RunRequest:
    compiler, *words = _command(job)
    most = min(job.compile_limits.disk_bytes, MAX_PROGRAM_BYTES)
    return RunRequest(
        [item.encode("utf-8", "surrogatepass") for item in (compiler, *faster, *words)],
        job.compile_limits,
        job.files,
        environment=job.language.environment,
        collect=tuple(job.language.outputs),
        collect_each=most,
        collect_total=most,
    )


def _result(job: Job, outcome: Outcome) -> CompileResult:
    message = compile_failure(outcome, job.compile_limits)
    if message is None and len(outcome.files) < len(job.language.outputs):
        message = f"the compiler made no program, or one larger than {MAX_PROGRAM_BYTES} bytes"
    if message is None and job.together:
        (binary,) = outcome.files.values()
        message = cpp.refusal(binary, job.language.id)
    return CompileResult(
        ok=message is None,
        exit_code=outcome.exit_code,
        cpu_seconds=outcome.cpu_seconds,
        wall_seconds=outcome.wall_seconds,
        memory_bytes=outcome.memory_bytes,
        stdout=_words(outcome.stdout),
        stderr=_words(outcome.stderr),
        message=message,
    )


def _words(output: bytes) -> str:
    text = output[:MAX_COMPILER_BYTES].decode("utf-8", "replace")
    return text if len(output) <= MAX_COMPILER_BYTES else f"{text}\n[{len(output) - MAX_COMPILER_BYTES} bytes more]"
