"""Files of datasets and of samples: JSON lines or one JSON list, compressed or not."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sandbox_service.datasets import completions, contests
from sandbox_service.datasets.problem import FormatError, Problem, Row

DATASETS: Mapping[str, Callable[[Row], Problem]] = MappingProxyType(
    {
        "humaneval": completions.humaneval,
        "mbpp": completions.mbpp,
        "evalplus": completions.evalplus,
        "apps": contests.apps,
        "code_contests": contests.code_contests,
        "livecodebench": contests.livecodebench,
        "humanevalpack": completions.humanevalpack,
        "mbxp": completions.mbxp,
    }
)


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file.

    Raises:
        FormatError: it is no JSON; the message names the line.
        OSError: it cannot be read.
    """
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        if file.read(1) == "[":
            file.seek(0)
            yield from map(_object, json.load(file))
            return
        file.seek(0)
        for number, line in enumerate(file, start=1):
            if line.strip():
                try:
                    yield _object(json.loads(line))
                except ValueError as error:
                    raise FormatError(f"{path}, line {number}: {error}") from None


def problems(dataset: str, path: Path) -> list[Problem]:
    """The problems of a file in the format of one of `DATASETS`.

    Raises:
        FormatError: a row is not; the message names it.
    """
    found = []
    for number, row in enumerate(rows(path), start=1):
        try:
            found.append(DATASETS[dataset](row))
        except (FormatError, KeyError, TypeError, AttributeError) as error:
            raise FormatError(f"{path}, row {number}, is not in the format of {dataset}: {error}") from None
    return found


def samples(path: Path, known: Mapping[str, Problem]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Samples of a model, (problem, submission): rows of `task_id` and `completion`, or `solution`, a whole program.

    Raises:
        FormatError: a row has neither, or names no problem.
    """
    for number, row in enumerate(rows(path), start=1):
        problem = known.get(str(row.get("task_id")))
        if problem is None:
            raise FormatError(f"{path}, row {number}: there is no problem {row.get('task_id')!r}")
        if isinstance(row.get("solution"), str):
            yield problem.id, problem.submission(row["solution"], row.get("language"))
        elif isinstance(row.get("completion"), str):
            yield problem.id, problem.completed(row["completion"])
        else:
            raise FormatError(f"{path}, row {number}: there is neither completion nor solution")


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormatError("a row is a JSON object")
    return value
