"""Whether a task is worth training on: what is run to find out, and what is wrong with it. Pure.

A right program must pass, each time; wrong ones and the empty program must not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from sandbox_service.contract.base import Bytes, Model, from_bytes
from sandbox_service.contract.limits import whole
from sandbox_service.contract.result import Result
from sandbox_service.contract.submission import ANSWER
from sandbox_service.contract.verdict import Verdict

MAX_REPEATS, MAX_WRONG = 10, 10
FaultKind = Literal["reference_fails", "flaky", "wrong_passes", "empty_passes", "not_judged"]
Role = tuple[Literal["reference", "wrong", "empty"], int]
"""What a program is there for, and which one of those."""


class ValidationRequest(Model):
    """A task as a submission without its program, and programs of which it is known whether they are right.

    `repeats`: how often each program is run; the empty program is added.
    """

    submission: dict[str, Any]
    reference: Bytes
    wrong: Annotated[list[Bytes], Field(max_length=MAX_WRONG)] = []
    repeats: Annotated[int, Field(ge=1, le=MAX_REPEATS), BeforeValidator(whole)] = 3
    id: Annotated[str, Field(max_length=256)] | None = None


class Fault(Model):
    """Something that is wrong with a task. `program` is the number of the wrong program, where one is to blame."""

    kind: FaultKind
    detail: str
    program: int | None = None


class Validation(Model):
    """What came of it: `valid` without faults; with any, the task belongs in quarantine."""

    id: str | None = None
    valid: bool
    faults: list[Fault]
    runs: int


def expand(request: ValidationRequest) -> list[tuple[Role, dict[str, Any]]]:
    """The submissions that tell whether a task is valid, each with its role; none of them is answered from a cache."""
    programs: list[tuple[Role, bytes]] = [(("reference", 0), request.reference)]
    programs += [(("wrong", number), program) for number, program in enumerate(request.wrong)]
    programs.append((("empty", 0), b""))
    return [(role, _body(request.submission, program)) for role, program in programs for _ in range(request.repeats)]


def judge(request: ValidationRequest, roles: Sequence[Role], results: Sequence[Result]) -> Validation:
    """What is wrong with a task, of the results of what `expand` gave, in its order."""
    by_role: dict[Role, list[Result]] = {}
    for role, result in zip(roles, results, strict=True):
        by_role.setdefault(role, []).append(result)
    faults = [fault for role, each in by_role.items() for fault in _faults(role, each)]
    return Validation(id=request.id, valid=not faults, faults=faults, runs=len(results))


def _faults(role: Role, results: Sequence[Result]) -> list[Fault]:
    kind, number = role
    program = number if kind == "wrong" else None
    if lost := next((result for result in results if result.verdict is None), None):
        why = lost.infra_error.message if lost.infra_error else lost.state
        return [Fault(kind="not_judged", detail=f"{kind}: {why}", program=program)]
    found = []
    endings = {(result.verdict, result.reward, result.passed) for result in results}
    if len(endings) > 1:
        told = ", ".join(sorted(f"{verdict} ({passed} passed)" for verdict, _, passed in endings))
        found.append(Fault(kind="flaky", detail=f"{kind}: {told}", program=program))
    passes = [result.verdict is Verdict.ACCEPTED for result in results]
    if kind == "reference" and not any(passes):
        detail = next((case.message for case in results[0].cases if case.message), None)
        found.append(Fault(kind="reference_fails", detail=f"{results[0].verdict}: {detail or 'no message'}"))
    if kind != "reference" and all(passes):
        wrong: FaultKind = "wrong_passes" if kind == "wrong" else "empty_passes"
        found.append(Fault(kind=wrong, detail=f"{kind} program is accepted", program=program))
    return found


def _body(submission: Mapping[str, Any], program: bytes) -> dict[str, Any]:
    text = from_bytes(program)
    task: Any = submission.get("task")
    is_answer = isinstance(task, dict) and task.get("type") == ANSWER
    own: dict[str, Any] = {"task": task | {"response": text}} if is_answer else {"code": text}
    rest = {name: value for name, value in submission.items() if name not in ("code", "files", "entrypoint")}
    return rest | own | {"cache": False}
