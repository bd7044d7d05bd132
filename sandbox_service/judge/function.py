"""Function tasks: what goes to the program in the sandbox, and what becomes of what it sends.

Beside the solution's files runs `inside/python/call.py`, which calls the function. What it is told are the entry point
and the arguments; what it sends is data, and compared out here. So all that a solution can do to the process that it
shares with the call is to make it send another value.
"""

from __future__ import annotations

import functools
from importlib import resources
from typing import Any

from sandbox_service.contract import parse
from sandbox_service.contract.task import FunctionCase, FunctionTask, ValueCompare
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge.compare import check_expected, matches
from sandbox_service.judge.document import MAX_BYTES
from sandbox_service.judge.equal import equal
from sandbox_service.judge.finding import ACCEPTED, Finding
from sandbox_service.judge.values import ValueFault, brief, decode, text

MAX_ANSWER_BYTES = MAX_BYTES
"""What of an answer is looked at; who reads it may stop one byte later."""
NOT_JSON = "the value is not one that JSON can hold"


@functools.cache
def call_source() -> str:
    """The program that calls the function, to be run as `python3 -c SOURCE FILE` in the solution's work dir.

    It reads a `request` from descriptor 3 and sends its answer to descriptor 4.
    """
    folder = resources.files("sandbox_service.judge") / "inside" / "python"
    parts = {name: (folder / f"call_{name}.py").read_text("utf-8") for name in ("nodes", "write")}
    return f"PARTS = {parts!r}\n" + (folder / "call.py").read_text("utf-8")


def request(task: FunctionTask, case: FunctionCase) -> bytes:
    """What the program in the sandbox is told of a case: nothing of what is expected."""
    told = {"entry_point": task.entry_point, "result_from": task.result_from, "args": case.args, "kwargs": case.kwargs}
    return parse.dumps(told)


def check_cases(task: FunctionTask) -> None:
    """Check what is expected before anything runs, so that a broken task fails every solution alike.

    Raises:
        TaskError: a pattern of mode `regex` is not valid.
    """
    if task.compare.mode == "regex":
        for case in task.cases:
            check_expected(task.compare, _text(case.expected) or b"")


def check(compare: ValueCompare, case: FunctionCase, data: bytes) -> Finding:
    """Judge what a run sent that was clean otherwise. Takes seconds for megabytes.

    Args:
        compare: any mode but `checker`.
        case: the case that was run.
        data: all that came from descriptor 4, or more of it than `MAX_ANSWER_BYTES`. Hostile.
    """
    try:
        value = decode(data)
    except ValueFault as fault:
        return Finding(fault.verdict, str(fault))
    wrong = _compare(compare, value, case.expected)
    return Finding(Verdict.WRONG_ANSWER, wrong, brief(value), brief(case.expected)) if wrong else ACCEPTED


def checker_files(case: FunctionCase, data: bytes) -> tuple[bytes, bytes, bytes]:
    """What a checker is to read: input, output and expected output, as JSON texts.

    Args:
        case: the case that was run.
        data: as for `check`.

    Raises:
        ValueFault: what was sent is no value, or none that JSON can hold.
    """
    output = text(decode(data))
    if output is None:
        raise ValueFault("garbage", NOT_JSON)
    given = parse.dumps({"args": case.args, "kwargs": case.kwargs})
    return given, output, parse.dumps(case.expected)


def _compare(compare: ValueCompare, value: Any, expected: Any) -> str | None:
    texts = isinstance(value, str) and isinstance(expected, str)
    if compare.mode == "equal" or (compare.mode == "float" and not texts):
        return equal(value, expected, compare)
    output, wanted = _text(value), _text(expected)
    if output is None or wanted is None:
        return NOT_JSON
    return matches(compare, output, wanted)


def _text(value: Any) -> bytes | None:
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else text(value)
