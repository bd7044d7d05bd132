"""Problems with known verdicts have them under every policy that is for programs of others."""

from __future__ import annotations

import pytest

from sandbox_service.cli.demo import PROBLEMS
from sandbox_service.cli.demo.problems import Answer, load
from tests.service.conftest import Target


@pytest.mark.full
@pytest.mark.parametrize("policy", ["default", "strict"])
def test_known_verdicts(target: Target, policy: str) -> None:
    offered = {language["id"] for language in target.client.languages()}
    problems = [problem for problem in load(PROBLEMS) if problem.submission["language"] in offered]
    assert len(problems) >= 30
    results = target.client.score([{**problem.submission, "policy": policy} for problem in problems])
    answers = [Answer(problem, result) for problem, result in zip(problems, results, strict=True)]
    assert {answer.problem.name: answer.difference for answer in answers if answer.difference} == {}
    assert {result.policy.name for result in results if result.policy} == {policy}
