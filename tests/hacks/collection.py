"""All of them."""

from __future__ import annotations

from tests.hacks import (
    cpp_language,
    cpp_process,
    cpp_second_look,
    extraction,
    javascript_language,
    javascript_process,
    python_forging,
    python_functions,
    python_leaving,
    python_lying,
    python_patching,
    python_peeking,
    python_second_look,
    stdio_checkers,
    stdio_machine,
    stdio_outputs,
    stdio_patterns,
)
from tests.hacks.hack import Hack

HACKS: list[Hack] = [
    *python_leaving.HACKS,
    *python_lying.HACKS,
    *python_patching.HACKS,
    *python_peeking.HACKS,
    *python_forging.HACKS,
    *python_second_look.HACKS,
    *python_functions.HACKS,
    *stdio_outputs.HACKS,
    *stdio_patterns.HACKS,
    *stdio_machine.HACKS,
    *stdio_checkers.HACKS,
    *extraction.HACKS,
    *cpp_process.HACKS,
    *cpp_language.HACKS,
    *cpp_second_look.HACKS,
    *javascript_process.HACKS,
    *javascript_language.HACKS,
]
