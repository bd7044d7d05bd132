"""Examines a solution: reads the task, plans, asks the solution's host, runs the test text, reports.

    python3 examiner.py    in a folder with task.json; the host at descriptors 3 and 4, the report on standard output

The report is complete when its last line is `{"end": true}`. Exit code 3: the test text is no Python.
"""

from __future__ import annotations

import gc
import os
import sys

from ..message import loads
from ..peer import Line
from .cases import Cases
from .examination import Examination
from .text import Text

NO_PYTHON = 3


def main() -> None:
    """The program."""
    report = os.dup(1)
    os.set_inheritable(report, False)
    os.dup2(2, 1)
    for descriptor in (3, 4):
        os.set_inheritable(descriptor, False)
    with open("task.json", "rb") as file:
        task = loads(file.read().strip())
    gc.disable()  # the tree of a long text is all alive, and would be looked through again and again
    try:
        text = Text(task)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        os.write(report, b'{"plan":[]}\n')
        sys.stderr.write("%s: %s\n" % (type(error).__name__, error))
        sys.stderr.flush()
        os._exit(NO_PYTHON)
    gc.enable()
    cases = Cases(text.cases, report)
    cases.announce()
    Examination(text, task["file"], cases, Line(3, 4)).run()
    sys.stderr.flush()
    os._exit(0)
