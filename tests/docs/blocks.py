"""Reads the fenced blocks of a page.

What a block is for stands in its first line: `python` and `sh` are run, in the order of the page; `text title="Output"`
is what the block before it prints; any other block with a file's name for a title is laid into the folder of the page.
A block that cannot be run has a comment on the line before it: `<!-- not run: the reason -->`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUN = ("python", "sh")
OUTPUT = "Output"

_FENCE = re.compile(r"^(?P<indent> *)(?P<fence>```+)(?P<language>[\w+-]*)(?: +title=\"(?P<title>[^\"]+)\")?.*$")
_REASON = re.compile(r"^ *<!-- not run: (.+) -->$")
_SNIPPET = re.compile(r"^ *--8<-- \"(.+)\"$")


@dataclass(frozen=True)
class Block:
    """One fenced block, and the line where its text begins."""

    page: str
    line: int
    language: str
    title: str | None
    text: str
    reason: str | None = None

    @property
    def runs(self) -> bool:
        return self.language in RUN and self.title is None and self.reason is None

    @property
    def is_output(self) -> bool:
        return self.title == OUTPUT

    @property
    def is_file(self) -> bool:
        return self.title is not None and not self.is_output

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def pages() -> list[str]:
    """All pages that may hold blocks, by their path from the top of the repository."""
    return ["README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]


def blocks(page: str) -> list[Block]:
    """The blocks of a page, in order."""
    return list(_read(page, (ROOT / page).read_text(encoding="utf-8").splitlines()))


def _read(page: str, lines: list[str]) -> Iterator[Block]:
    number = 0
    while number < len(lines):
        if found := _FENCE.match(lines[number]):
            reason = _REASON.match(lines[number - 1]) if number else None
            end = next(n for n in range(number + 1, len(lines)) if lines[n].strip() == found["fence"])
            indent = len(found["indent"])
            text = "".join(_text(line[indent:]) for line in lines[number + 1 : end])
            yield Block(page, number + 2, found["language"], found["title"], text, reason and reason[1])
            number = end
        number += 1


def _text(line: str) -> str:
    found = _SNIPPET.match(line)
    return (ROOT / found[1]).read_text(encoding="utf-8") if found else f"{line}\n"
