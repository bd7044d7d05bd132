"""Finding the program in a model's answer: fenced blocks of Markdown."""

from __future__ import annotations

import re

from sandbox_service.languages.registry import Language

# A fence is three or more backticks or tildes at a line's start; the block ends at a fence as long, or with the text.
_FENCE = re.compile(rb"^ {0,3}(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^\n`]*)$")


def extract(text: bytes, language: Language, mode: str) -> bytes | None:
    """The program in a text.

    Args:
        text: what the model wrote.
        language: blocks marked with its name come before all others.
        mode: `fenced`: the last block of the language, else the last block;
            `fenced_or_all`: likewise, and the whole text if there is no block.

    Returns:
        The block's content, `None` if there is none.
    """
    found = blocks(text)
    own = [content for name, content in found if name in language.fence_names]
    chosen = own or [content for _, content in found]
    if chosen:
        return chosen[-1]
    return text if mode == "fenced_or_all" else None


def blocks(text: bytes) -> list[tuple[str, bytes]]:
    """All closed blocks, and an open one at the end, as (language's name, content)."""
    found, name, fence, lines = [], "", b"", list[bytes]()
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line.rstrip(b"\r\n"))
        if not fence:
            if mark:
                fence, lines = mark["fence"], []
                name = (mark["info"].split() or [b""])[0].decode("utf-8", "replace").lower().strip("{}.")
        elif mark and not mark["info"].strip() and mark["fence"].startswith(fence):
            found.append((name, b"".join(lines)))
            fence = b""
        else:
            lines.append(line)
    if fence:
        found.append((name, b"".join(lines)))
    return found
