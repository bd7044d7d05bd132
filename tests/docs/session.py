"""Runs the blocks of a page, as a reader would who follows it from top to bottom."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.docs.blocks import Block

DOCUMENTED_URL = "http://127.0.0.1:8000"
SECONDS = 1800


@dataclass
class Session:
    """A folder, a Python and a shell, for one page.

    Attributes:
        folder: where files are laid and commands run.
        url: the service that stands for the one at `DOCUMENTED_URL`.
        programs: the folder whose `python` and `sandbox-service` the shell finds.
    """

    folder: Path
    url: str
    programs: Path
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def follow(self, blocks: Sequence[Block]) -> None:
        """Do all that a page says, and compare what comes of it with what it shows."""
        printed: str | None = None
        for block in blocks:
            if block.is_output:
                assert printed is not None, f"{block}: no block before this output was run"
                expect(block, printed)
            elif block.is_file:
                self._lay(block)
            elif block.runs:
                printed = self._run(block).replace(self.url, DOCUMENTED_URL)
            else:
                printed = printed if block.reason is None else None

    def _lay(self, block: Block) -> None:
        assert block.title is not None
        path = self.folder / block.title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text.replace(DOCUMENTED_URL, self.url), encoding="utf-8")

    def _run(self, block: Block) -> str:
        text = block.text.replace(DOCUMENTED_URL, self.url)
        return self._python(block, text) if block.language == "python" else self._shell(block, text)

    def _python(self, block: Block, text: str) -> str:
        padding = "\n" * (block.line - 1)  # so that a traceback names the page's line
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.chdir(self.folder):
            exec(
                compile(padding + text, block.page, "exec", dont_inherit=True), self.names
            )  # our own text, from this repository
        return out.getvalue()

    def _shell(self, block: Block, text: str) -> str:
        path = f"{self.programs}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text],
            cwd=self.folder,
            env=os.environ | {"PATH": path, "SANDBOX_URL": self.url, "COLUMNS": "100"},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{block}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout


def expect(block: Block, printed: str) -> None:
    """Compare; `...` in the page stands for anything, and on a line of its own for any lines."""
    assert re.fullmatch(pattern(block.text), tidy(printed)), (
        f"{block}: the page shows\n{block.text}\nbut it prints\n{printed}"
    )


def pattern(shown: str) -> str:
    """A regular expression for what a page shows."""
    lines = [
        "(?:.*\n)*" if line.strip() == "..." else "[^\n]*".join(map(re.escape, line.split("..."))) + "\n"
        for line in tidy(shown).splitlines()
    ]
    return "".join(lines)


def tidy(text: str) -> str:
    """Text without white space at the ends of lines, and with a newline at its end."""
    return "".join(f"{line.rstrip()}\n" for line in text.rstrip().splitlines())
