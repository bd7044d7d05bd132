"""Standard input and output of a solution, as its tests see them."""

from __future__ import annotations

import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PRINTED = 256 << 10  # bytes that come along with an answer


class Output(io.RawIOBase):
    """The standard output, which also keeps what is written to it for the examiner."""

    def __init__(self) -> None:
        self.kept = bytearray()
        self.old = old = sys.stdout  # kept, lest it closes descriptor 1 when it goes
        encoding, errors = getattr(old, "encoding", "utf-8"), getattr(old, "errors", "strict")
        self.text = io.TextIOWrapper(io.BufferedWriter(self), encoding, errors)
        sys.stdout = sys.__stdout__ = self.text  # type: ignore[misc]

    def writable(self) -> bool:
        """It is."""
        return True

    def fileno(self) -> int:
        """The descriptor behind it."""
        return 1

    def write(self, data: Any) -> int:
        """Write, and keep as much as is told."""
        self.kept += bytes(data[: max(0, PRINTED - len(self.kept))])
        return os.write(1, data)

    def taken(self) -> str:
        """What has been written since it was asked last. Writes it out."""
        try:
            self.text.flush()
        except (OSError, ValueError):
            pass
        text, self.kept = self.kept.decode("utf-8", "replace"), bytearray()
        return text


class Input(io.TextIOBase):
    """The standard input: what the test text has put in place of its own, or nothing."""

    def __init__(self, host: Any) -> None:
        self.host, self.buffer = host, getattr(sys.stdin, "buffer", None)

    def readable(self) -> bool:
        """It is."""
        return True

    def readline(self, size: Any = -1) -> Any:
        """The next line."""
        return self.host.ask("read_line") if self.host.serving else ""

    def read(self, size: Any = -1) -> str:
        """All that is left."""
        return "".join(self)
