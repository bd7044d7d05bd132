"""Languages whose test texts are run apart from the solution, in a process and a sandbox of their own.

Beside the solution runs a *host*, which loads it and serves calls; in the other sandbox an *examiner*, which runs the
test text with stand-ins for what the solution defines. They talk over two pipes, and only data cross.
"""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import File, RunRequest
from sandbox_service.contract.task import AssertionsTask
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge.finding import Finding
from sandbox_service.judge.inside import javascript, python
from sandbox_service.judge.report import GONE, Report
from sandbox_service.judge.verdict import fault

BROKEN_TEXT = 3
"""The exit code of an examiner that cannot make sense of the test text."""
_WORD = re.compile(rb"[A-Za-z_]\w*", re.ASCII)
MAX_WORDS = 2000


Run = Callable[[RunRequest], Awaitable[Outcome]]
"""Runs a command in a clean sandbox of its own."""


@dataclass(frozen=True, slots=True)
class Apart:
    """How a language's test texts are run.

    Attributes:
        option: with which its interpreter takes a program as an argument.
        host: the host's source, to be run so, with the solution's file as its argument.
        examiner: the command of the examiner.
        files: the examiner's; `task.json` is added.
        kept: both are texts of which a sandbox may keep what they define; see `RunRequest`.
        benign: makes a program that defines functions of these names, which do nothing.
    """

    option: bytes
    host: bytes
    examiner: list[bytes]
    files: dict[str, bytes]
    kept: bool
    benign: Callable[[list[str]], str]

    def host_command(self, run: list[bytes]) -> list[bytes]:
        """The host's command, from that of the solution, whose last argument is its file."""
        *interpreter, file = run
        return [*interpreter, self.option, self.host, file]


def _python(names: list[str]) -> str:
    return "".join(f"def {name}(*args, **kwargs):\n    return None\n" for name in names if not keyword.iskeyword(name))


def _javascript(names: list[str]) -> str:
    # Each on its own: a reserved word must not spoil the others.
    return "".join(f"try {{ (0, eval)('var {name} = () => null') }} catch {{}}\n" for name in names)


def offers(language: str) -> bool:
    """Whether this language's test texts are run apart."""
    return language in ("python", "javascript")


async def load(language: str, run: Run, limits: RunLimits) -> Apart:
    """The tools of a language, made ready once for many submissions.

    Args:
        language: one that `offers`.
        run: where the language's own compiler runs.
        limits: what it is held to.

    Raises:
        RuntimeError: the tools do not compile: not the version of the language that they are written for.
    """
    if language == "javascript":
        source, files = javascript.host_source(), javascript.examiner_files()
        return Apart(b"-e", source.encode(), javascript.examiner_command(), files, False, _javascript)
    # Compiling them takes longer than running them.
    sources = {name: File(content) for name, content in python.compile_files().items()}
    outcome = await run(RunRequest(python.compile_command(), limits, sources, collect=("host.bin", "examiner.bin")))
    if set(outcome.files) != {"host.bin", "examiner.bin"}:
        raise RuntimeError(f"the examiner does not compile: {outcome.stderr[-500:].decode('utf-8', 'replace')}")
    host, examiner = (
        python.program(python.compiled(outcome.files[name])).encode() for name in ("host.bin", "examiner.bin")
    )
    # No other option: a Python that has started already is to take it over.
    return Apart(b"-c", host, [python.PYTHON, b"-c", examiner], {}, True, _python)


def task_file(task: AssertionsTask, program: str) -> bytes:
    """What an examiner is told, as `task.json`."""
    texts = {"code": _text(task.code), "setup": _text(task.setup), "entry_point": task.entry_point, "file": program}
    return json.dumps(texts).encode("ascii")


def control(apart: Apart, task: AssertionsTask) -> bytes:
    """A benign program for this test text: whatever name stands in it is a function that does nothing."""
    words = dict.fromkeys(_WORD.findall(task.setup + b"\n" + task.code))
    return apart.benign([word.decode("ascii") for word in list(words)[:MAX_WORDS]]).encode("ascii")


def findings(report: Report, outcome: Outcome | None, limits: RunLimits) -> list[Finding]:
    """How the cases ended, of a report that came to its end.

    Args:
        report: what the examiner told.
        outcome: of the solution's run; `None` where it had to be broken off.
        limits: what that was held to.
    """
    found = report.findings(Finding(Verdict.RUNTIME_ERROR, GONE))
    return explained(found, fault(outcome, limits) if outcome else None)


def explained(found: list[Finding], fell: Finding | None) -> list[Finding]:
    """Where cases failed because the program was no more: why it was, if a run's fault says so."""
    return [fell if fell and finding.message == GONE else finding for finding in found]


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return content.decode("utf-8", "replace")
