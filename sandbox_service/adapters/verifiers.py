"""verifiers 0.4 (v1 API), and prime-rl with it: a module of yours that exports `SandboxTaskset` is a taskset.

What we failed raises `SandboxError`, which verifiers records on the trace: the rollout is no training data.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import verifiers.v1 as vf

from sandbox_service.adapters import _core
from sandbox_service.client import AsyncClient

__all__ = ["SandboxTaskset"]


class SandboxTaskData(vf.TaskData):
    """A row: `prompt`, and its tests in a notation of `ground_truth`."""

    tests: Any


class SandboxTaskConfig(vf.TaskConfig):
    """Where the service is, and fields of every submission, such as `language`."""

    url: str | None = None
    key: str | None = None
    patience: float = 60.0
    fields: dict[str, Any] = {}


class SandboxTask(vf.Task[SandboxTaskData, vf.State, SandboxTaskConfig]):
    """A program is asked for, and run by the service."""

    @vf.reward(weight=1.0)
    async def sandbox(self, trace: vf.Trace) -> float:
        """The reward of the last answer."""
        config = self.config
        asked = _core.wanted(trace.last_reply, self.data.tests, config.fields)
        async with AsyncClient(config.url, config.key, patience=config.patience) as client:
            (result,) = await _core.results(client, [asked])
        if result.reward is None:
            raise vf.SandboxError(_core.why(result))
        return float(result.reward)


class SandboxTasksetConfig(vf.TasksetConfig):
    """The file of rows: JSON lines with `prompt` and `tests`."""

    rows: Path | None = None
    task: SandboxTaskConfig = SandboxTaskConfig()


class SandboxTaskset(vf.Taskset[SandboxTask, SandboxTasksetConfig]):
    """Tasks from a file; a subclass may `load` them from elsewhere."""

    def load(self) -> Iterable[SandboxTask]:
        """Read the rows."""
        if self.config.rows is None:
            raise ValueError("name the file of rows: --env.taskset.rows FILE")
        for line in self.config.rows.read_text().splitlines():
            if line.strip():
                yield SandboxTask(SandboxTaskData(**json.loads(line)), self.config.task)
