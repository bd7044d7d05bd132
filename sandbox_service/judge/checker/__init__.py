"""Checkers: programs of the trainer that say whether an output is right, where many are.

A checker reads three files, the input, the output and the expected output, and tells by its exit code as testlib's
do: 0 right, 1 or 2 wrong, 7 part of the points. With 3 it says that it failed; any other end is a failure too. It
runs in a sandbox of its own, which nothing of the solution enters but its output.
"""

from sandbox_service.judge.checker.ask import CheckerError, check
from sandbox_service.judge.checker.program import Checker, Run, prepare

__all__ = ["Checker", "CheckerError", "Run", "check", "prepare"]
