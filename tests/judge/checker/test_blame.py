"""Who is charged: the solution, where its output was to blame; the task, where the checker is; never us."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import RunRequest
from sandbox_service.contract.verdict import Verdict
from sandbox_service.executor import ExecutorError
from sandbox_service.judge.checker import CheckerError, check
from sandbox_service.judge.finding import ACCEPTED, Finding
from tests.judge.checker.bench import LIMITS, MIB, READ, Bench

HOSTILE = b"hostile\n"
UNREADABLE = "the checker could not read this output"
FAILURES = {
    "raises": "raise ValueError(theirs)",
    "says so": "sys.exit(3)",
    "other code": "sys.exit(9)",
    "crashes": "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
    "loops": "while True: pass",
    "sleeps": "import time; time.sleep(1000)",
    "eats memory": "hoard = []\nwhile True: hoard.append(bytes(1 << 20))",
    "floods stdout": "while True: print('x' * 1000)",
    "floods stderr": "while True: print('x' * 1000, file=sys.stderr)",
    "fills the disk": "with open('full', 'wb') as file:\n  while True: file.write(bytes(1 << 20))",
    "too many processes": "import os\nwhile True:\n  if os.fork() == 0:\n    while True: pass",
    "too many points": "print('points 2'); sys.exit(7)",
    "deep": "import ast; ast.literal_eval('(' * 10**6)",
    "too long a number": "int('9' * 5000)",
}
TIGHT = {"cpu_seconds": 1.0, "wall_seconds": 3.0, "memory_bytes": 64 * MIB}


@pytest.mark.parametrize("failure", FAILURES)
async def test_what_fails_on_this_output_alone_is_charged_to_the_solution(bench: Bench, failure: str) -> None:
    code = READ + "if theirs.startswith(b'hostile'):\n" + _indented(FAILURES[failure])
    finding = await bench.ask(code, HOSTILE, **TIGHT)
    assert (finding.verdict, finding.message, finding.score) == (Verdict.WRONG_ANSWER, UNREADABLE, None)
    assert len(finding.expected or "") <= 500
    assert len(bench.requests) == 2
    # The control is the expected output, with everything else as it was.
    first, second = ({name: file.content for name, file in request.files.items()} for request in bench.requests)
    assert second == first | {"output.txt": b"42"}
    assert first["output.txt"] == HOSTILE


SLOW = ("sleeps", "loops", "too many processes")


@pytest.mark.parametrize(
    "failure", [pytest.param(name, marks=[pytest.mark.full] * (name in SLOW)) for name in FAILURES]
)
async def test_what_fails_on_everything_is_the_tasks_fault(bench: Bench, failure: str) -> None:
    with pytest.raises(CheckerError, match="on harmless outputs too"):
        await bench.ask(READ + FAILURES[failure], HOSTILE, **TIGHT)


@pytest.mark.parametrize("end", ["0", "1", "2", "7"])
async def test_any_proper_end_of_the_control_shows_that_the_checker_works(bench: Bench, end: str) -> None:
    code = READ + f"if theirs == b'41': sys.exit(3)\nprint('points 0.5')\nsys.exit({end})"
    finding = await bench.ask(code)
    assert (finding.verdict, finding.message, finding.score) == (Verdict.WRONG_ANSWER, UNREADABLE, None)


@pytest.mark.parametrize("size", [MIB, 2 * MIB])
async def test_an_output_larger_than_the_checker_can_hold(bench: Bench, size: int) -> None:
    bench.needs("memory")
    code = READ + "hoard = []\nfor byte in theirs: hoard.append(str(byte) * 30)\n"
    finding = await bench.ask(code, b"x" * size, memory_bytes=64 * MIB)
    assert finding.verdict is (Verdict.OUTPUT_LIMIT_EXCEEDED if size > MIB else Verdict.WRONG_ANSWER)


async def test_a_large_output_that_is_merely_odd_is_wrong(bench: Bench) -> None:
    assert (await bench.ask(READ + "int(theirs)", b"x" * 2 * MIB)).verdict is Verdict.WRONG_ANSWER


async def test_what_a_large_output_is_too_slow_to_read_is_charged_as_output(bench: Bench) -> None:
    code = READ + "for _ in range(1000 * len(theirs)): pass\n"
    assert (await bench.ask(code, b"x" * 2 * MIB, cpu_seconds=1.0)).verdict is Verdict.OUTPUT_LIMIT_EXCEEDED


async def test_the_very_output_of_the_control_is_not_charged(bench: Bench) -> None:
    """What fails once and works the next time, on the same data, is nobody's fault."""
    codes = iter([3, 0])

    async def run(request: RunRequest) -> Outcome:
        return replace(await bench.run(request), exit_code=next(codes))

    checker = await bench.prepare(READ + "sys.exit(theirs != right)")
    assert await check(run, checker, LIMITS, input=b"", output=b"42", expected=b"42") is ACCEPTED


@pytest.mark.parametrize(
    ("change", "fine"),
    [
        ({"killed_by": "output"}, False),
        ({"killed_by": "cpu"}, False),
        ({"killed_by": "wall"}, False),
        ({"stdout_truncated": True}, False),
        ({"stderr_truncated": True}, False),
        ({"cpu_seconds": LIMITS.cpu_seconds + 0.01}, False),
        ({"security_violation": True}, False),
        ({"out_of_memory": True, "exit_code": 1}, False),
        ({"out_of_memory": True}, True),
    ],
)
async def test_the_exit_code_is_not_all(bench: Bench, change: dict[str, Any], fine: bool) -> None:
    """A program may be through before it is noticed that it met a limit."""
    changes = iter([change, {}])

    async def run(request: RunRequest) -> Outcome:
        return replace(await bench.run(request), **next(changes))

    checker = await bench.prepare("")
    finding = await check(run, checker, LIMITS, input=b"", output=b"41", expected=b"42")
    assert finding == (ACCEPTED if fine else Finding(Verdict.WRONG_ANSWER, UNREADABLE))


async def test_our_own_failure_is_ours(bench: Bench) -> None:
    async def broken(_: RunRequest) -> Outcome:
        raise ExecutorError("sandbox_lost", "gone")

    checker = await bench.prepare("")
    with pytest.raises(ExecutorError):
        await check(broken, checker, LIMITS, input=b"", output=b"", expected=b"")


def _indented(code: str) -> str:
    return "".join(f"    {line}\n" for line in code.splitlines())


async def test_an_expected_output_that_is_none_shows_nothing(bench: Bench) -> None:
    """To this checker it is data of its own: a solution must not be let off for it."""
    code = READ + "sys.exit(0 if int(theirs or b'0') % 7 == int(right.split(b':')[1]) else 1)"
    finding = await bench.ask(code, HOSTILE, expected=b"remainder:3")
    assert (finding.verdict, finding.message) == (Verdict.WRONG_ANSWER, UNREADABLE)
