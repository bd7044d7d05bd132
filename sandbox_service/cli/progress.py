"""The progress bar of commands that score."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from sandbox_service.client._score import Progress as Called


@contextmanager
def bar(title: str, total: int) -> Iterator[Called]:
    """A bar on stderr while scoring; gives what the SDK is to call."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(title, total=total)
        yield lambda done, _total: progress.update(task, completed=done)
