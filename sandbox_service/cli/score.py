"""`score`: score a file of submissions."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox_service.cli import dataset, options
from sandbox_service.cli.errors import CliError

if TYPE_CHECKING:
    from sandbox_service import Result


def main(argv: list[str]) -> int:
    """Score a file; exit code 1 if a submission got no reward because the service failed."""
    given = _parser().parse_args(argv)

    from rich.console import Console

    from sandbox_service import Client
    from sandbox_service.cli.progress import bar

    if (given.file is None) == (given.dataset is None):
        raise CliError("give either FILE.jsonl or --dataset", usage=True)
    of_dataset = dataset.chosen(given) if given.dataset else []

    def submissions() -> Iterator[dict[str, Any]]:
        return _submissions(given.file) if given.file else (body for _, body in of_dataset)

    count = sum(1 for _ in submissions())  # reads it all once: a wrong line is found before anything is sent
    if not count:
        raise CliError(f"{given.file or given.problems} holds no submission")
    with Client(given.url, patience=options.PATIENCE_SECONDS) as client:
        client.languages()  # is somebody there?
    with Client(given.url) as client, bar("scoring", count) as progress:
        results = client.score(submissions(), in_flight=given.in_flight, progress=progress)
    if given.out:
        _write(given.out, results)
    Console().print(table(results))
    if of_dataset:
        Console().print(dataset.table(of_dataset, results, given.k))
    return 1 if any(result.reward is None for result in results) else 0


def _parser() -> argparse.ArgumentParser:
    parser = options.parser("score", "Score a file of submissions, one JSON object a line, or a dataset.")
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE.jsonl")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write the results there, one a line, in the same order"
    )
    parser.add_argument(
        "--in-flight", type=options.positive, default=1_000, metavar="N", help="the most at once (default 1000)"
    )
    dataset.add(parser)
    options.add_url(parser)
    return parser


def _submissions(path: Path) -> Iterator[dict[str, Any]]:
    from sandbox_service.contract import parse
    from sandbox_service.contract.problem import ProblemError

    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                submission = parse.loads(line)
            except ProblemError as error:
                raise CliError(f"{path}, line {number}: {error}") from None
            if not isinstance(submission, dict):
                raise CliError(f"{path}, line {number}: a submission is a JSON object")
            yield submission


def _write(path: Path, results: Sequence[Result]) -> None:
    from sandbox_service.contract import parse

    with path.open("wb") as file:
        file.writelines(parse.dumps(result.model_dump()) + b"\n" for result in results)


def table(results: Sequence[Result]) -> Any:
    """A table of the results by verdict; what has none by its state."""
    from rich.table import Table

    from sandbox_service.cli.screen import number, verdict

    rewards: dict[str, list[float]] = defaultdict(list)
    counts: dict[str, int] = defaultdict(int)
    for result in results:
        name = str(result.verdict or result.state)
        counts[name] += 1
        rewards[name] += [] if result.reward is None else [result.reward]
    shown = Table("verdict", "submissions", "mean reward")
    for name in sorted(counts, key=lambda name: -counts[name]):
        shown.add_row(verdict(name), str(counts[name]), number(mean(rewards[name])))
    shown.add_section()
    every = [reward for some in rewards.values() for reward in some]
    shown.add_row("all", str(len(results)), number(mean(every)))
    return shown


def mean(values: Sequence[float]) -> float | None:
    """The mean, of nothing `None`."""
    return sum(values) / len(values) if values else None
