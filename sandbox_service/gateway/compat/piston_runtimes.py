"""Piston's runtimes: languages under a name and a version, and those that judge."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from sandbox_service.gateway import fleet
from sandbox_service.gateway.state import Gateway

UNKNOWN_VERSION = "0.0.0"
# Piston's names; clients have them in their code.
NAMES = {"cpp": "c++"}
JUDGES = {
    "c++17": ("cpp", ["-std=gnu++17"], ["cf_c++17", "C++17 (GCC 7-32)", "C++17 (GCC 9-64)"]),
    "c++20": ("cpp", ["-std=gnu++20"], ["cf_c++20", "C++20 (GCC 11-64)", "C++20 (GCC 13-64)"]),
    "c++14": ("cpp", ["-std=gnu++14"], ["cf_c++14", "C++14 (GCC 6-32)"]),
    "c++11": ("cpp", ["-std=gnu++11"], ["cf_c++11"]),
    "cf_c++": ("cpp", [], ["GNU C++"]),
    "cf_python3": ("python", [], ["Python 3"]),
    "cf_java": ("java", [], ["Java 17"]),
}
"""Of the package `codeforces`: by language, ours, its flags and further names."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """One runtime; `judges`: what it runs is compared with an expected output, as the package `codeforces` does."""

    id: str
    language: str
    version: str
    aliases: list[str]
    flags: list[str] = field(default_factory=list)
    judges: bool = False

    def answers_to(self, language: str, version: str) -> bool:
        """Whether a request means this one. A version is `*`, a number or the first parts of it, `x` for any part."""
        asked = version.strip().lstrip("^~=v")
        parts = [part for part in asked.split(".") if part not in ("x", "X", "*", "")]
        known = self.version.split(".")
        whole = bool(re.fullmatch(r"[\d.xX*]+", asked))
        return language in (self.language, *self.aliases) and whole and parts == known[: len(parts)]

    def view(self) -> dict[str, Any]:
        """As `/runtimes` lists it."""
        return {"language": self.language, "version": self.version, "aliases": self.aliases}


async def runtimes(gateway: Gateway) -> list[Runtime]:
    """What the workers can run now; plain ones first."""
    offered = {language["id"]: language for language in fleet.languages(await gateway.fleet.workers())}
    found = [_plain(gateway, id, language) for id, language in offered.items()]
    for name, (id, flags, aliases) in JUDGES.items():
        if id in offered:
            found.append(Runtime(id, name, _version(offered[id]), aliases, flags, judges=True))
    return found


def _plain(gateway: Gateway, id: str, language: dict[str, Any]) -> Runtime:
    known = gateway.admission.languages.get(id)
    aliases = [] if known is None else [*known.aliases, *(one.lstrip(".") for one in known.extensions)]
    name = NAMES.get(id, id)
    return Runtime(id, name, _version(language), sorted({id, *aliases} - {name}))


def _version(language: dict[str, Any]) -> str:
    return language["version"] or UNKNOWN_VERSION
