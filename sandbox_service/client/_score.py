"""Many submissions: cut into batches, counted as they end, results in the order of the submissions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import TYPE_CHECKING, Any, TextIO

from sandbox_service.client import _wire

if TYPE_CHECKING:
    from sandbox_service.contract.result import Result

Progress = Callable[[int, int | None], None]
"""Called with how many have ended and how many there are (`None` where that is not known yet)."""

BATCH_SIZE = 200
IN_FLIGHT = 1_000
BATCH_BYTES = 32 * 1024 * 1024
"""A batch also ends here: the service takes bodies of at most 160 MiB."""


def batches(submissions: Iterable[Any], size: int) -> Iterator[tuple[int, list[bytes]]]:
    """Encoded submissions in batches, each with the place of its first one; read only as far as needed."""
    first, lines, weight = 0, list[bytes](), 0
    for submission in submissions:
        line = _wire.encode(submission)
        if lines and (len(lines) >= size or weight + len(line) > BATCH_BYTES):
            yield first, lines
            first, lines, weight = first + len(lines), [], 0
        lines.append(line)
        weight += len(line)
    if lines:
        yield first, lines


class Tally:
    """The results so far."""

    def __init__(self, submissions: Iterable[Any], progress: bool | Progress) -> None:
        self._results: dict[int, Result] = {}
        self._total = len(submissions) if isinstance(submissions, Sized) else None
        self._progress = Bar() if progress is True else progress or None

    def ended(self, index: int, result: Result) -> None:
        """Count a result in."""
        self._results[index] = result
        if self._progress:
            self._progress(len(self._results), self._total)

    def in_order(self) -> list[Result]:
        """All results, in the order of the submissions."""
        return [self._results[index] for index in range(len(self._results))]


class Bar:
    """A progress bar of plain text; on a stream that is no terminal, the last line alone."""

    def __init__(self, stream: TextIO | None = None, width: int = 30) -> None:
        self._stream, self._width = stream or sys.stderr, width

    def __call__(self, done: int, total: int | None) -> None:
        """Draw it."""
        whole = total is not None and done >= total
        if not (self._stream.isatty() or whole):
            return
        filled = self._width * done // total if total else 0
        bar = f"[{'#' * filled}{'.' * (self._width - filled)}] " if total else ""
        self._stream.write(f"\r{bar}{done}{f'/{total}' if total else ''} scored{chr(10) if whole else ''}")
        self._stream.flush()
