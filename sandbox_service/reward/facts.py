"""What is known of a submission that finished: all that a reward is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sandbox_service.contract.result import CaseResult, CompileResult

Rounds = Sequence[Sequence[CaseResult]]
"""The cases of a task, each time that they were run."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A program that was run several times; in turn with a reference, where there is one."""

    own: Rounds
    reference: Rounds = ()


@dataclass(frozen=True, slots=True)
class Analysed:
    """Of each check how much was found right, and how much there was; or why nothing can be said of the text."""

    counts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Impact:
    """A change to Python files; all as `path::qualified.name`, a module as its path alone.

    Attributes:
        changed: what was changed, added or removed.
        dependents: what uses any of that, directly or through others.
        to_adapt: direct users of what was removed, or takes other arguments.
        fault: why nothing can be said.
    """

    changed: frozenset[str] = frozenset()
    dependents: frozenset[str] = frozenset()
    to_adapt: frozenset[str] = frozenset()
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """What a scoring program said, or what is said of one that this solution broke."""

    value: float
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """What a reward may be made of.

    Attributes:
        cases: all cases of the submission, those skipped included.
        compiled: what the compiler did, `None` where there is none.
        text: what the model wrote, before anything was extracted.
        steps: the rewards of the submission's steps.
        found: by the key of a component, what was found out for it alone.
    """

    cases: Sequence[CaseResult]
    compiled: CompileResult | None = None
    text: bytes = b""
    steps: Sequence[float] = ()
    found: Mapping[str, Measured | Analysed | Impact | Scored] = field(default_factory=dict)


Valued = tuple[float, str | None]
"""What a component is worth, in [0, 1], and why."""
