"""Which block of an answer is the program, by SandboxFusion's rule."""

from __future__ import annotations

from sandbox_service.languages import Language, blocks


def first_block(text: bytes, language: Language | None) -> bytes | None:
    """The first fenced block of a language, else the first of all; `None` if there is none."""
    found = blocks(text)
    names = set() if language is None else language.fence_names
    own = [content for name, content in found if name in names]
    return next(iter(own or [content for _, content in found]), None)
