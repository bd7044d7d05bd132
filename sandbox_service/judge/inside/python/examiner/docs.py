"""Runs the examples of a test text that is a documentation, or has some in its docstrings.

Each with an output is a case.
"""

from __future__ import annotations

import sys

from .cases import DOES_NOT_HOLD, NOTHING, WRONG, Case
from .watch import Trial, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Examples:
    """The examples of a documentation."""

    def __init__(self, text: str, line: int) -> None:
        import doctest

        self.doctest = doctest
        self.test = doctest.DocTestParser().get_doctest(text, {}, "examples", None, line - 1)
        self.cases: dict[int, Case] = {}
        for example in self.test.examples:
            if example.want or "assert" in example.source:
                self.cases[id(example)] = Case(line + example.lineno, example.source.strip())

    def sources(self) -> list[str]:
        """What the examples do."""
        return [example.source for example in self.test.examples]

    def run(self, trial: Trial, names: dict[str, Any]) -> None:
        """Run them in order, in one namespace."""
        self.test.globs = names
        runner = runner_class(self.doctest)(trial, self.cases)
        runner.run(self.test, out=lambda text: None, clear_globs=False)
        runner.leave()


def runner_class(doctest: Any) -> Any:
    """The module's own runner, which tells what comes of each example."""

    class Runner(doctest.DocTestRunner):  # type: ignore[misc]
        def __init__(self, trial: Trial, cases: dict[int, Case]) -> None:
            super().__init__(verbose=False)
            self.trial, self.cases = trial, cases
            self.running: Any = None

        def report_start(self, out: Any, test: Any, example: Any) -> None:
            self.leave()
            self.running = self.cases.get(id(example))
            if self.running is not None:
                self.trial.cases.enter(self.running)

        def leave(self) -> None:
            if self.running is not None:
                self.trial.cases.leave(self.running)

        def report_success(self, out: Any, test: Any, example: Any, got: Any) -> None:
            case = self.cases.get(id(example))
            if case is not None:
                case.held = True
                self.trial.cases.passed(case)

        def report_failure(self, out: Any, test: Any, example: Any, got: Any) -> None:
            self.fail(example, WRONG, DOES_NOT_HOLD, got)

        def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
            self.trial.fallen(exc_info[1])
            self.fail(example, *reason(exc_info[1]), NOTHING)

        def fail(self, example: Any, fault: str, message: str, value: Any) -> None:
            """An example has failed; one that was to have no output ends the tests, so to speak."""
            case = self.cases.get(id(example))
            if case is not None:
                self.trial.cases.failed(case, fault, message, value)
            else:
                self.trial.cases.rest_failed(fault, message)

    return Runner


def silence() -> None:
    """Keep a text from running its examples by itself: they are run anyway."""
    import doctest

    none = lambda *args, **kwargs: doctest.TestResults(0, 0)  # noqa: E731
    for name in ("testmod", "testfile", "run_docstring_examples"):
        setattr(sys.modules["doctest"], name, none)
