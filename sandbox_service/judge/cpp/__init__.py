"""`assertions` for C++ and C: one program of solution and tests, hardened; `docs/judging-cpp.md` says how.

    made = program(solution, setup, code, name="main.cpp", language="cpp")
    # compile made.sources with made.arguments at the end, beside made.files, which must be gone when it runs
    refusal(binary, language)          # why what was compiled must not run, or None
    opening(made, nonce)               # what goes into descriptor 3, 8 bytes a word
    report(told, made, nonce)          # what came from descriptor 4: a Finding for each of made.sites

What remains possible: the solution is native code in the process of the tests. It can read expected values in the
machine code and the data of its caller, change that code or its return address, or find the words of the report, put
them together and write them. Operators other than `==` and `!=`, and functions of the library that it overloads, are
found as the language says. A class that the tests name may lie about itself. Nothing short of a process of its own
stops that, which C++ does not offer for values of any type.
"""

from sandbox_service.judge.cpp.elf import refusal
from sandbox_service.judge.cpp.outline import Site
from sandbox_service.judge.cpp.program import Program, plan, program
from sandbox_service.judge.cpp.report import opening, report, report_limit

__all__ = ["Program", "Site", "opening", "plan", "program", "refusal", "report", "report_limit"]
