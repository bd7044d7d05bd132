"""`assertions` for C++ and C."""

from sandbox_service.judge.cpp.elf import refusal
from sandbox_service.judge.cpp.outline import Site
from sandbox_service.judge.cpp.program import Program, plan, program
from sandbox_service.judge.cpp.report import opening, report, report_limit

__all__ = ["Program", "Site", "opening", "plan", "program", "refusal", "report", "report_limit"]
