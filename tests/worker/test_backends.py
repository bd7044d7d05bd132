"""Whose walls a submission gets, and what becomes of one whose walls are not here."""

from __future__ import annotations

from pathlib import Path

from sandbox_service import languages, policy
from sandbox_service.contract.data import data_dir
from sandbox_service.contract.submission import Submission
from sandbox_service.contract.task import RunTask
from sandbox_service.contract.verdict import State
from sandbox_service.executor import Executor
from sandbox_service.worker.backends import Backends
from sandbox_service.worker.pipeline import Pipeline
from sandbox_service.worker.rejudging import Rejudging
from sandbox_service.worker.settings import ContainerSettings


async def test_walls_that_this_worker_has_not(executor: Executor, tmp_path: Path) -> None:
    """No verdict, no reward, and another worker may have them."""
    policies = policy.load(data_dir("policies"))
    known = languages.load(data_dir("runner_images"))
    rejudging = Rejudging()
    usual = Pipeline(executor, policies, known, rejudging=rejudging)
    settings = ContainerSettings(root=tmp_path, docker_host=f"unix://{tmp_path}/none")
    backends = Backends(usual, policies, known, settings, rejudging)
    await backends.find()
    assert backends.names == ["namespace"]
    for name in ("docker", "gvisor", "oci"):
        submission = Submission(language="python", code=b"print(1)", task=RunTask(type="run"), policy=name)
        result = await backends.evaluate("x", submission, attempts=1, queued_seconds=0.0)
        assert (result.state, result.verdict, result.reward) == (State.FAILED, None, None)
        assert result.infra_error is not None
        assert (result.infra_error.kind, result.infra_error.retryable) == ("not_on_this_worker", True)
        assert name_in(result.infra_error.message, name)
    usual_one = Submission(language="python", code=b"print(1)", task=RunTask(type="run"))
    assert (await backends.evaluate("x", usual_one, attempts=1, queued_seconds=0.0)).state is State.FINISHED
    await backends.stop()


def name_in(message: str, policy: str) -> bool:
    return f"policy {policy}" in message
