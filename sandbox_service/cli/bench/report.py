"""The figures: as a table, as JSON, as a picture."""

from __future__ import annotations

import json
import statistics
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sandbox_service.cli.errors import CliError


@dataclass(slots=True)
class Row:
    """One way of sending one workload.

    Attributes:
        name: of the workload.
        way: how it was sent.
        clients: at once; 0: as many as there were arrivals under way.
        runs: submissions.
        runs_per_second: of all clients together.
        times_naive: that beside the plain subprocess of the same call.
        times: seconds of each, where each was waited for.
        cpu_ms: of a run, where it is not known by part.
        cpu_ms_by_part: of a submission, at the client and at each part of a service of our own.
        refused: submissions for which the service had no room.
    """

    name: str
    way: str
    clients: int
    runs: int
    runs_per_second: float
    times_naive: float = 0.0
    times: list[float] = field(default_factory=list)
    cpu_ms: float | None = None
    cpu_ms_by_part: dict[str, float] = field(default_factory=dict)
    refused: int = 0

    @property
    def cpu(self) -> float | None:
        """CPU milliseconds of a submission, all parts together."""
        return sum(self.cpu_ms_by_part.values()) if self.cpu_ms_by_part else self.cpu_ms

    def latency_ms(self, percent: int) -> float | None:
        """The time within which so many of a hundred had their result, milliseconds."""
        if len(self.times) < 2:
            return None
        return statistics.quantiles(self.times, n=100, method="inclusive")[percent - 1] * 1e3

    def figures(self) -> dict[str, Any]:
        """As JSON; without each single time."""
        return {
            "workload": self.name,
            "way": self.way,
            "clients": self.clients,
            "runs": self.runs,
            "runs_per_second": self.runs_per_second,
            "times_naive": self.times_naive,
            "p50_ms": self.latency_ms(50),
            "p99_ms": self.latency_ms(99),
            "cpu_ms": self.cpu,
            "cpu_ms_by_part": self.cpu_ms_by_part,
            "refused": self.refused,
        }


def show(rows: list[Row]) -> None:
    """Print a table."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(
        "workload", "way", "clients", "runs/s", "x naive", "p50 ms", "p99 ms", "CPU ms", "of it", box=box.SIMPLE
    )
    for row in rows:
        parts = " ".join(f"{part} {ms:.1f}" for part, ms in row.cpu_ms_by_part.items())
        latency = [_number(row.latency_ms(percent)) for percent in (50, 99)]
        rate, clients = f"{row.runs_per_second:.1f}", str(row.clients or "-")
        refused = f"; {row.refused} refused" if row.refused else ""
        table.add_row(
            row.name, row.way + refused, clients, rate, f"{row.times_naive:.2f}", *latency, _number(row.cpu), parts
        )
    Console(width=140).print(table)


def write_json(rows: list[Row], path: Path) -> None:
    """Write the figures to a file."""
    path.write_text(json.dumps([row.figures() for row in rows], indent=1) + "\n")


def draw(rows: list[Row], path: Path) -> None:
    """Draw runs a second beside those of a plain subprocess.

    Raises:
        CliError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure  # type: ignore[import-not-found,unused-ignore]
    except ModuleNotFoundError:
        raise CliError("--png wants matplotlib: pip install matplotlib") from None
    figure = Figure(figsize=(9, 1 + 0.35 * len(rows)), layout="constrained")
    axes = figure.subplots()
    names = [f"{row.name}, {row.way}, {row.clients}" if row.way else row.name for row in rows]
    axes.barh(names, [row.times_naive for row in rows])
    axes.axvline(1.0, color="black", linewidth=1)
    axes.invert_yaxis()
    axes.set_xlabel("runs a second, as a multiple of a plain subprocess's")
    figure.savefig(path)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
