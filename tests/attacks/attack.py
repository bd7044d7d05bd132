"""An attack, and how one layer or several are switched off to show that it is they who stop it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

REACHED = b"REACHED"
"""What an attack prints, or leaves in a file that is handed back, once it has what it wanted."""
Tongue = Literal["python", "warm python", "bash", "javascript", "c", "cpp"]


@dataclass(frozen=True)
class Off:
    """Layers to leave out.

    Attributes:
        seccomp: the filter.
        init: changes of init's text: the file, what stands there, what shall stand there.
        outer: options of the outer wall to leave out.
        seen: paths of the host to show.
        limits: limits to set higher.
        unproved: the proof that a run left nobody behind.
    """

    seccomp: bool = False
    init: tuple[tuple[str, str, str], ...] = ()
    outer: tuple[tuple[str, ...], ...] = ()
    seen: tuple[str, ...] = ()
    limits: dict[str, Any] = field(default_factory=dict)
    unproved: bool = False


@dataclass(frozen=True)
class Attack:
    """A program that tries something.

    Attributes:
        name: of the attack.
        kind: of attack.
        code: the program. `{SECRET}` is a file of the host, `{SOCKET}` a socket of the host, `{NAME}` one without a
            name in the file system, `{PORT}` a port on which the host listens.
        off: the layers that stop it.
        before: what runs before it in the same sandbox.
        collect: files that are handed back; the attack is to have the secret among them.
        limits: limits it is held to, and its compiler if it has one.
        language: of the program and of what runs before it.
        fails_us: what is wanted is a failure of ours.
        long: it takes a second or more to succeed.
    """

    name: str
    kind: str
    code: str
    off: Off
    before: str = ""
    collect: tuple[str, ...] = ()
    limits: dict[str, Any] = field(default_factory=dict)
    language: Tongue = "python"
    fails_us: bool = False
    long: bool = False
