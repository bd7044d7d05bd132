"""All attacks."""

from __future__ import annotations

from tests.attacks import bombs, calls, compilers, kernel, left, options, root, walls

MODULES = (calls, walls, root, kernel, options, bombs, left, compilers)
ATTACKS = [attack for module in MODULES for attack in module.ATTACKS]


def filled(text: str, words: dict[str, str]) -> str:
    """A text of an attack with what the host has instead of the words for it."""
    for word, value in words.items():
        text = text.replace(word, value)
    return text
