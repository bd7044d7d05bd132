"""Whether two formulas are the same: math-verify, in a sandbox with limits of its own."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable

from sandbox_service.contract.answer import AnswerTask, expected_text
from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.parse import dumps
from sandbox_service.contract.run import RunRequest
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge.finding import ACCEPTED, Finding
from sandbox_service.judge.inside import analysis
from sandbox_service.judge.pattern import TaskError

CPU_SECONDS, WALL_SECONDS, MEMORY_BYTES = 20.0, 60.0, 512 << 20
MAX_ANSWER = 4096
# What no formula has, and what a text must have to be more than a formula to Python, which some of it is handed to.
_PROGRAM = re.compile(r"__|[\"'`@;]|[A-Za-z_)\]}]\s*\.\s*[A-Za-z_]|\b(?:lambda|import|eval|exec|open|getattr)\b")
DIFFERENT = Finding(Verdict.WRONG_ANSWER, "the answer is not the same mathematically")


async def same(
    run: Callable[[RunRequest], Awaitable[Outcome]], folder: str, limits: RunLimits, task: AnswerTask, answer: str
) -> Finding:
    """Whether an answer is what is expected, mathematically.

    Args:
        run: runs a command in a clean sandbox of its own.
        folder: of math-verify, inside it.
        limits: the most that is allowed there.
        task: of mode `math`.
        answer: hostile.

    Raises:
        TaskError: what is expected is nothing that math-verify can read.
        ExecutorError: we failed; from `run`.
    """
    if len(answer) > MAX_ANSWER or _PROGRAM.search(answer):
        return DIFFERENT
    wanted = expected_text(task)
    own = {"cpu_seconds": CPU_SECONDS, "wall_seconds": WALL_SECONDS, "memory_bytes": MEMORY_BYTES}
    least = limits.model_copy(update={name: min(getattr(limits, name), most) for name, most in own.items()})
    for given in (answer, wanted):
        nonce = secrets.token_hex(16)
        told = {"folder": folder, "answer": given, "expected": wanted, "nonce": nonce}
        outcome = await run(RunRequest(list(analysis.command(analysis.MATHEMATICS)), least, stdin=dumps(told)))
        said = outcome.stdout.decode("utf-8", "replace").strip()
        if outcome.exit_code == 0 and said in (f"{nonce} same", f"{nonce} different"):
            if given is wanted and said.endswith("different"):
                break
            return ACCEPTED if given is answer and said.endswith("same") else DIFFERENT
    raise TaskError("what is expected is no formula that math-verify can read")
