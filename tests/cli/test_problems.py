"""The demo's problems, and when a result is the known one."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from sandbox_service import Result, State, Verdict
from sandbox_service.cli.demo import PROBLEMS, report
from sandbox_service.cli.demo.problems import Answer, Problem, load
from sandbox_service.cli.errors import CliError
from sandbox_service.contract import parse
from sandbox_service.contract.data import data_dir
from sandbox_service.contract.result import InfraError, Isolation
from sandbox_service.languages import registry
from sandbox_service.policy import policy

PROBLEM = Problem("p", {}, Verdict.MEMORY_LIMIT_EXCEEDED, 0.0)


def finished(verdict: Verdict, reward: float, degraded: list[str] | None = None) -> Result:
    isolation = Isolation(executor="namespace", degraded=degraded or [])
    return Result(id="s", state=State.FINISHED, verdict=verdict, reward=reward, isolation=isolation)


def test_every_problem_is_a_valid_submission() -> None:
    default, languages = policy.load(data_dir("policies"))["default"], registry.load(data_dir("runner_images"))
    for problem in load(PROBLEMS):
        submission = parse.submission(problem.submission)
        default.resolve(submission.limits)
        languages[submission.language].check(submission)


def test_the_problems_show_everything() -> None:
    problems = load(PROBLEMS)
    assert len(problems) >= 44
    assert len({problem.name for problem in problems}) == len(problems)
    assert {problem.submission["language"] for problem in problems} == {"python", "c", "cpp", "bash"}
    verdicts = Counter(problem.verdict for problem in problems)
    assert set(verdicts) == set(Verdict) - {Verdict.SKIPPED, Verdict.SECURITY_VIOLATION}
    assert all(0 <= problem.reward <= 1 for problem in problems)
    for problem in problems:
        assert (problem.verdict == Verdict.ACCEPTED) == (problem.reward == 1), problem.name


def test_slow_problems_end_soon() -> None:
    """The demo is to be quick: what must run into a limit has a low one."""
    for problem in load(PROBLEMS):
        if problem.verdict == Verdict.TIME_LIMIT_EXCEEDED:
            limits = problem.submission["limits"]
            assert limits["cpu_seconds"] <= 1, problem.name
            assert limits["wall_seconds"] <= 3, problem.name


@pytest.mark.parametrize(
    ("result", "difference"),
    [
        (finished(Verdict.MEMORY_LIMIT_EXCEEDED, 0.0), None),
        (finished(Verdict.MEMORY_LIMIT_EXCEEDED, 0.5), "reward 0.5, known is 0.0"),
        (finished(Verdict.RUNTIME_ERROR, 0.0), "runtime_error, known is memory_limit_exceeded"),
        (finished(Verdict.RUNTIME_ERROR, 0.0, ["memory"]), None),
        (finished(Verdict.RUNTIME_ERROR, 0.0, ["disk"]), "runtime_error, known is memory_limit_exceeded"),
        (finished(Verdict.ACCEPTED, 0.0, ["memory"]), "accepted, known is memory_limit_exceeded"),
        (
            Result(id="", state=State.FAILED, infra_error=InfraError(kind="k", message="lost", retryable=True)),
            "failed: lost",
        ),
    ],
)
def test_when_a_result_is_not_the_known_one(result: Result, difference: str | None) -> None:
    answer = Answer(PROBLEM, result)
    assert answer.difference == difference
    document = answer.document()
    assert document["known"] == {"verdict": "memory_limit_exceeded", "reward": 0.0}
    assert document["difference"] == difference
    assert json.loads(json.dumps(document))["state"] == result.state


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"name": "x"}',
        '{"name": "x", "submission": {"language": "python"}, "known": {"verdict": "accepted", "reward": 1}}',
        '{"name": "x", "submission": {"language": "c", "code": ""}, "known": {"verdict": "fine", "reward": 1}}',
    ],
)
def test_a_wrong_problem_file_names_the_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "problems.jsonl"
    path.write_text(PROBLEMS.read_text().splitlines()[0] + f"\n{line}\n")
    with pytest.raises(CliError, match="line 2"):
        load(path)
    path.write_text("")
    with pytest.raises(CliError, match="holds no problem"):
        load(path)


def test_quantile() -> None:
    values = [float(number) for number in range(1, 101)]
    assert (report.quantile(values, 0.5), report.quantile(values, 0.99)) == (50.0, 99.0)
    assert (report.quantile([7.0], 0.99), report.quantile([], 0.5)) == (7.0, None)
