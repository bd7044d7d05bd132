"""Scores the demo's problems and shows what came of them."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from sandbox_service import AsyncClient, Result
from sandbox_service.cli.demo.problems import Answer, Problem
from sandbox_service.cli.progress import bar
from sandbox_service.cli.score import mean
from sandbox_service.cli.screen import number, verdict, visible


async def score(client: AsyncClient, problems: Sequence[Problem], console: Console, began: float) -> list[Result]:
    """Score them with a progress bar, and say when the first reward arrived.

    Args:
        client: of the service.
        problems: what to score.
        console: where to say it.
        began: when the command began, by `time.monotonic`.
    """
    with bar("scoring", len(problems)) as progress:

        def ended(done: int, total: int | None) -> None:
            if done == 1:
                console.print(f"first reward after {time.monotonic() - began:.1f} s")
            progress(done, total)

        # Not from the cache of a service that ran them before: this is to see them run.
        return await client.score([{**problem.submission, "cache": False} for problem in problems], progress=ended)


def show(console: Console, answers: Sequence[Answer], seconds: float, left_out: Sequence[Problem]) -> None:
    """Show the table, the figures, and each answer that is not the known one."""
    console.print(_table(answers))
    latencies = sorted(answer.result.timing.total_seconds for answer in answers if answer.result.timing)
    console.print(
        f"{len(answers)} submissions in {seconds:.1f} s: {len(answers) / seconds:.1f}/s, "
        f"latency p50 {number(quantile(latencies, 0.5), ' s')}, p99 {number(quantile(latencies, 0.99), ' s')}"
    )
    if left_out:
        languages = ", ".join(sorted({problem.submission["language"] for problem in left_out}))
        console.print(f"{len(left_out)} left out: this service cannot run {languages}; see `doctor`", style="yellow")
    wrong = [answer for answer in answers if answer.difference is not None]
    for answer in wrong:
        console.print(f"NOT AS KNOWN  {answer.problem.name}: {visible(answer.difference or '')}", style="red")
    if not wrong and answers:
        console.print("every verdict and every reward is the known one", style="green")


def _table(answers: Sequence[Answer]) -> Table:
    groups: dict[tuple[str, str], list[Answer]] = defaultdict(list)
    for answer in answers:
        groups[str(answer.problem.verdict), answer.got].append(answer)
    table = Table("known verdict", "got", "count", "known reward", "reward", box=SIMPLE_HEAD, pad_edge=False)
    for (known, got), group in sorted(groups.items()):
        rewards = [answer.result.reward for answer in group if answer.result.reward is not None]
        due = mean([answer.problem.reward for answer in group])
        table.add_row(verdict(known), verdict(got), str(len(group)), number(due), number(mean(rewards)))
    return table


def quantile(ordered: Sequence[float], share: float) -> float | None:
    """The smallest value that at least this share of the values does not exceed; of nothing `None`."""
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)] if ordered else None
