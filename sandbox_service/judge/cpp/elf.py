"""Whether a compiled program runs code of the solution before the harness has taken its words from descriptor 3.

There are two ways to that, and honest programs use neither: functions that are chosen while the program is loaded
(`__attribute__((ifunc))`), and a loader of one's own. Only a look at the finished file shows them all.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

_IRELATIVE = {62: 37, 183: 1032}
"""By machine (x86-64, aarch64): the relocation whose value a function computes."""
_INTERPRETER = 3
_RELA, _DYNSYM = 4, 11
_GNU_IFUNC = 10


def early(binary: bytes) -> str | None:
    """Why a program cannot be trusted to start with the harness; `None` if it can.

    Reads a little-endian ELF file of 64 bits; anything else is not what our compiler makes.
    """
    try:
        return _early(binary)
    except (struct.error, OverflowError):
        return "the compiled program cannot be read"


def _early(binary: bytes) -> str | None:
    if binary[:6] != b"\x7fELF\x02\x01":
        return "the compiled program cannot be read"
    (machine,) = struct.unpack_from("<H", binary, 18)
    chosen = _IRELATIVE.get(machine)
    interpreters = [binary[offset : offset + size] for kind, offset, size in _segments(binary) if kind == _INTERPRETER]
    if any(b"/../" in path or not path.startswith((b"/lib/", b"/lib64/")) for path in interpreters):
        return "the program brings a loader of its own"
    for kind, offset, size in _sections(binary):
        content = binary[offset : offset + size]
        if kind == _RELA and any(info & 0xFFFFFFFF == chosen for _, info, _ in _triples(content)):
            return "the program chooses functions while it is loaded"
        if kind == _DYNSYM and any(info & 15 == _GNU_IFUNC and section for info, section in _symbols(content)):
            return "the program chooses functions while it is loaded"
    return None


def _segments(binary: bytes) -> Iterator[tuple[int, int, int]]:
    (at,) = struct.unpack_from("<Q", binary, 32)
    size, count = struct.unpack_from("<HH", binary, 54)
    for number in range(count):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", binary, at + number * size)
        yield kind, offset, length


def _sections(binary: bytes) -> Iterator[tuple[int, int, int]]:
    (at,) = struct.unpack_from("<Q", binary, 40)
    size, count = struct.unpack_from("<HH", binary, 58)
    for number in range(count):
        _, kind, _, _, offset, length = struct.unpack_from("<IIQQQQ", binary, at + number * size)
        yield kind, offset, length


def _triples(content: bytes) -> Iterator[tuple[int, int, int]]:
    return struct.iter_unpack("<QQq", content[: len(content) // 24 * 24])


def _symbols(content: bytes) -> Iterator[tuple[int, int]]:
    for _, info, _, section, _, _ in struct.iter_unpack("<IBBHQQ", content[: len(content) // 24 * 24]):
        yield info, section
