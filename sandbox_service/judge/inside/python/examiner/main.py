"""Examines a solution: reads the task, plans, asks the solution's host, runs the test text, reports.

    python3 -s examiner.py    in a folder with task.json; the host at descriptors 3 and 4, the report on standard output

The report is complete when its last line is `{"end": true}`. Exit code 3: the test text is no Python.
"""

from __future__ import annotations

import os
import sys

from ..message import loads
from ..peer import Line
from ..values import CONTENTS, WRITERS
from .cases import WRONG, Case, Cases
from .docs import Examples, silence
from .dynamic import EVALUATORS, Evaluator
from .library import own, shared
from .names import BUILTINS, Names
from .plan import CASE, STATEMENT, Planner, docstrings
from .session import Session
from .tree import parsed
from .unit import framework
from .watch import Trial, Watch, WatchStatement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NO_PYTHON = 3
NOT_CALLED = "the tests ended without a call of the solution"


class Text:
    """A test text, parsed and planned. Raises SyntaxError, ValueError or RecursionError if it is none."""

    def __init__(self, task: dict[str, Any]) -> None:
        self.setup, self.code = plain_text(task.get("setup") or ""), plain_text(task["code"])
        self.entry_point: str | None = task.get("entry_point")
        self.examples: list[Examples] = []
        setup = parsed(self.setup)
        try:
            tree = parsed(self.code)
        except SyntaxError:
            if ">>>" not in self.code:
                raise
            self.examples, tree = [Examples(self.code, 1)], parsed("")
            self.code = ""
        if "doctest" in self.code:
            self.examples = [Examples(text, line) for line, text in docstrings(tree)]
        sources, trees = [self.setup, self.code], [setup, tree]
        for source in [*(part for examples in self.examples for part in examples.sources()), self.entry_point or ""]:
            try:
                trees.append(parsed(source))
                sources.append(source)
            except SyntaxError:
                pass  # an example may show an error
        self.names = Names(sources, trees)
        self.evaluated = self.names.free.intersection(EVALUATORS)
        self.tree = tree
        self.plan = Planner(self.code, tree, self.names)
        self.cases = [*self.plan.cases, *(case for examples in self.examples for case in examples.cases.values())]
        self.whole = None if self.cases else Case(1, self.code.strip())
        self.cases += [self.whole] if self.whole else []
        self.programs = [
            compile(setup, "<setup>", "exec", dont_inherit=True),
            compile(tree, "<test>", "exec", dont_inherit=True),
        ]


def plain_text(text: str) -> str:
    """A text with Python's own ends of lines."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


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
        self.namespace.update(self.resolved())
        self.install_modules()
        self.namespace[CASE] = lambda number: Watch(self.trial, text.plan.asserted[number])
        self.namespace[STATEMENT] = lambda number: WatchStatement(self.trial)
        if text.evaluated:
            evaluator = Evaluator(self.session, text.tree, dict(self.namespace))
            self.namespace.update((name, getattr(evaluator, name)) for name in text.evaluated)
        if text.entry_point and (text.entry_point in self.namespace or not text.entry_point.isidentifier()):
            self.namespace["candidate"] = self.candidate(text.entry_point)

    def resolved(self) -> dict[str, Any]:
        """The names that the text does not define."""
        names, entry_point = self.text.names, self.text.entry_point
        wanted = names.free - BUILTINS - {"candidate"}
        found = own(names, wanted, entry_point)
        wanted -= set(found)
        if entry_point and entry_point.isidentifier() and entry_point not in BUILTINS:
            wanted.add(entry_point)
        classes = sorted(wanted & (names.classes | names.makers))
        answers = self.asked_for(classes, True) if classes else {}
        answers.update(
            self.asked_for(sorted(wanted.difference(classes)), False)
        )  # also to hear that it has been loaded
        if not wanted and not found:
            answers.update(self.replaced_builtin(names.free & BUILTINS))
        return {**found, **answers}

    def asked_for(self, names: list[str], naming: bool) -> dict[str, Any]:
        """What the solution has under these names."""
        stand_ins, before = self.session.stand_ins, self.session.stand_ins.forwarding
        stand_ins.forwarding = before or naming
        answers = self.session.ask("names", tuple(names), stand_ins.forwarding)
        known = {name: self.meant(name, how, value) for name, how, value in answers if name in names}
        made = not self.text.names.makers.isdisjoint(known)
        stand_ins.forwarding = before or (naming and (made or any(map(stand_ins.is_class_or_object, known.values()))))
        if naming and not stand_ins.forwarding:
            self.session.ask("names", (), False)
        return known

    def meant(self, name: str, how: Any, value: Any) -> Any:
        """What a name stands for: something of Python's library, or what the solution has."""
        if how == "value":
            if type(value) in WRITERS or type(value) in CONTENTS:
                self.session.data.add(name)
            return value
        known = shared(name, how, value, self.text.entry_point)
        return self.session.ask("object_named", name) if known is None else known

    def replaced_builtin(self, used: set[str]) -> dict[str, Any]:
        """The one builtin that the text calls and the solution has defined anew: `assert sum(10, 15) == 6`."""
        entry_point = self.text.entry_point
        if entry_point in BUILTINS:
            answers = self.asked_for([entry_point], False)
            if entry_point not in answers:
                raise NameError(entry_point)  # Python's own is not the solution's
            return answers
        answers = self.asked_for(sorted(used), False)
        return answers if len(answers) == 1 else {}

    def candidate(self, entry_point: str) -> Any:
        """What the entry point means: a name, `Class.method` of a fresh object, or an expression."""
        head, dot, rest = entry_point.partition(".")
        kind = self.namespace.get(head)
        if dot and rest.isidentifier() and isinstance(kind, type):
            return getattr(kind(), rest)
        return eval(compile(entry_point, "<entry point>", "eval"), self.namespace)

    def install_modules(self) -> None:
        """Let the text import the solution, as `solution` or by the name of its file."""
        for name in {"solution", os.path.splitext(os.path.basename(self.file))[0]}:
            if name.isidentifier() and name in self.text.code + self.text.setup and name not in sys.modules:
                module = type(sys)(name)
                module.__getattr__ = self.attribute  # type: ignore[method-assign]
                sys.modules[name] = module

    def attribute(self, name: str) -> Any:
        """A name of the solution, asked of it as a module."""
        if name.startswith("__"):
            raise AttributeError(name)
        answers = self.asked_for([name], name.lstrip("_")[:1].isupper())
        if name not in answers:
            raise AttributeError(name)
        return answers[name]

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


def main() -> None:
    """The program."""
    report = os.dup(1)
    os.set_inheritable(report, False)
    os.dup2(2, 1)
    for descriptor in (3, 4):
        os.set_inheritable(descriptor, False)
    with open("task.json", "rb") as file:
        task = loads(file.read().strip())
    try:
        text = Text(task)
    except (SyntaxError, ValueError, RecursionError) as error:
        os.write(report, b'{"plan":[]}\n')
        sys.stderr.write("%s: %s\n" % (type(error).__name__, error))
        sys.stderr.flush()
        os._exit(NO_PYTHON)
    cases = Cases(text.cases, report)
    cases.announce()
    Examination(text, task["file"], cases, Line(3, 4)).run()
    sys.stderr.flush()
    os._exit(0)
