"""What analyses, scoring programs and steps are worth."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox_service.contract.result import CaseResult
from sandbox_service.contract.reward import CompliancePart, StepsPart
from sandbox_service.contract.verdict import Verdict
from sandbox_service.reward.facts import Analysed, Impact, Valued

MOST_NAMED = 5


def compliance(part: CompliancePart, analysed: Analysed) -> Valued:
    """The mean of the checks, each of which is right / all; where there is nothing to count it is 1.

    >>> part = CompliancePart(name="compliance", checks=["docstrings", "logging"])
    >>> compliance(part, Analysed({"docstrings": (1, 4), "logging": (0, 0)}))
    (0.625, 'docstrings 1/4, logging 0/0')
    """
    if analysed.fault:
        return 0.0, analysed.fault
    counts = {check: analysed.counts[check] for check in dict.fromkeys(part.checks)}
    shares = [right / all if all else 1.0 for right, all in counts.values()]
    return sum(shares) / len(shares), ", ".join(f"{name} {right}/{all}" for name, (right, all) in counts.items())


def impact(found: Impact, cases: Sequence[CaseResult]) -> Valued:
    """The mean of two shares: of the tests of what may have been touched, passed; of what had to be adapted, adapted.

    Where there is nothing of a kind it does not count; where there is neither, 1.

    >>> found = Impact(
    ...     changed=frozenset({"a.py::f", "b.py::g"}), dependents=frozenset({"b.py::g", "c.py::h", "t.py::test_h"}),
    ...     to_adapt=frozenset({"b.py::g", "c.py::h"}))
    >>> cases = [CaseResult(id="t.py::test_h", verdict="accepted"), CaseResult(id="1", verdict="wrong_answer")]
    >>> impact(found, cases)
    (0.75, 'tests 1/1, adapted 1/2, not: c.py::h')
    """
    if found.fault:
        return 0.0, found.fault
    touched = found.changed | found.dependents
    places = {name.partition("::")[0] for name in touched}
    chosen = [case for case in cases if case.id in touched or case.group in places]
    passed = sum(case.verdict is Verdict.ACCEPTED for case in chosen)
    missed = sorted(found.to_adapt - found.changed)
    adapted = len(found.to_adapt) - len(missed)
    pairs = {"tests": (passed, len(chosen)), "adapted": (adapted, len(found.to_adapt))}
    shares = [right / all for right, all in pairs.values() if all]
    detail = ", ".join(f"{name} {right}/{all}" for name, (right, all) in pairs.items() if all)
    if missed:
        detail += f", not: {', '.join(missed[:MOST_NAMED])}"
    return (sum(shares) / len(shares), detail) if shares else (1.0, "nothing depends on what changed")


def steps(part: StepsPart, values: Sequence[float]) -> Valued:
    """The rewards of steps, made one.

    >>> def by(rule): return steps(StepsPart(name="steps", rule=rule, discount=0.5), [0.5, 0.25, 1.0])[0]
    >>> [by("last"), by("best"), by("worst"), by("discounted"), by("progress")] == [
    ...     1.0, 1.0, 0.25, (0.25 * 0.5 + 0.5 * 0.25 + 1.0 * 1.0) / (0.25 + 0.5 + 1.0), 2 / 3]
    True
    """
    if not values:
        return 0.0, "there are no steps"
    match part.rule:
        case "last":
            value = values[-1]
        case "best":
            value = max(values)
        case "worst":
            value = min(values)
        case "progress":
            better = [each > max([0.0, *values[:at]]) or each == 1.0 for at, each in enumerate(values)]
            value = sum(better) / len(values)
        case _:
            value = _mean(values, part.discount if part.rule == "discounted" else 1.0)
    return value, f"{part.rule} of {', '.join(f'{each:.3g}' for each in values[:MOST_NAMED])}" + (
        ", ..." if len(values) > MOST_NAMED else ""
    )


def _mean(values: Sequence[float], discount: float) -> float:
    weights = [discount**age for age in reversed(range(len(values)))]
    total = sum(weight * value for weight, value in zip(weights, values, strict=True))
    return min(total / sum(weights), 1.0)
