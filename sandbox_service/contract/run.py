"""One command to run in a sandbox: what is asked of an executor. `outcome.py` has what comes back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from sandbox_service.contract.limits import RunLimits

Preload = Literal["none", "stdlib", "numpy"]
"""What a Python that has started already has read: nothing, what programs often import of the library, numpy too."""
ARTIFACT_COUNT, ARTIFACT_BYTES, ARTIFACTS_BYTES = 64, 1 << 20, 8 << 20


@dataclass(frozen=True, slots=True)
class File:
    """A file that is laid into the work dir before the run."""

    content: bytes
    executable: bool = False


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One command to run.

    Attributes:
        command: argument list; the first is a path, absolute or below the work dir.
        limits: what the run is held to.
        files: files of the work dir by path.
        stdin: all of its standard input.
        environment: further variables.
        collect: globs of files to hand back afterwards.
        collect_each: the largest file that is handed back, bytes.
        collect_total: all of them together, bytes.
        channel: ends of two pipes of ours, to read and to write, that the program finds as its descriptors 3 and 4.
            The run owns them: they are closed here once the program has them, or once it cannot have them any more.
        warm: the command is `python3 FILE ...` or `python3 -c TEXT ...` of the sandbox's own Python, and may be run by
            one that has started already. It is run by a fresh one where that could make a difference.
        kept: the TEXT of such a command is one of ours, and the same for many submissions: a sandbox may keep what all
            of it but its last line has defined, and run only that line from then on.
        seccomp: the filter of system calls for this machine, an array of `struct sock_filter`; that of the policy
            `default` where none is given.
    """

    command: list[bytes]
    limits: RunLimits
    files: dict[str, File] = field(default_factory=dict)
    stdin: bytes = b""
    environment: dict[str, str] = field(default_factory=dict)
    collect: tuple[str, ...] = ()
    collect_each: int = ARTIFACT_BYTES
    collect_total: int = ARTIFACTS_BYTES
    channel: tuple[int, int] | None = None
    warm: bool = False
    kept: bool = False
    seccomp: bytes | None = None
