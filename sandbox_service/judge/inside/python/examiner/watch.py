"""What watches the test text while it runs, and what each case has come to at the end."""

from __future__ import annotations

import sys

from .cases import DIRECT, DOES_NOT_HOLD, ENDED_BEFORE, FAULTY, GUARDED, NOT_REACHED, OTHER, WRONG, Case, Cases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

REMOTE, FALLEN = "@remote", "@fallen"  # attributes of exceptions: what the solution raised; cases that failed with it


class Left(BaseException):
    """The solution raised what no program catches: it has left, as far as the tests are concerned."""


def mark(error: BaseException, name: str) -> Any:
    """A mark of ours on an exception. Its own attributes may be asked of the solution."""
    return error.__dict__.get(name)


def is_failure(error: BaseException) -> bool:
    """Whether an exception is a failed assertion of the test text."""
    return isinstance(error, AssertionError) and mark(error, REMOTE) is None


def reason(error: BaseException) -> tuple[str, str]:
    """Fault and message of an exception. Nothing of the test text gets into the message."""
    if mark(error, REMOTE) is not None:
        return FAULTY, "raised " + mark(error, REMOTE)
    if isinstance(error, Left):
        return FAULTY, str(error)
    if is_failure(error):
        return WRONG, DOES_NOT_HOLD
    if isinstance(error, NameError):
        return FAULTY, "the program does not define a name that the tests use"
    return WRONG, "the tests could not go on: " + type(error).__name__


class Watch:
    """A `with` around an assertion of the text."""

    def __init__(self, trial: Trial, case: Case) -> None:
        self.trial, self.case = trial, case

    def __enter__(self) -> None:
        self.trial.cases.enter(self.case)

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> bool:
        return self.trial.left(self.case, error)


class WatchStatement:
    """A `with` around another statement of the text: an assertion that fails in a helper ends this statement alone."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> bool:
        return error is not None and is_failure(error) and self.trial.fallen(error)


class Trial:
    """A run of the test text."""

    def __init__(self, cases: Cases) -> None:
        self.cases = cases
        self.cause: tuple[Case | None, BaseException | None] = (None, None)  # the case an exception came out of

    def left(self, case: Case, error: BaseException | None) -> bool:
        """A case ran, to its end or not. Whether the text goes on behind it all the same."""
        self.cases.leave(case)
        case.fell = error is not None and is_failure(error)
        if error is None:
            case.held = True
            if case.once:
                self.cases.passed(case)
        elif not case.fell:
            self.cause = (case, error)
        elif case.mode == DIRECT:
            self.fallen(error)
            self.cases.failed(case, WRONG, DOES_NOT_HOLD, self.cases.value)
            return True
        else:
            error.__dict__.setdefault(FALLEN, []).append((case, self.cases.value))
        return False

    def fallen(self, error: BaseException) -> bool:
        """Record the cases that failed with an exception which the text did not catch. Whether there are any."""
        fallen = mark(error, FALLEN) or ()
        for case, value in fallen:
            self.cases.failed(case, WRONG, DOES_NOT_HOLD, value)
        return bool(fallen)

    def run(self, function: Callable[[], Any], cases: list[Case] | None = None) -> bool:
        """Run a part of the text. An exception fails all, or those, of its cases that are not decided."""
        try:
            function()
        except BaseException as error:
            if isinstance(error, SystemExit) and not error.code:
                return True
            self.ended(error, self.cases.all if cases is None else cases)
            return False
        return True

    def ended(self, error: BaseException, cases: list[Case]) -> None:
        """An exception has ended the text."""
        self.fallen(error)
        if not is_failure(error) and mark(error, REMOTE) is None:
            sys.__excepthook__(type(error), error, error.__traceback__)  # for who wrote the tests
        fault, message = reason(error)
        case, cause = self.cause
        if case is not None and cause is error:
            self.cases.failed(case, fault, message)
            message = ENDED_BEFORE
        self.cases.rest_failed(fault, message, cases)

    def close(self, called: bool) -> None:
        """The text has come to its end: decide what is open. `called`: it has called the solution, if it should."""
        skippable = any(case.held for case in self.cases.all) and not any(case.failed for case in self.cases.all)
        for case in self.cases.all:
            if self.holds(case, called, skippable):
                self.cases.passed(case)
            elif case.mode == GUARDED and case.fell:
                self.cases.failed(case, WRONG, DOES_NOT_HOLD)
            else:
                self.cases.failed(case, WRONG, NOT_REACHED)

    def holds(self, case: Case, called: bool, skippable: bool) -> bool:
        """Whether a case that has not failed has passed."""
        if case.mode == OTHER:
            return case.held and called
        if case.mode == GUARDED and case.fell:
            return False
        if case.trap:
            return called
        # One that was left by an exception which the text expected is as good as one that held.
        return case.entered or (skippable and not case.straight)
