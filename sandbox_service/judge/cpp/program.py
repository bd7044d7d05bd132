"""A solution and its test text as one program that tells, over a descriptor of its own, which cases passed."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sandbox_service.judge.cpp import border
from sandbox_service.judge.cpp.outline import MAX_SITES, Outline, Site, outline, sites
from sandbox_service.judge.cpp.rewrite import Rewriting, ends_plainly, rewrite
from sandbox_service.judge.cpp.values import insertions, known_classes

_INSIDE = Path(__file__).parent.parent / "inside" / "cpp"
_KEY = struct.Struct("<Q")


@dataclass(frozen=True, slots=True)
class Program:
    """What to compile, and what is told of it.

    Attributes:
        files: to lie beside the solution's own files when it is compiled, and not when it runs: they hold the tests.
        sources: what to compile, in this order, in place of the solution's file (which is included).
        arguments: for the end of the compile command.
        sites: the cases.
        asserts: the cases are assertions; else the only one is the whole text.
        keys: what the program itself adds to the words of the cases that pass, and to that of the end.
    """

    files: dict[str, bytes]
    sources: tuple[str, ...]
    arguments: tuple[str, ...]
    sites: tuple[Site, ...]
    asserts: bool
    keys: tuple[int, ...]


def plan(code: bytes) -> list[Site]:
    """The cases of a test text: its assertions; of a text without any, the text."""
    return sites(outline(code))


def program(
    solution: bytes,
    setup: bytes,
    code: bytes,
    *,
    name: str = "main.cpp",
    language: str = "cpp",
    entry_point: str | None = None,
) -> Program:
    """What to compile so that `code` tests a solution.

    Args:
        solution: all text of the submission that may be compiled, one file after the other: the names in it count, and
            what it adds to the library. The file of the name below is included from the work dir.
        setup: text before the solution.
        code: the test text, after it.
        name: of the solution's file that would be compiled.
        language: `cpp` or `c`.
        entry_point: the function that is tested, where it is known.

    Returns:
        The same for the same arguments: nothing in it is secret, only unknown to the solution when it was written.
    """
    digest = _digest(solution, setup, code)
    found = outline(code)
    cases = tuple(sites(found))
    done = _key(digest, MAX_SITES) if ends_plainly(found) else 0
    keys = (*(_key(digest, number) for number in range(len(cases))), done)
    helpers = found.helpers - {entry_point or "main"}
    how = Rewriting(
        cpp=language == "cpp",
        insertions=insertions(found, setup + b"\n" + solution, helpers) if language == "cpp" else [],
        genuine=border.genuine(found, solution, entry_point),
        helpers=helpers,
        key=lambda case: keys[case],
        done=done or None,
    )
    mark = f"j{digest.hex()[:30]}"
    files = {
        f"{mark}.h": _inside("judge.h"),
        f"{mark}_.c": _harness(known_classes(found, setup + b"\n" + solution, entry_point), len(cases)),
        f"{mark}.c": _whole(found, how, solution, setup, name, entry_point),
    }
    return Program(
        files={file: content.replace(b"JUDGE", mark.encode()) for file, content in files.items()},
        sources=(f"{mark}_.c", f"{mark}.c"),
        arguments=("-Wl,--wrap=main", "-s", *(("-fstrong-eval-order",) if language == "cpp" else ())),
        sites=cases,
        asserts=bool(found.asserts),
        keys=keys,
    )


def _digest(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(_KEY.pack(len(part)) + part for part in parts)).digest()


def _key(digest: bytes, number: int) -> int:
    return int.from_bytes(hashlib.sha256(digest + _KEY.pack(number)).digest()[:8], "little")


@cache
def _inside(name: str) -> bytes:
    return (_INSIDE / name).read_bytes()


def _harness(classes: set[str], cases: int) -> bytes:
    names = "".join(f'"{name}", ' for name in sorted(classes) if name.isascii())
    return f"#define JUDGE_CASES {cases}\n#define JUDGE_NAMES {names}\n".encode() + _inside("harness.c")


def _whole(found: Outline, how: Rewriting, solution: bytes, setup: bytes, name: str, entry_point: str | None) -> bytes:
    """One file of it all. Lines of the text are those of a file that does not exist, so no message shows them.

    The solution is included, not copied: what it leaves open at its end (a comment, a condition of the preprocessor,
    the arguments of a macro) ends there, or is an error.
    """
    file = name.replace("\\", "\\\\").replace('"', '\\"').encode("utf-8", "surrogateescape")
    parts = [
        b'#include "JUDGE.h"\n#line 1 "setup"\n',
        setup,
        b'\n#include "' + file + b'"\n',
        border.before(found, solution, cpp=how.cpp).encode("latin-1"),
        b'#line 1 "tests"\n',
        rewrite(found, how).encode("latin-1"),
        border.after(found, entry_point).encode() if how.cpp else b"",
        b"\n",
    ]
    return b"".join(parts)
