"""Programs that look at texts in a sandbox. Plain text here: none of it is run, or imported, by the service."""

import functools
from pathlib import Path

from sandbox_service.judge.inside.python import PYTHON, program

HERE = Path(__file__).parent
COMPLIANCE, IMPACT, MATHEMATICS = ("compliance",), ("graph", "impact"), ("mathematics",)


@functools.cache
def command(parts: tuple[str, ...]) -> tuple[bytes, ...]:
    """The command that runs a program made of these files; it reads JSON from its standard input."""
    # No other option: a Python that has started already is to take it over.
    return PYTHON, b"-c", program("\n".join((HERE / f"{part}.py").read_text() for part in parts)).encode()
