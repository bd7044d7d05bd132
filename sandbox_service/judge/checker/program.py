"""From a checker's text to one that is ready to run: once for all cases of a submission."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from importlib import resources

from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import File, RunRequest
from sandbox_service.contract.submission import Submission
from sandbox_service.judge.pattern import TaskError
from sandbox_service.judge.verdict import compile_failure
from sandbox_service.languages import Language

Run = Callable[[RunRequest], Awaitable[Outcome]]
"""Runs a command in a clean sandbox of its own."""

INPUT, OUTPUT, EXPECTED = "input.txt", "output.txt", "expected.txt"
MAX_WORDS = 500
MAX_PROGRAM_BYTES = 64 << 20
"""What all outputs of a compiler may have together."""

# By language: the file that makes 3 of an uncaught exception, and what makes the interpreter load it first.
_UNCAUGHT: dict[str, tuple[str, list[bytes]]] = {
    "python": ("uncaught.py", [b"uncaught.py"]),
    "javascript": ("uncaught.cjs", [b"-r", b"./uncaught.cjs"]),
}


@dataclass(frozen=True, slots=True)
class Checker:
    """A checker that is ready to run.

    Attributes:
        command: its argument list; the names of the three files are its last.
        files: what it needs in its work dir beside them.
        environment: further variables.
    """

    command: list[bytes]
    files: dict[str, File]
    environment: dict[str, str]


async def prepare(
    run: Run,
    language: Language,
    code: bytes,
    limits: RunLimits,
    arguments: Sequence[str] = (INPUT, OUTPUT, EXPECTED),
) -> Checker:
    """Make a checker ready to run: compile it, where its language does.

    Args:
        run: where the compiler runs.
        language: the checker's.
        code: its text, one file.
        limits: the compiler's.
        arguments: the last of its command.

    Raises:
        TaskError: it does not compile; the message quotes the compiler.
        ExecutorError: we failed; from `run`.
    """
    submission = Submission(language=language.id, code=code)
    files = {language.entrypoint(submission): File(code)}
    command = language.run_command(submission, [], limits)
    if language.compile is not None:
        compiler = [item.encode("utf-8", "surrogatepass") for item in language.compile_command(submission)]
        files = await _compiled(run, language, RunRequest(compiler, limits, files, environment=language.environment))
    if language.id in _UNCAUGHT:
        name, options = _UNCAUGHT[language.id]
        files[name] = File((resources.files("sandbox_service.judge") / "inside" / language.id / name).read_bytes())
        command[-1:] = [*options, command[-1]]
    return Checker([*command, *(name.encode() for name in arguments)], files, language.environment)


async def _compiled(run: Run, language: Language, request: RunRequest) -> dict[str, File]:
    most = min(request.limits.disk_bytes, MAX_PROGRAM_BYTES)
    outcome = await run(replace(request, collect=tuple(language.outputs), collect_each=most, collect_total=most))
    why = compile_failure(outcome, request.limits)
    if why is None and len(outcome.files) < len(language.outputs):
        why = f"the compiler made no program, or one larger than {most} bytes"
    if why is not None:
        raise TaskError(f"the checker does not compile: {why}: {words(outcome)}")
    return {name: File(content, executable=True) for name, content in outcome.files.items()}


def words(outcome: Outcome) -> str:
    """What a program wrote, at most 500 characters; stderr first, which testlib and compilers write to."""
    said = b"\n".join(filter(None, (outcome.stderr.strip(), outcome.stdout.strip())))
    return said[: 4 * MAX_WORDS].decode("utf-8", "replace")[:MAX_WORDS]
