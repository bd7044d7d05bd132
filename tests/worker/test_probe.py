"""What a worker finds out about languages is found out once a host."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox_service import languages, policy
from sandbox_service.contract.data import data_dir
from sandbox_service.executor import ExecutorError, NamespaceExecutor
from sandbox_service.languages import Languages
from sandbox_service.worker.probe import probe_once
from tests.worker.staff import Broken

pytestmark = pytest.mark.asyncio(loop_scope="module")
KNOWN = languages.load(data_dir("runner_images"))
POLICIES = policy.load(data_dir("policies"))
NOBODY = Broken(retryable=True)
"""Whoever asks it for a sandbox fails."""


def some(*names: str) -> Languages:
    return {name: KNOWN[name] for name in names}


async def test_it_is_tried_once(executor: NamespaceExecutor, tmp_path: Path) -> None:
    file = tmp_path / "languages.json"
    found = await probe_once(executor, some("bash", "python"), POLICIES, file, b"walls")
    assert list(found) == ["bash", "python"]
    assert await probe_once(NOBODY, some("bash", "python"), POLICIES, file, b"walls") == found


@pytest.mark.parametrize("other", [b"other walls", b"walls"])
async def test_whatever_is_new_is_tried(executor: NamespaceExecutor, tmp_path: Path, other: bytes) -> None:
    file = tmp_path / "languages.json"
    await probe_once(executor, some("bash"), POLICIES, file, b"walls")
    more = some("bash") if other != b"walls" else some("bash", "python")
    with pytest.raises(ExecutorError):
        await probe_once(NOBODY, more, POLICIES, file, other)


async def test_a_program_that_was_exchanged_is_tried(executor: NamespaceExecutor, tmp_path: Path) -> None:
    file, program = tmp_path / "languages.json", tmp_path / "program"
    program.write_text("1")
    shown = {"bash": KNOWN["bash"].model_copy(update={"compile": ["/bin/true", str(program)]})}
    await probe_once(executor, shown, POLICIES, file, b"walls")
    program.write_text("22")
    with pytest.raises(ExecutorError):
        await probe_once(NOBODY, shown, POLICIES, file, b"walls")


async def test_what_did_not_work_is_tried_again(executor: NamespaceExecutor, tmp_path: Path) -> None:
    file = tmp_path / "languages.json"
    missing = KNOWN["bash"].probe.model_copy(update={"command": ["/bin/false"]})
    shown = some("python") | {"bash": KNOWN["bash"].model_copy(update={"probe": missing})}
    assert list(await probe_once(executor, shown, POLICIES, file, b"walls")) == ["python"]
    with pytest.raises(ExecutorError):
        await probe_once(NOBODY, shown, POLICIES, file, b"walls")


async def test_a_file_that_is_none_is_no_harm(executor: NamespaceExecutor, tmp_path: Path) -> None:
    (tmp_path / "odd").write_text("{")
    assert await probe_once(executor, some("bash"), POLICIES, tmp_path / "odd", b"walls")
    assert await probe_once(executor, some("bash"), POLICIES, tmp_path / "nowhere" / "file", b"walls")
