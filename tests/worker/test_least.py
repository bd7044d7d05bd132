"""The least that may be asked for of each limit: a program or a compiler that has too little is charged, not us."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox_service.worker.pipeline import Pipeline
from tests.worker.test_pipeline import evaluate, pipeline

__all__ = ["pipeline"]
pytestmark = pytest.mark.asyncio(loop_scope="module")
LEAST = {
    "cpu_seconds": 1e-9,
    "wall_seconds": 1e-9,
    "memory_bytes": 4096,
    "processes": 1,
    "disk_bytes": 4096,
    "output_bytes": 1,
    "stack_bytes": 4096,
    "open_files": 16,
    "inodes": 16,
}
CODE = {"python": "print(1)", "bash": "echo 1", "c": "int main(void) { return 0; }"}


@pytest.mark.parametrize("name", [*LEAST, "all"])
@pytest.mark.parametrize("language", CODE)
async def test_least(pipeline: Pipeline, language: str, name: str) -> None:
    limits: dict[str, Any] = LEAST if name == "all" else {name: LEAST[name]}
    for given in (limits, {"compile": {"wall_seconds": 1.0} | limits}) if language == "c" else (limits,):
        result = await evaluate(pipeline, language=language, code=CODE[language], limits=given)
        assert result.infra_error is None
        assert result.verdict is not None
