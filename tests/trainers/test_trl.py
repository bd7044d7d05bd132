"""TRL trains while results fail and while the service is gone; what we failed is masked."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

import pytest

from tests import whole
from tests.trainers import environments, faults

STEPS, STOP_AT, STOPPED_SECONDS = 30, 10, 30.0
EVERY = 7


@pytest.mark.full
def test_trl_1_16_0_grpo_goes_on_through_failures_and_a_stop(tmp_path: Path) -> None:
    environments.python("trl")
    with whole.up(tmp_path) as first, faults.before(first.url, EVERY) as (url, known):
        process = environments.start("trl", "grpo.py", str(tmp_path / "out"), str(STEPS), SANDBOX_URL=url)
        try:
            lines = _until_step(process, STOP_AT)
            assert first.stop() == 0
            time.sleep(STOPPED_SECONDS)
            with whole.up(tmp_path) as second:
                known.target = second.url
                stdout, stderr = process.communicate(timeout=environments.RUN_SECONDS)
        finally:
            process.kill()
    assert process.returncode == 0, stderr[-4000:]
    _check([*lines, *stdout.splitlines()], known)


def _until_step(process: Any, number: int) -> list[str]:
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if f'"step": {number}' in line:
            return lines
    raise AssertionError(f"it ended early: {process.stderr.read()[-4000:]}")


def _check(lines: list[str], known: faults.Faults) -> None:
    end = json.loads(lines[-1])
    steps, log = end["rewards"], end["log"]
    assert len(steps) == len(log) == STEPS
    assert known.lost > 0, "the service was missed"
    answers = [answer for step in steps for answer in step]
    broken = {reward for reward, broken in answers if broken}
    assert broken <= {None, 0.0}, "an answer that dies has met no checker"
    assert None in broken
    missing = sum(reward is None and not broken for reward, broken in answers)
    assert STEPS <= missing <= known.injected, "those that were failed, and none by the stop"
    for step, entry in zip(steps, log, strict=True):
        judged = [reward for reward, _ in step if reward is not None]
        assert entry["sandbox/infra_rate"] == pytest.approx(1 - len(judged) / len(step), abs=1e-4)
        assert math.isfinite(entry["loss"])
        assert math.isfinite(entry["grad_norm"])
        if judged:
            assert entry["reward"] == pytest.approx(sum(judged) / len(judged), abs=1e-4), (
                "what we failed counts nowhere"
            )
    assert sum(entry["reward"] for entry in log[-5:]) > sum(entry["reward"] for entry in log[:5]), "it learned"


@pytest.mark.full
def test_trl_1_16_0_example(service_url: str) -> None:
    printed = environments.run("trl", environments.ROOT / "docs/examples/trl_grpo.py", SANDBOX_URL=service_url)
    rewards = [float(line.split()[1]) for line in printed.splitlines() if line.startswith("reward")]
    assert rewards[-1] > rewards[0] + 0.3
    assert printed.count("not judged 0%") == len(rewards)
