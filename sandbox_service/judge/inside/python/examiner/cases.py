"""The cases of a test text: counted in its source, decided while it runs, reported one by one."""

from __future__ import annotations

import os

from ..message import dumps
from .evidence import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TEXT = 200  # characters of a text that is shown
MESSAGE = 500
DIRECT, GUARDED, HELPER, OTHER = "direct", "guarded", "helper", "other"

WRONG, FAULTY, LIMIT = "wrong", "error", "limit"
DOES_NOT_HOLD = "the assertion does not hold"
ENDED_BEFORE = "an earlier exception ended the tests"
NOT_REACHED = "the tests ended before this one"
NOTHING = object()  # no value was given


class Case:
    """One case.

    Attributes:
        mode: DIRECT: its failure is recorded and the text goes on. GUARDED: the text itself may catch its failure; what
            it came to last counts. HELPER: its failure is that of the statement which called the helper. OTHER: no
            assert statement.
        straight: reached whenever the text, or its function, runs to the end.
        once: runs at most once, so that it is decided when it holds.
        trap: `assert False`, which is not to be reached.
        owner: the function of the text that it stands in, where that is run by its own.
    """

    def __init__(self, line: int, text: str, mode: str = OTHER) -> None:
        self.line, self.text, self.mode = line, text[:TEXT], mode
        self.straight = self.once = self.trap = False
        self.owner: str | None = None
        self.index = -1
        self.entered = self.held = self.fell = False  # ever run; ever to its end; the last time an assertion failed
        self.reported = self.failed = False


class Cases:
    """All of them, and the report, which is written to a descriptor as JSON lines."""

    def __init__(self, planned: list[Case], descriptor: int) -> None:
        self.all = planned
        self.descriptor = descriptor
        self.running: list[Case] = []
        self.value: Any = NOTHING  # what the solution gave last
        for index, case in enumerate(planned):
            case.index = index

    def write(self, line: dict[str, Any]) -> None:
        """Write a line of the report."""
        data = memoryview(dumps(line) + b"\n")
        while data:
            data = data[os.write(self.descriptor, data) :]

    def announce(self) -> None:
        """Report which cases there are."""
        self.write({"plan": [{"line": case.line, "text": case.text} for case in self.all]})

    def passed(self, case: Case) -> None:
        """Report that it holds, unless it has been reported."""
        if not case.reported:
            case.reported = True
            self.write({"case": case.index, "passed": True})

    def failed(self, case: Case, fault: str, message: str, value: Any = NOTHING) -> None:
        """Report that it does not hold, unless it has been reported."""
        if case.reported:
            return
        case.reported = case.failed = True
        actual = None if value is NOTHING else brief(value)
        line = {"case": case.index, "passed": False, "fault": fault, "message": message[:MESSAGE]}
        self.write({**line, "actual": actual, "expected": case.text})

    def rest_failed(self, fault: str, message: str, cases: list[Case] | None = None) -> None:
        """Report that those fail which have not been reported."""
        for case in self.all if cases is None else cases:
            self.failed(case, fault, message)

    def finish(self) -> None:
        """Report that this was all."""
        self.write({"end": True})

    def enter(self, case: Case) -> None:
        """A case runs from now on."""
        case.entered = True
        self.running.append(case)
        self.value = NOTHING

    def leave(self, case: Case) -> None:
        """It does not run any more."""
        if case in self.running:
            self.running.remove(case)
