"""A problem of a dataset: what is asked, and programs of which it is known whether they are right."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]


class FormatError(ValueError):
    """A row that is not in the format of its dataset."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem.

    Attributes:
        id: unique in its dataset.
        body: a submission without its program.
        prefix: what a completion goes on from; empty where it is a whole program.
        suffix: what follows a completion.
        references: whole programs that are right, by language where that is not the problem's.
        buggy: whole programs that are wrong, likewise.
    """

    id: str
    body: dict[str, Any]
    prefix: str = ""
    suffix: str = ""
    references: list[tuple[str, str]] = field(default_factory=list)
    buggy: list[tuple[str, str]] = field(default_factory=list)

    def submission(self, program: str, language: str | None = None) -> dict[str, Any]:
        """The submission of a whole program."""
        own = {"language": language} if language else {}
        return self.body | own | {"code": program, "metadata": {"problem": self.id}}

    def completed(self, completion: str) -> dict[str, Any]:
        """The submission of a completion."""
        return self.submission(f"{self.prefix}{completion}{self.suffix}")


def text(row: Row, *names: str, default: str | None = None) -> str:
    """The first of these fields that a row has.

    Raises:
        FormatError: it has none, and there is no default.
    """
    for name in names:
        if isinstance(value := row.get(name), str):
            return value
    if default is None:
        raise FormatError(f"there is no field {' or '.join(names)}")
    return default


def nested(row: Row, name: str) -> Any:
    """A field that is JSON, or JSON as text.

    Raises:
        FormatError: it is not there, or no JSON.
    """
    value = row.get(name)
    if value is None:
        raise FormatError(f"there is no field {name}")
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError as error:
        raise FormatError(f"{name} is no JSON: {error}") from None


def assertions(code: str, setup: str = "", entry_point: str | None = None) -> dict[str, Any]:
    """A task of type `assertions`."""
    named = {"entry_point": entry_point} if entry_point else {}
    return {"type": "assertions", "code": code, **({"setup": setup} if setup else {}), **named}


def stdio(inputs: list[str], outputs: list[str], compare: dict[str, Any]) -> dict[str, Any]:
    """A task of type `stdio`.

    Raises:
        FormatError: there are no cases, or as many outputs as inputs.
    """
    if not inputs or len(inputs) != len(outputs):
        raise FormatError(f"{len(inputs)} inputs and {len(outputs)} outputs")
    cases = [{"stdin": stdin, "expected": expected} for stdin, expected in zip(inputs, outputs, strict=True)]
    return {"type": "stdio", "cases": cases, "compare": compare}
