"""Runs unittest's classes of the test text, each method a case."""

from __future__ import annotations

import sys

from .cases import WRONG, Case
from .watch import Trial, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SKIPPED = "a skipped test is a failed test"
# Words by which a text can make a method fail after it has ended, or methods that are not in the text.
LATE = ("tearDownClass", "tearDownModule", "addClassCleanup", "addModuleCleanup", "setattr", "load_tests", "metaclass")


def framework(trial: Trial, methods: dict[tuple[str, str], Case], source: str) -> Any:
    """Load unittest, so that the text runs tests through us alone. Gives a function that runs what has not been run."""
    import unittest

    late = any(word in source for word in LATE)
    done: set[tuple[str, str]] = set()

    class Result(unittest.TestResult):
        """Records each method as a case."""

        case: Case | None = None
        bad = False

        def startTest(self, test: Any) -> None:
            """A method begins."""
            super().startTest(test)
            key = key_of(test)
            done.add(key)
            self.case = methods.get(key)
            self.bad = False
            if self.case is not None:
                trial.cases.enter(self.case)

        def stopTest(self, test: Any) -> None:
            """A method has ended."""
            super().stopTest(test)
            if self.case is not None:
                trial.cases.leave(self.case)
                self.case.held = not self.bad
                if not (self.bad or late):
                    trial.cases.passed(self.case)
            self.case = None

        def fail(self, test: Any, error: BaseException | None, message: str | None = None) -> None:
            """A method has failed, or, outside of methods, what belongs to a class or to all."""
            self.bad = True
            fault, said = (WRONG, message or "") if error is None else reason(error)
            if error is not None:
                trial.fallen(error)
            if self.case is not None:
                trial.cases.failed(self.case, fault, message or said, trial.cases.value)
            else:
                kind, name = key_of(test)
                if not name:  # "setUpClass (__main__.TestF)"
                    kind = str(test).rpartition(".")[2].rstrip(")")
                some = [case for key, case in methods.items() if key[0] == kind]
                trial.cases.rest_failed(fault, message or said, some or trial.cases.all)

        def addError(self, test: Any, err: Any) -> None:
            """It raised something."""
            super().addError(test, err)
            self.fail(test, err[1])

        def addFailure(self, test: Any, err: Any) -> None:
            """An assertion failed."""
            super().addFailure(test, err)
            self.fail(test, err[1])

        def addSkip(self, test: Any, reason: Any) -> None:
            """It was not run, or not to its end."""
            super().addSkip(test, reason)
            self.fail(test, None, SKIPPED)

        def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
            """A part of it has ended."""
            super().addSubTest(test, subtest, err)
            if err is not None:
                self.fail(test, err[1])

        def addUnexpectedSuccess(self, test: Any) -> None:
            """It was to fail and did not."""
            super().addUnexpectedSuccess(test)
            self.fail(test, None, "it succeeded, which was not expected")

    def run(self: Any, test: Any) -> Any:
        """Stands for the `run` of unittest's own runner."""
        result = Result()
        test(result)
        return result

    def run_rest(text: Any) -> None:
        """Run the classes of the text that have not been run."""
        loader, suites = unittest.TestLoader(), unittest.TestSuite()
        for kind in list(vars(text).values()):
            if isinstance(kind, type) and issubclass(kind, unittest.TestCase) and kind.__module__ == "__main__":
                names = [name for name in loader.getTestCaseNames(kind) if (kind.__name__, name) not in done]
                suites.addTest(unittest.TestSuite(map(kind, names)))
        suites(Result())

    # What is compared may be large, and a picture of the difference, which nobody will see, takes minutes then.
    case: Any = unittest.case
    case.difflib, case.pprint = type(sys)("difflib"), type(sys)("pprint")
    case.difflib.ndiff = case.difflib.unified_diff = lambda *args, **kwargs: ()
    case.pprint.pformat = lambda *args, **kwargs: ""
    unittest.TextTestRunner.run = run  # type: ignore[method-assign]
    calm = type(sys)("calm")
    calm.result = unittest.TestResult()  # type: ignore[attr-defined]
    sys.modules["unittest"].main = lambda *args, **kwargs: calm  # type: ignore[attr-defined]
    return run_rest


def key_of(test: Any) -> tuple[str, str]:
    """Names of class and method."""
    return type(test).__name__, str(getattr(test, "_testMethodName", ""))
