"""`score --dataset`: score the samples of a model, or the dataset's own programs, and tell pass@k."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox_service.cli import options
from sandbox_service.cli.errors import CliError

if TYPE_CHECKING:
    from sandbox_service import Result
    from sandbox_service.datasets import Problem

Chosen = list[tuple[str, dict[str, Any]]]
"""(problem, submission)."""


def add(parser: argparse.ArgumentParser) -> None:
    """The options of datasets."""
    group = parser.add_argument_group("datasets, in the formats that they are published in")
    group.add_argument("--dataset", metavar="NAME", help="humaneval, mbpp, evalplus, apps, code_contests, "
                       "livecodebench, humanevalpack or mbxp")  # fmt: skip
    group.add_argument(
        "--file", dest="problems", type=Path, metavar="FILE", help="its problems: .jsonl, .json, also .gz"
    )
    which = group.add_mutually_exclusive_group()
    which.add_argument("--samples", type=Path, metavar="FILE", help="JSON lines of task_id and completion, or solution")
    which.add_argument("--buggy", action="store_true", help="the dataset's wrong programs (default: its right ones)")
    group.add_argument("--k", type=options.positive, nargs="+", default=[1], metavar="K", help="of pass@k (default 1)")
    group.add_argument("--limit", type=options.positive, metavar="N", help="the first N problems alone")


def chosen(given: argparse.Namespace) -> Chosen:
    """The submissions that the options ask for.

    Raises:
        CliError: a file is missing, or not in the format that it should be in.
    """
    from sandbox_service import datasets

    if given.problems is None:
        raise CliError("--dataset needs --file", usage=True)
    if given.dataset not in datasets.DATASETS:
        raise CliError(f"there is no dataset {given.dataset!r}: {', '.join(datasets.DATASETS)}", usage=True)
    try:
        problems = datasets.problems(given.dataset, given.problems)[: given.limit]
        if given.samples:
            return list(datasets.samples(given.samples, {problem.id: problem for problem in problems}))
    except datasets.FormatError as error:
        raise CliError(str(error)) from None
    return [(problem.id, each) for problem in problems for each in _own(problem, buggy=given.buggy)]


def _own(problem: Problem, *, buggy: bool) -> list[dict[str, Any]]:
    programs = problem.buggy if buggy else problem.references
    return [problem.submission(program, language) for language, program in programs]


def table(submissions: Chosen, results: Sequence[Result], ks: Sequence[int]) -> Any:
    """pass@k for each k; who failed by our fault is no sample."""
    from rich.table import Table

    from sandbox_service.cli.screen import number
    from sandbox_service.datasets import pass_at_k

    counted = counts(submissions, results)
    shown = Table("problems", "samples", "right", *(f"pass@{k}" for k in ks))
    every, right = (str(sum(column)) for column in zip(*counted.values(), strict=True)) if counted else ("0", "0")
    shown.add_row(str(len(counted)), every, right, *(number(pass_at_k(counted.values(), k)) for k in ks))
    return shown


def counts(submissions: Chosen, results: Sequence[Result]) -> Mapping[str, tuple[int, int]]:
    """Of each problem, how many samples have a verdict and how many are accepted."""
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for (problem, _), result in zip(submissions, results, strict=True):
        if result.verdict is not None:
            found[problem][0] += 1
            found[problem][1] += result.verdict == "accepted"
    return {problem: (each[0], each[1]) for problem, each in found.items()}
