"""The demo as an ordinary user."""

from __future__ import annotations

import json

import pytest

from sandbox_service.contract.verdict import Verdict
from tests.rootless.conftest import Kind
from tests.rootless.ordinary import User, python


@pytest.mark.parametrize("kind", ["nothing", "groups", "both"], indirect=True)
def test_demo(user: User, kind: Kind) -> None:
    """The verdicts are the known ones; but without a memory group the kernel may refuse memory instead of killing."""
    done = user.run(python(), "-m", "sandbox_service.cli.main", "demo", "--out", "results.json")
    assert done.returncode == 0, done.stdout + done.stderr
    path = user.home / "results.json"
    results = json.loads(path.read_text())
    path.unlink()
    assert len(results) >= 40
    for result in results:
        if result["isolation"] is None:  # nothing was run
            assert result["compile"]["message"] == "no_code"
        else:
            assert set(result["isolation"]["degraded"]) == kind.degraded
        got, known = result["verdict"], result["known"]["verdict"]
        refused = "memory" in kind.degraded and (known, got) == (Verdict.MEMORY_LIMIT_EXCEEDED, Verdict.RUNTIME_ERROR)
        assert got == known or refused, result["name"]
        assert result["reward"] == result["known"]["reward"], result["name"]
    assert user.lingering() == []
    assert [path.name for path in user.home.iterdir() if not path.name.startswith(".")] == []
    assert [path for group in user.groups for path in group.glob("*/")] == []
