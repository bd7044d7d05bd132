"""Analyses of a submission's text, each in a sandbox: the text may be made to break whoever reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sandbox_service.contract.parse import dumps
from sandbox_service.contract.reward import CompliancePart, ImpactPart
from sandbox_service.contract.run import File, RunRequest
from sandbox_service.executor import ExecutorError
from sandbox_service.judge.inside import analysis
from sandbox_service.reward import Analysed, Impact
from sandbox_service.worker.job import Job
from sandbox_service.worker.room import Room
from sandbox_service.worker.tools import Tools

BENIGN = {"main.py": b"x = 1\n"}
BROKE = "the analysis could not be made of this text"
GIVEN = "given"


async def compliance(part: CompliancePart, job: Job, room: Room, tools: Tools) -> Analysed:
    """What the checks of a component count.

    Raises:
        InfraFailure: there is no ruff here, and `rules` are asked for.
        ExecutorError: we failed.
    """
    files = _python(job)
    if not files:
        return Analysed(fault="there is no Python text")
    asked = {"max_complexity": part.max_complexity}
    told = await _analyse(analysis.COMPLIANCE, asked, {"files": files}, {"files": BENIGN}, job, room)
    if told is None or "fault" in told:
        return Analysed(fault=BROKE if told is None else str(told["fault"]))
    counts = {name: (int(right), int(every)) for name, (right, every) in told["counts"].items()}
    if "rules" in part.checks:
        rules = await _rules(part, files, job, room, await tools.ruff())
        if rules is None:
            return Analysed(fault=BROKE)
        counts["rules"] = rules
    return Analysed(counts)


async def impact(part: ImpactPart, job: Job, room: Room) -> Impact:
    """What the change from a component's base to the submission touches.

    Raises:
        ExecutorError: we failed.
    """
    texts = {"base": part.base, "files": _python(job)}
    told = await _analyse(analysis.IMPACT, {}, texts, {"base": BENIGN, "files": BENIGN}, job, room)
    if told is None or "fault" in told:
        return Impact(fault=BROKE if told is None else str(told["fault"]))
    changed, dependents, to_adapt = (frozenset(told[name]) for name in ("changed", "dependents", "to_adapt"))
    return Impact(changed, dependents, to_adapt)


def _python(job: Job) -> dict[str, bytes]:
    return {name: file.content for name, file in job.files.items() if name.endswith(".py")}


async def _analyse(
    parts: tuple[str, ...],
    asked: Mapping[str, Any],
    texts: Mapping[str, Mapping[str, bytes]],
    benign: Mapping[str, Mapping[str, bytes]],
    job: Job,
    room: Room,
) -> dict[str, Any] | None:
    """What an analysis tells; `None` if this text breaks it, though it works on a benign one."""
    for given in (texts, benign):
        decoded = {
            name: {path: text.decode("utf-8", "replace") for path, text in files.items()}
            for name, files in given.items()
        }
        request = RunRequest(
            list(analysis.command(parts)),
            job.examiner_limits,
            stdin=dumps(decoded | dict(asked)),
            warm=True,
            kept=True,
        )
        outcome = await room.run(request)
        if outcome.exit_code == 0 and not outcome.stdout_truncated and not outcome.killed_by:
            found: dict[str, Any] = json.loads(outcome.stdout)
            return found if given is texts else None
    raise ExecutorError("analysis", f"an analysis fails on a benign text: {outcome.stderr[-300:]!r}")


async def _rules(
    part: CompliancePart, files: Mapping[str, bytes], job: Job, room: Room, ruff: bytes
) -> tuple[int, int] | None:
    """Lines of code without a finding, and all lines of code; `None` if this text breaks ruff."""
    options = ("--isolated", "--no-cache", "--ignore-noqa", "--exit-zero", "--output-format=json")
    command = [ruff, b"check", *(word.encode() for word in (*options, f"--select={','.join(part.select)}", GIVEN))]
    for given in (files, BENIGN):
        laid = {f"{GIVEN}/{name}": File(content) for name, content in given.items()}
        # One thread: a run owns one core.
        environment = {"RAYON_NUM_THREADS": "1"}
        outcome = await room.run(RunRequest(command, job.examiner_limits, laid, environment=environment))
        if outcome.exit_code == 0 and not outcome.stdout_truncated and not outcome.killed_by:
            break
    else:
        raise ExecutorError("analysis", f"ruff fails on a benign text: {outcome.stderr[-300:]!r}")
    if given is not files:
        return None
    lines = sum(1 for content in files.values() for line in content.splitlines() if line.strip())
    # A finding may stand on a blank line, at the end of the text say.
    found = {(item["filename"], (item["location"] or {}).get("row")) for item in json.loads(outcome.stdout)}
    return max(lines - len(found), 0), lines
