"""Answers: a text is judged, nothing of it is run."""

from __future__ import annotations

import asyncio
import time

from sandbox_service.contract.answer import AnswerTask
from sandbox_service.judge import answer, mathematics
from sandbox_service.worker.job import Job
from sandbox_service.worker.room import Room
from sandbox_service.worker.tools import Tools


async def judge(job: Job, task: AnswerTask, room: Room, tools: Tools) -> None:
    """Judge a response, and add its only case to the job.

    Args:
        job: the submission.
        task: its task.
        room: where mathematics is looked at.
        tools: of this worker.

    Raises:
        TaskError: what is expected is nothing that can be compared with.
        InfraFailure: this worker has no math-verify, and needs it.
        ExecutorError: we failed.
    """
    began = time.monotonic()
    given = answer.answer_of(task)
    finding = await asyncio.to_thread(answer.judge, task, given)
    if finding is None:
        assert given is not None  # noqa: S101
        finding = await mathematics.same(room.run, await tools.math(), job.examiner_limits, task, given)
    job.seconds["judge"] += time.monotonic() - began
    job.add("0", finding, None)
