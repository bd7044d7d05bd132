"""A run of a test text against a solution."""

from __future__ import annotations

import os
import sys

from ..peer import Line
from .cases import WRONG, Cases
from .docs import silence
from .dynamic import Evaluator
from .names import BUILTINS
from .patches import forward_patches
from .plan import CASE, STATEMENT
from .resolve import Resolver
from .session import Session
from .text import Text
from .unit import framework
from .watch import Trial, Watch, WatchStatement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NOT_CALLED = "the tests ended without a call of the solution"


class Examination:
    """Runs a text against the solution at the other end of a line."""

    def __init__(self, text: Text, file: str, cases: Cases, line: Line) -> None:
        self.text, self.cases, self.trial = text, cases, Trial(cases)
        self.session = Session(line, self.trial, set(text.names.loads))
        self.module = type(sys)("__main__")
        self.namespace = self.session.namespace = vars(self.module)
        self.file = file
        self.run_units: Any = None

    def run(self) -> None:
        """All of it, to the end of the report."""
        if self.trial.run(self.prepare):
            self.asked = self.session.calls
            if self.trial.run(self.run_text) and self.trial.run(self.run_tests):
                self.close()
        self.cases.finish()

    def close(self) -> None:
        """Decide what is open."""
        needed = bool(self.text.names.free - BUILTINS or self.text.entry_point)
        called = self.session.calls > self.asked or not needed
        if self.text.whole is not None:
            if not called:
                self.cases.failed(self.text.whole, WRONG, NOT_CALLED)
            self.text.whole.held = True
        self.trial.close(called)

    def prepare(self) -> None:
        """Make the module that the text runs as, with what it needs of the solution."""
        text = self.text
        self.namespace["__file__"] = os.path.join(os.getcwd(), "test.py")
        sys.modules["__main__"] = self.module
        both = text.setup + text.code
        if "unittest" in both:
            self.run_units = framework(self.trial, text.plan.methods, both)
        if "doctest" in both:
            silence()
        if "patch" in both:
            forward_patches(self.session)
        resolver = Resolver(text, self.session, self.namespace)
        self.namespace.update(resolver.resolved())
        resolver.install_modules(self.file)
        self.namespace[CASE] = lambda number: Watch(self.trial, text.plan.asserted[number])
        self.namespace[STATEMENT] = lambda number: WatchStatement(self.trial)
        if text.evaluated:
            evaluator = Evaluator(self.session, text.tree, dict(self.namespace))
            self.namespace.update((name, getattr(evaluator, name)) for name in text.evaluated)
        resolver.bind_candidate()

    def run_text(self) -> None:
        """The text itself."""
        for program in self.text.programs:
            exec(program, self.namespace)

    def run_tests(self) -> None:
        """What the text defines as tests and does not run."""
        self.run_functions()
        if self.run_units is not None:
            self.run_units(self.module)
        for examples in self.text.examples:
            examples.run(self.trial, dict(self.namespace))

    def run_functions(self) -> None:
        """Functions of the text that are tests, and that it does not call."""
        plan = self.text.plan
        if plan.checks and self.text.entry_point:
            self.run_owned("check", lambda: eval("check(candidate)", self.namespace))
        for name in plan.functions:
            self.run_owned(name, self.namespace.get(name))
        for kind, methods in plan.classes:
            for method in methods:
                self.run_owned(kind + "." + method, lambda kind=kind, method=method: self.run_method(kind, method))

    def run_method(self, kind: str, method: str) -> Any:
        """A method of a class of tests, with what such classes may have before and after it."""
        tests = self.namespace[kind]()
        getattr(tests, "setup_method", lambda *args: None)()
        try:
            return getattr(tests, method)()
        finally:
            getattr(tests, "teardown_method", lambda *args: None)()

    def run_owned(self, owner: str, function: Any) -> None:
        """A function of tests: what it raises fails its own cases alone."""
        mine = [case for case in self.cases.all if case.owner == owner]

        def run() -> None:
            result = function()
            if hasattr(result, "__await__"):
                __import__("asyncio").run(result)

        self.trial.run(run, mine)
