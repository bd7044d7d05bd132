"""How little a program needs, beside a baseline."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox_service.contract.result import CaseResult
from sandbox_service.contract.reward import EfficiencyPart
from sandbox_service.contract.verdict import Verdict
from sandbox_service.reward.facts import Measured, Rounds, Valued

LEAST = {"cpu_seconds": 1e-4, "memory_bytes": 4096.0}
"""Nothing is measured more finely than this."""
UNITS = {"cpu_seconds": "s", "memory_bytes": "bytes"}


CONFIRMED, FEWEST = 0.02, 3
"""The least is believed once another run came so close to it, and after so many."""


class NotMeasured(Exception):  # noqa: N818
    """This worker cannot measure what is asked for: our failure, and never a reward."""


def efficiency(part: EfficiencyPart, measured: Measured) -> Valued:
    """baseline / (baseline + used): 0.5 as good as the baseline, never 1, and always more for who needs less.

    Raises:
        NotMeasured: a figure is missing.

    >>> def ran(seconds): return [CaseResult(id="0", verdict="accepted", cpu_seconds=seconds)]
    >>> part = EfficiencyPart(name="efficiency", baseline_cpu_seconds=0.5)
    >>> efficiency(part, Measured(own=[ran(0.3), ran(0.25)]))[0] == 0.5 / (0.5 + 0.25)
    True
    """
    if any(case.verdict is not Verdict.ACCEPTED for cases in measured.own for case in cases):
        return 0.0, "not every case was accepted each time"
    used = least(part.measure, measured.own)
    given = part.baseline_cpu_seconds if part.measure == "cpu_seconds" else part.baseline_memory_bytes
    baseline = least(part.measure, measured.reference) if given is None else max(float(given), LEAST[part.measure])
    unit = UNITS[part.measure]
    detail = f"{used:.6g} {unit} beside {baseline:.6g} {unit}, the least of {len(measured.own)} runs"
    return baseline / (baseline + used), detail


def least(measure: str, rounds: Rounds) -> float:
    """What a program needs: of each case the least of all rounds; of CPU time the sum, of memory the highest.

    Raises:
        NotMeasured: a figure is missing.

    >>> def ran(*seconds): return [CaseResult(id="0", verdict="accepted", cpu_seconds=each) for each in seconds]
    >>> least("cpu_seconds", [ran(0.5, 0.125), ran(0.25, 0.75)])
    0.375
    """
    each = [min(figures) for figures in zip(*(_figures(measure, cases) for cases in rounds), strict=True)]
    if not each:
        raise NotMeasured(f"{measure} is not measured here")
    used = sum(each) if measure == "cpu_seconds" else max(each)
    return max(float(used), LEAST[measure])


def settled(measure: str, rounds: Rounds) -> bool:
    """Whether another round would tell little: the least, all cases together, was met twice.

    What slows a machine down comes and goes within seconds: a run that it hit is unlike the next.

    Raises:
        NotMeasured: a figure is missing.

    >>> def ran(*each): return [[CaseResult(id="0", verdict="accepted", cpu_seconds=seconds)] for seconds in each]
    >>> settled("cpu_seconds", ran(0.26, 0.2, 0.23)), settled("cpu_seconds", ran(0.26, 0.2, 0.2))
    (False, True)
    """
    if len(rounds) < FEWEST:
        return False
    first, second, *_ = sorted(least(measure, [cases]) for cases in rounds)
    return second <= (1 + CONFIRMED) * first


def _figures(measure: str, cases: Sequence[CaseResult]) -> list[float]:
    # The cases of a test text share one run, whose figures stand at the first.
    figures = [figure for case in cases if (figure := getattr(case, measure)) is not None]
    if len(figures) not in (1, len(cases)):
        raise NotMeasured(f"{measure} is not measured here")
    return figures
