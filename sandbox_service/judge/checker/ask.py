"""Ask a checker about an output, and see who is to blame where it fails.

The output is hostile. A checker that fails on it is run once more, on an output that does no harm: if it gets along
with that, the output was to blame, and with it the solution; if it does not, the checker is.

Harmless is the expected output. But to some checkers that is only data of their own, and no output that they could
read: then an empty one, or a number. Whatever one of these shows to be sound is: else a solution could bring about a
failure that is nobody's.
"""

from __future__ import annotations

from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import File, RunRequest
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge.checker.points import points_of
from sandbox_service.judge.checker.program import EXPECTED, INPUT, OUTPUT, Checker, Run, words
from sandbox_service.judge.finding import ACCEPTED, Finding
from sandbox_service.judge.pattern import TaskError
from sandbox_service.judge.verdict import compile_failure

RIGHT, WRONG, POINTS = 0, (1, 2), 7
BENIGN = (b"", b"0\n")
LARGE_OUTPUT = 1 << 20
"""A checker that met a limit on more than this had too much to read, rather than something odd."""


class CheckerError(TaskError):
    """A checker that fails on harmless outputs too.

    Attributes:
        words: its own, at most 500 characters; they may give the expected output away.
    """

    def __init__(self, message: str, words: str) -> None:
        super().__init__(message)
        self.words = words


async def check(
    run: Run, checker: Checker, limits: RunLimits, *, input: bytes, output: bytes, expected: bytes
) -> Finding:
    """Ask a checker about an output.

    Args:
        run: where it runs.
        checker: from `prepare`.
        limits: what the checker is held to.
        input: the case's standard input.
        output: all that the solution wrote to stdout.
        expected: the right output, or one of them.

    Returns:
        Its opinion. What a checker says, at most 500 characters, stands under `expected`: it may give that away.

    Raises:
        CheckerError: the checker fails on harmless outputs too.
        ExecutorError: we failed; from `run`.
    """
    outcome = await run(_request(checker, limits, input, output, expected))
    if (score := _score(outcome, limits)) is not None:
        return _finding(score, outcome)
    for benign in (expected, *BENIGN):
        control = await run(_request(checker, limits, input, benign, expected))
        if (score := _score(control, limits)) is not None:
            break
    else:
        why = _failure(control, limits)
        raise CheckerError(f"the checker failed, on harmless outputs too: {why}", words(control))
    if output == benign:  # the very output that it could not read before
        return _finding(score, control)
    too_much = len(output) > LARGE_OUTPUT and _met_limit(outcome, limits)
    verdict = Verdict.OUTPUT_LIMIT_EXCEEDED if too_much else Verdict.WRONG_ANSWER
    return Finding(verdict, "the checker could not read this output", expected=words(outcome) or None)


def _request(checker: Checker, limits: RunLimits, input: bytes, output: bytes, expected: bytes) -> RunRequest:
    given = {INPUT: File(input), OUTPUT: File(output), EXPECTED: File(expected)}
    return RunRequest(checker.command, limits, checker.files | given, environment=checker.environment)


def _finding(score: float, outcome: Outcome) -> Finding:
    if score == 1.0:
        return ACCEPTED
    message = "the checker gives a part of the points" if score else "the checker rejects the output"
    return Finding(Verdict.WRONG_ANSWER, message, expected=words(outcome) or None, score=score or None)


def _score(outcome: Outcome, limits: RunLimits) -> float | None:
    """The points that a checker gave; `None` if it failed."""
    if outcome.security_violation or _met_limit(outcome, limits):
        return None
    if outcome.exit_code == POINTS:
        return points_of(outcome.stderr, outcome.stdout)
    return 1.0 if outcome.exit_code == RIGHT else 0.0 if outcome.exit_code in WRONG else None


def _met_limit(outcome: Outcome, limits: RunLimits) -> bool:
    return (
        outcome.killed_by is not None
        or outcome.stdout_truncated
        or outcome.stderr_truncated
        or outcome.cpu_seconds > limits.cpu_seconds
        or (outcome.out_of_memory and outcome.exit_code != RIGHT)
    )


def _failure(outcome: Outcome, limits: RunLimits) -> str | None:
    if outcome.exit_code == POINTS and not _met_limit(outcome, limits):
        return "it names no points from 0 to 1"
    return compile_failure(outcome, limits)
