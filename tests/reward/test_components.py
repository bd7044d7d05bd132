"""Components of rewards: numbers worked out by hand, and what holds for any facts."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_service.contract.result import CaseResult, CompileResult
from sandbox_service.contract.reward import Reward
from sandbox_service.contract.verdict import Verdict
from sandbox_service.reward import Analysed, Facts, Impact, Measured, NotMeasured, Scored, score

ACCEPTED, WRONG = Verdict.ACCEPTED, Verdict.WRONG_ANSWER


def case(id: str, verdict: Verdict = ACCEPTED, **more: Any) -> CaseResult:
    return CaseResult(id=id, verdict=verdict, **more)


def value(part: dict[str, Any], facts: Facts) -> float:
    """Of one component alone; its key is its name."""
    reward = Reward.model_validate({"components": [part]})
    return score(reward, facts)[1][0].value


def ran(*seconds: float, memory: int | None = None) -> list[CaseResult]:
    return [case(str(at), cpu_seconds=each, memory_bytes=memory) for at, each in enumerate(seconds)]


SUBTASKS = [
    case("0", group="easy", weight=1.0),
    case("1", group="easy", weight=1.0),
    case("2", group="hard", weight=3.0),
    case("3", WRONG, group="hard", weight=5.0),
]


@pytest.mark.parametrize(
    ("part", "worth"),
    [
        ({"kind": "binary"}, 0.0),
        ({"kind": "fraction"}, 3 / 4),
        ({"kind": "weighted"}, 5 / 10),
        ({"kind": "groups"}, 2 / 10),
        ({"kind": "fraction", "group": "hard"}, 1 / 2),
        ({"kind": "weighted", "group": "hard"}, 3 / 8),
        ({"kind": "binary", "group": "easy"}, 1.0),
        ({"kind": "fraction", "group": "none of them"}, 0.0),
    ],
)
def test_tests(part: dict[str, Any], worth: float) -> None:
    assert value({"name": "tests"} | part, Facts(SUBTASKS)) == pytest.approx(worth)


@pytest.mark.parametrize(
    ("compiled", "worth"), [(None, 1.0), (CompileResult(ok=True), 1.0), (CompileResult(ok=False), 0.0)]
)
def test_compile(compiled: CompileResult | None, worth: float) -> None:
    assert value({"name": "compile"}, Facts(SUBTASKS, compiled)) == worth


@pytest.mark.parametrize(
    ("part", "measured", "worth"),
    [
        # of each case the least: 0.2 + 0.3
        ({"baseline_cpu_seconds": 0.5}, Measured([ran(0.2, 0.6), ran(0.4, 0.3)]), 0.5 / (0.5 + 0.5)),
        ({"reference": {"code": ""}}, Measured([ran(0.25)], [ran(1.0), ran(0.75)]), 0.75 / (0.75 + 0.25)),
        (
            {"measure": "memory_bytes", "baseline_memory_bytes": 3_000_000},
            Measured([ran(1.0, memory=9_000_000), ran(1.0, memory=7_000_000)]),
            3 / (3 + 7),
        ),
        ({"baseline_cpu_seconds": 0.5}, Measured([ran(0.2), [case("0", WRONG, cpu_seconds=0.1)]]), 0.0),
        # less than can be measured is as much as that
        ({"baseline_cpu_seconds": 1e-9}, Measured([ran(0.0)]), 0.5),
        # the cases of a test text share one run
        (
            {"baseline_cpu_seconds": 0.5},
            Measured([[case("0", cpu_seconds=0.125), case("1")]]),
            0.5 / (0.5 + 0.125),
        ),
    ],
)
def test_efficiency(part: dict[str, Any], measured: Measured, worth: float) -> None:
    facts = Facts(measured.own[0], found={"efficiency": measured})
    assert value({"name": "efficiency"} | part, facts) == pytest.approx(worth)


def test_what_is_not_measured_is_no_reward() -> None:
    """On a host that counts no memory, say: it must not be taken for none."""
    part = {"name": "efficiency", "measure": "memory_bytes", "baseline_memory_bytes": 4096}
    with pytest.raises(NotMeasured):
        value(part, Facts(ran(1.0), found={"efficiency": Measured([ran(1.0)])}))


@pytest.mark.parametrize(
    ("part", "text", "worth"),
    [
        ({"pattern": r"^#### \d+$"}, "#### 42", 1.0),
        ({"pattern": r"^#### \d+$"}, "it is 42", 0.0),
        ({"tags": ["think", "answer"]}, "<think>a</think> <answer>b</answer>", 1.0),
        ({"tags": ["think", "answer"]}, "<answer>b</answer> <think>a</think>", 0.0),
        ({"tags": ["think", "answer"]}, "<think><answer>b</answer></think>", 0.0),
        ({"tags": ["answer"]}, "<answer>a</answer><answer>b</answer>", 0.0),
        ({"fenced": True}, "So:\n```python\nx\n```\n", 1.0),
        ({"fenced": True}, "```\nx\n```\n```\ny\n```\n", 0.0),
        ({"fenced": True, "pattern": "So", "tags": ["a"]}, "So:\n```\nx\n```\n", 2 / 3),
    ],
)
def test_format(part: dict[str, Any], text: str, worth: float) -> None:
    assert value({"name": "format"} | part, Facts(SUBTASKS, text=text.encode())) == pytest.approx(worth)


@pytest.mark.parametrize(
    ("unit", "target", "limit", "worth"),
    [
        ("characters", 100, 200, 1.0),
        ("characters", 5, 25, (25 - 10) / 20),
        ("bytes", 5, 25, (25 - 11) / 20),
        ("words", 1, 3, 1 / 2),
        ("lines", 1, 2, 0.0),
    ],
)
def test_length(unit: str, target: int, limit: int, worth: float) -> None:
    text = "äbcd\nefghi"  # 10 characters, 11 bytes, 2 words, 2 lines
    part = {"name": "length", "unit": unit, "target": target, "limit": limit}
    assert value(part, Facts(SUBTASKS, text=text.encode())) == pytest.approx(worth)


def test_compliance() -> None:
    counts = {"rules": (8, 10), "type_hints": (3, 4), "docstrings": (0, 0)}
    part = {"name": "compliance", "checks": list(counts)}
    assert value(part, Facts(SUBTASKS, found={"compliance": Analysed(counts)})) == pytest.approx((0.8 + 0.75 + 1) / 3)
    assert value(part, Facts(SUBTASKS, found={"compliance": Analysed(fault="no Python")})) == 0.0


def test_impact() -> None:
    part = {"name": "impact", "base": {"a.py": ""}}
    cases = [case("t.py::test_a"), case("t.py::test_b", WRONG), case("1", group="b.py"), case("2", WRONG)]

    def worth(**found: set[str]) -> float:
        named = {name: frozenset(value) for name, value in found.items()}
        return value(part, Facts(cases, found={"impact": Impact(**named)}))  # type: ignore[arg-type]

    # t.py::test_a and test_b, and the case of group b.py: 2 of 3 pass; of b.py::g and c.py::h one was adapted
    dependents = {"t.py::test_a", "t.py::test_b", "c.py::h"}
    assert worth(
        changed={"a.py::f", "b.py::g"}, dependents=dependents, to_adapt={"b.py::g", "c.py::h"}
    ) == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert worth(changed={"a.py::f"}, dependents={"t.py::test_a"}) == 1.0
    assert worth(changed={"a.py::f"}, to_adapt={"c.py::h"}) == 0.0
    assert worth() == 1.0


@pytest.mark.parametrize(
    ("rule", "worth"),
    [
        ("mean", 0.5),
        ("last", 0.75),
        ("best", 0.75),
        ("worst", 0.25),
        ("discounted", (0.25 * 0.25 + 0.5 * 0.5 + 0.75 * 1) / 1.75),
        ("progress", 1.0),
    ],
)
def test_steps(rule: str, worth: float) -> None:
    part = {"name": "steps", "rule": rule, "discount": 0.5}
    assert value(part, Facts(SUBTASKS, steps=[0.25, 0.5, 0.75])) == pytest.approx(worth)


def test_progress_is_not_made_by_going_back_and_forth() -> None:
    part = {"name": "steps", "rule": "progress"}
    assert value(part, Facts(SUBTASKS, steps=[0.5, 0.25, 0.5, 0.25])) == 0.25
    assert value(part, Facts(SUBTASKS, steps=[1.0, 1.0])) == 1.0


def test_the_sum_the_gates_and_the_clip() -> None:
    parts = [{"name": "tests", "weight": 2.0}, {"name": "length", "weight": -0.5, "target": 1, "limit": 3}]
    facts = Facts(SUBTASKS, CompileResult(ok=True), text=b"ab")  # 2 x 3/4 - 0.5 x 1/2

    def reward(**more: Any) -> float:
        return score(Reward.model_validate({"components": parts} | more), facts)[0]

    assert reward(clip=None) == pytest.approx(1.25)
    assert reward() == 1.0
    assert reward(clip=[-1, 0.5]) == 0.5
    assert reward(require=["compile"], clip=None) == pytest.approx(1.25)
    assert reward(require=["tests"], clip=None) == 0.0
    assert reward(require=["length"], clip=[0.25, 1]) == 0.25


# ---- what holds for any facts ----

CASES = st.lists(
    st.builds(
        case,
        st.just("c"),
        st.sampled_from(Verdict),
        weight=st.floats(0, 1e9),
        group=st.sampled_from([None, "a", "b"]),
        cpu_seconds=st.floats(0, 1e6),
        memory_bytes=st.integers(0, 1 << 50),
    ),
    min_size=1,
    max_size=8,
)
WEIGHTS = st.floats(-1e6, 1e6)
SHARES = st.integers(0, 10**6).flatmap(lambda most: st.tuples(st.integers(0, most), st.just(most)))
CHECKS = ["rules", "type_hints", "docstrings", "exceptions", "logging", "complexity"]
NAMES = st.frozensets(st.sampled_from(["a.py::f", "b.py::g", "c.py", "c"]))


@st.composite
def rewards(draw: st.DrawFn) -> Reward:
    measure = draw(st.sampled_from(["cpu_seconds", "memory_bytes"]))
    parts: list[dict[str, Any]] = [
        {"name": "tests", "kind": draw(st.sampled_from(["binary", "fraction", "weighted", "groups"]))},
        {"name": "tests", "label": "group", "group": "a"},
        {"name": "compile"},
        {"name": "efficiency", "reference": {"code": ""}, "measure": measure},
        {"name": "format", "pattern": "a+", "tags": ["b"], "fenced": True},
        {"name": "length", "target": draw(st.integers(1, 9)), "limit": draw(st.integers(10, 1 << 40))},
        {"name": "compliance", "checks": CHECKS},
        {"name": "impact", "base": {"a.py": ""}},
        {"name": "custom", "language": "python", "code": ""},
        {"name": "steps", "rule": draw(st.sampled_from(["mean", "last", "best", "worst", "discounted", "progress"]))},
    ]  # fmt: skip
    for part in parts:
        part["weight"] = draw(WEIGHTS.filter(bool))
    low, high = sorted([draw(WEIGHTS), draw(WEIGHTS)])
    require = draw(st.lists(st.sampled_from(["compile", "tests", "group", "steps"]), max_size=2))
    clip = draw(st.sampled_from([None, [low, high]]))
    return Reward.model_validate({"components": parts, "require": require, "clip": clip})


@st.composite
def facts(draw: st.DrawFn) -> Facts:
    cases = draw(CASES)
    rounds = st.lists(st.just(cases), min_size=1, max_size=2)
    return Facts(
        cases,
        draw(st.none() | st.builds(CompileResult, ok=st.booleans())),
        draw(st.binary(max_size=50)),
        draw(st.lists(st.floats(0, 1), max_size=5)),
        {
            "efficiency": Measured(draw(rounds), draw(rounds)),
            "compliance": Analysed({check: draw(SHARES) for check in CHECKS}, draw(st.none() | st.just("fault"))),
            "impact": Impact(draw(NAMES), draw(NAMES), draw(NAMES), draw(st.none() | st.just("fault"))),
            "custom": Scored(draw(st.floats(allow_nan=False, allow_infinity=False)), None),
        },
    )


@given(rewards(), facts())
def test_always_finite_within_the_clip_and_its_parts_within_one(reward: Reward, known: Facts) -> None:
    total, components = score(reward, known)
    assert math.isfinite(total)
    assert all(0.0 <= each.value <= 1.0 for each in components)
    if reward.clip:
        assert reward.clip[0] <= total <= reward.clip[1]


@given(rewards(), facts())
def test_without_gates_and_clip_it_is_the_weighted_sum(reward: Reward, known: Facts) -> None:
    total, components = score(reward.model_copy(update={"require": [], "clip": None}), known)
    assert total == pytest.approx(math.fsum(each.weight * each.value for each in components))


@given(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3), st.floats(1e-3, 1e3))
def test_who_needs_less_is_never_worth_less(one: float, other: float, baseline: float) -> None:
    less, more = sorted([one, other])
    part = {"name": "efficiency", "baseline_cpu_seconds": baseline}
    worth = [value(part, Facts(ran(used), found={"efficiency": Measured([ran(used)])})) for used in (less, more)]
    assert worth[0] >= worth[1]
    if more > less * 1.001:
        assert worth[0] > worth[1]


@given(st.integers(0, 50), st.integers(0, 50), st.integers(1, 20), st.integers(21, 40))
def test_a_longer_text_is_never_worth_more(one: int, other: int, target: int, limit: int) -> None:
    part = {"name": "length", "target": target, "limit": limit}
    short, long = (value(part, Facts(SUBTASKS, text=b"x" * size)) for size in sorted([one, other]))
    assert short >= long


@given(CASES, st.data())
def test_passing_one_more_case_never_costs(judged: list[CaseResult], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(judged) - 1))
    better = [each.model_copy(update={"verdict": ACCEPTED}) if at == place else each for at, each in enumerate(judged)]
    for kind in ("binary", "fraction", "weighted", "groups"):
        part = {"name": "tests", "kind": kind}
        assert value(part, Facts(better)) >= value(part, Facts(judged))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.data())
def test_a_better_step_never_costs_but_by_progress(values: list[float], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(values) - 1))
    better = [data.draw(st.floats(each, 1)) if at == place else each for at, each in enumerate(values)]
    for rule in ("mean", "last", "best", "worst", "discounted"):
        part = {"name": "steps", "rule": rule}
        assert value(part, Facts(SUBTASKS, steps=better)) >= value(part, Facts(SUBTASKS, steps=values)) - 1e-12
