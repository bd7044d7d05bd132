"""Rewards: known values, and what holds for any cases."""

from __future__ import annotations

import doctest
import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_service.contract.result import CaseResult, Component
from sandbox_service.contract.task import Case, RunTask, StdioTask
from sandbox_service.contract.verdict import Verdict
from sandbox_service.reward import REWARDS, Facts, combine, components, default_reward, efficiency, others, text
from sandbox_service.reward import score as score_of

ACCEPTED, WRONG, SKIPPED = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.SKIPPED


def case(verdict: Verdict, weight: float = 1.0, score: float | None = None) -> CaseResult:
    return CaseResult(id="c", verdict=verdict, weight=weight, score=score)


def score(name: str, judged: list[CaseResult]) -> tuple[float, list[Component]]:
    return score_of(name, Facts(judged))


# Points too that are all but full, and weights that are next to nothing.
POINTS = st.none() | st.floats(0, 1) | st.sampled_from([1.0, 1.0 - 2**-53, 5e-324])
WEIGHTS = st.floats(0, 1e9) | st.sampled_from([0.0, 5e-324, 1.0, 1e9])
CASES = st.lists(
    st.builds(case, st.sampled_from(Verdict), WEIGHTS) | st.builds(case, st.just(WRONG), WEIGHTS, POINTS),
    min_size=1,
    max_size=20,
)


@pytest.mark.parametrize(
    ("judged", "binary", "fraction", "weighted"),
    [
        ([case(ACCEPTED)], 1.0, 1.0, 1.0),
        ([case(WRONG)], 0.0, 0.0, 0.0),
        ([case(ACCEPTED, 3), case(WRONG, 1)], 0.0, 0.5, 0.75),
        ([case(ACCEPTED, 1), case(WRONG, 1), case(SKIPPED, 2)], 0.0, 1 / 3, 0.25),
        ([case(ACCEPTED, 0), case(ACCEPTED, 0)], 1.0, 1.0, 0.0),
        ([case(ACCEPTED, 0), case(WRONG, 1)], 0.0, 0.5, 0.0),
        ([case(ACCEPTED, 5e-324), case(WRONG, 0)], 0.0, 0.5, 1.0),
        ([case(SKIPPED), case(SKIPPED)], 0.0, 0.0, 0.0),
        ([], 0.0, 0.0, 0.0),
    ],
)
def test_known_values(judged: list[CaseResult], binary: float, fraction: float, weighted: float) -> None:
    wanted = {"binary": binary, "fraction": fraction, "weighted": weighted}
    assert {name: score(name, judged)[0] for name in REWARDS} == wanted


def test_the_component_says_what_the_reward_is_made_of() -> None:
    value, (component,) = score("fraction", [case(ACCEPTED), case(WRONG)])
    assert (component.name, component.value, component.weight) == ("tests", value, 1.0)


def test_an_unknown_name() -> None:
    with pytest.raises(KeyError):
        score("nonsense", [case(ACCEPTED)])


def test_default_reward() -> None:
    stdio = StdioTask(type="stdio", cases=[Case(expected=b"1")])
    assert [default_reward(task) for task in (RunTask(), stdio)] == ["fraction", "fraction"]


@given(CASES)
def test_always_finite_and_in_bounds(judged: list[CaseResult]) -> None:
    for name in REWARDS:
        assert 0.0 <= score(name, judged)[0] <= 1.0


@given(CASES, st.data())
def test_passing_one_more_case_never_costs(judged: list[CaseResult], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(judged) - 1))
    better = [case(ACCEPTED, item.weight) if at == place else item for at, item in enumerate(judged)]
    for name in REWARDS:
        assert score(name, better)[0] >= score(name, judged)[0]


@given(CASES, st.randoms(use_true_random=False))
def test_the_order_of_cases_does_not_matter(judged: list[CaseResult], chance: random.Random) -> None:
    for name in REWARDS:
        assert score(name, chance.sample(judged, len(judged)))[0] == score(name, judged)[0]


@given(CASES)
def test_a_skipped_case_is_worth_a_failed_one(judged: list[CaseResult]) -> None:
    failed = [case(WRONG, item.weight) if item.verdict is SKIPPED else item for item in judged]
    for name in REWARDS:
        assert score(name, failed)[0] == score(name, judged)[0]


@given(CASES)
def test_full_reward_only_for_a_right_solution(judged: list[CaseResult]) -> None:
    right = all(item.verdict is ACCEPTED for item in judged)
    assert score("binary", judged)[0] == right
    assert (score("fraction", judged)[0] == 1.0) == right
    staked = [item for item in judged if item.weight > 0]
    right = bool(staked) and all(item.verdict is ACCEPTED for item in staked)
    assert (score("weighted", judged)[0] == 1.0) == right


@given(CASES, st.data())
def test_more_points_never_cost_and_never_are_worth_a_right_answer(
    judged: list[CaseResult], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(judged) - 1))
    few, many = sorted(data.draw(st.tuples(st.floats(0, 1), st.floats(0, 1))))
    rewards = [
        [score(name, [*judged[:place], item, *judged[place + 1 :]])[0] for name in REWARDS]
        for weight in [judged[place].weight]
        for item in (case(WRONG, weight), case(WRONG, weight, few), case(WRONG, weight, many), case(ACCEPTED, weight))
    ]
    assert all(one <= other for name in zip(*rewards, strict=True) for one, other in itertools.pairwise(name))


def test_ten_thousand_cases_one_of_them_a_hair_short() -> None:
    judged = [case(ACCEPTED)] * 9_999 + [case(WRONG, score=1.0 - 2**-53)]
    assert score("fraction", judged)[0] < 1.0
    assert score("weighted", judged)[0] < 1.0
    assert score("weighted", [case(ACCEPTED, 1e9), case(WRONG, 5e-324)])[0] < 1.0


@pytest.mark.parametrize("module", [components, combine, efficiency, others, text])
def test_the_examples_of_the_documentation_hold(module: object) -> None:
    outcome = doctest.testmod(module)  # type: ignore[arg-type]
    assert outcome.attempted > 0
    assert outcome.failed == 0
