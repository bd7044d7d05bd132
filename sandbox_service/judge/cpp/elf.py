"""What a compiled program may not be: one that gets ahead of the harness, or between the tests and the library.

Functions that are chosen while the program is loaded (`__attribute__((ifunc))`), and a loader of its own, would run
before the harness has taken its words from descriptor 3. Functions by the names of the C library's are called by the
library itself too: a `memmove` sees each expected value that is made. Honest programs have neither, and only a look at
the finished file shows them all.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

_IRELATIVE = {62: 37, 183: 1032}
"""By machine (x86-64, aarch64): the relocation whose value a function computes."""
_INTERPRETER = 3
_RELA, _DYNSYM = 4, 11
_GNU_IFUNC = 10
_TAKEN = {
    b"__assert_fail", b"__cxa_throw", b"__libc_start_main", b"_Unwind_RaiseException", b"bcmp", b"memcmp", b"memcpy",
    b"memmove", b"memset", b"strcmp", b"strlen",
}  # fmt: skip
"""Names that a C++ program has to leave to the library; a C program may well have its own `strlen`."""


class _Section(NamedTuple):
    kind: int
    offset: int
    size: int
    link: int


def refusal(binary: bytes, language: str = "cpp") -> str | None:
    """Why a program must not be run as a test; `None` if it may.

    Reads a little-endian ELF file of 64 bits; anything else is not what our compiler makes.
    """
    try:
        return _refusal(binary, language)
    except (struct.error, OverflowError, IndexError):
        return "the compiled program cannot be read"


def _refusal(binary: bytes, language: str) -> str | None:
    if binary[:6] != b"\x7fELF\x02\x01":
        return "the compiled program cannot be read"
    (machine,) = struct.unpack_from("<H", binary, 18)
    if not all(path.startswith((b"/lib/", b"/lib64/")) and b"/../" not in path for path in _interpreters(binary)):
        return "the program brings a loader of its own"
    sections = list(_sections(binary))
    for section in sections:
        content = binary[section.offset : section.offset + section.size]
        if section.kind == _RELA and any(kind == _IRELATIVE.get(machine) for kind in _relocations(content)):
            return "the program chooses functions while it is loaded"
        if section.kind == _DYNSYM:
            names = sections[section.link]
            for kind, name in _defined(content, binary[names.offset : names.offset + names.size]):
                if kind == _GNU_IFUNC:
                    return "the program chooses functions while it is loaded"
                if language == "cpp" and name in _TAKEN:
                    return f"the program has a {name.decode()} of its own"
    return None


def _interpreters(binary: bytes) -> Iterator[bytes]:
    (at,) = struct.unpack_from("<Q", binary, 32)
    step, count = struct.unpack_from("<HH", binary, 54)
    for number in range(count):
        kind, _, offset, _, _, size = struct.unpack_from("<IIQQQQ", binary, at + number * step)
        if kind == _INTERPRETER:
            yield binary[offset : offset + size]


def _sections(binary: bytes) -> Iterator[_Section]:
    (at,) = struct.unpack_from("<Q", binary, 40)
    step, count = struct.unpack_from("<HH", binary, 58)
    for number in range(count):
        _, kind, _, _, offset, size, link = struct.unpack_from("<IIQQQQI", binary, at + number * step)
        yield _Section(kind, offset, size, link)


def _relocations(content: bytes) -> Iterator[int]:
    for _, info, _ in struct.iter_unpack("<QQq", content[: len(content) // 24 * 24]):
        yield info & 0xFFFFFFFF


def _defined(content: bytes, names: bytes) -> Iterator[tuple[int, bytes]]:
    """The types and names of symbols that the program itself has."""
    for at, info, _, section, _, _ in struct.iter_unpack("<IBBHQQ", content[: len(content) // 24 * 24]):
        if section:
            yield info & 15, names[at : max(names.find(b"\0", at), at)]
