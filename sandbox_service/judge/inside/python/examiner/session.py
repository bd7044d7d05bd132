"""The examiner's side of the conversation. What the other side says is data; the first answer to a question counts."""

from __future__ import annotations

import os
import sys

from ..forward import Target
from ..message import Malformed, TooMuch
from ..operations import OPERATIONS
from ..peer import Line, Peer
from ..plain import CONSTANTS
from ..values import Decoder, Encoder, exactly
from .cases import FAULTY, LIMIT
from .classes import SAYS
from .errors import exception, library_exception, refuse, refuse_tag
from .gifts import Gifts
from .standins import StandIns
from .watch import REMOTE, Left, Trial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CALLBACKS = 100_000  # calls of the test text's functions by the solution
ITEMS_TAKEN = 1_000_000  # from iterators
DISTURBED = "the program disturbed the test protocol"
PROGRAM_ENDED = "the program ended before its tests did"
OVER = "what the program gave is too big, too deep or too much"


class Session(Peer):
    """Asks the solution's host."""

    def __init__(self, line: Line, trial: Trial, mentioned: set[str]) -> None:
        super().__init__(line)
        self.mentioned = mentioned  # names in the test text
        self.trial, self.cases = trial, trial.cases
        self.stdin, self.stdout, self.input = sys.stdin, sys.stdout, input
        self.stand_ins = StandIns(self)
        self.gifts = Gifts()
        self.calls = self.callbacks = self.taken = 0
        self.namespace: dict[str, Any] = {}  # of the test text
        self.data: set[str] = set()  # names in it that stand for data of the solution
        self.said = ""  # what the solution printed, for a text that has put another standard output in place

    def ask(self, verb: str, *args: Any, **kwargs: Any) -> Any:
        """Have the solution's side do something. Raises what the solution raised."""
        self.calls += verb != "get"
        try:
            mark, result = self.converse(verb, args, kwargs, self.shares(verb, *args))
        except TooMuch:
            self.end(LIMIT, OVER)
        except Malformed:
            self.end(FAULTY, DISTURBED)
        except (EOFError, OSError):
            self.end(FAULTY, PROGRAM_ENDED)
        said, self.said = self.said, ""
        if said and sys.stdout is not self.stdout:
            sys.stdout.write(said)
        if mark == "!":
            raise self.raised(result, verb in ("next", "send", "several") or "__next__" in args or "__anext__" in args)
        self.cases.value = result[1] if verb == "get" and type(result) is tuple and len(result) == 2 else result
        self.taken += len(result) if verb == "several" else verb in ("next", "send")
        if self.taken > ITEMS_TAKEN:
            self.end(LIMIT, OVER)
        return result

    def raised(self, error: BaseException, iterating: bool) -> BaseException:
        """What the text is to catch of what the solution raised."""
        if SAYS not in error.__dict__:
            return error  # one of the text's own comes back
        says = type(error).__name__ + (": " + error.__dict__[SAYS] if error.__dict__[SAYS] else "")
        if isinstance(error, (StopIteration, StopAsyncIteration)) and not (
            iterating or type(error).__name__ in self.mentioned
        ):
            error = RuntimeError(says)  # else `all(map(f, items))` would be true where the first call raises it
        if isinstance(error, ImportError):  # a text that catches it does without the tests of what cannot be imported
            self.fail_running("raised " + says)
        error.__dict__[REMOTE] = says
        return error

    def fail_running(self, message: str) -> None:
        """The running case has failed, whatever the text catches; all have, if none is running."""
        for case in self.cases.running[-1:] or self.cases.all:
            self.cases.failed(case, FAULTY, message)

    def end(self, fault: str, message: str) -> Any:
        """Fail what is open and leave: nothing that the solution's side says can be used any more. Never returns."""
        self.cases.rest_failed(fault, message)
        self.cases.finish()
        os._exit(0)

    def perform(self, verb: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Do something with what the solution was given."""
        self.callbacks += 1
        if self.callbacks > CALLBACKS:
            self.end(LIMIT, OVER)
        if verb == "read_line" and not args:
            return self.line_of_input()
        operation = OPERATIONS.get(verb)
        if operation is None or not args or not self.gifts.has(args[0]):
            return self.end(FAULTY, DISTURBED)
        self.gifts.allow(verb, *args)
        try:
            return operation(*args, **kwargs)
        except AssertionError as error:
            self.trial.fallen(error)  # here, for the solution may catch it
            raise

    def line_of_input(self) -> Any:
        """A line for the solution to read, if the text has put something in the place of `input` or `sys.stdin`."""
        function = vars(sys.modules["builtins"])["input"]
        if function is not self.input:
            return str(function("")) + "\n"
        return sys.stdin.readline() if sys.stdin is not self.stdin else ""

    def name(self, value: Any, encoder: Encoder) -> Any:
        """The JSON of a stand-in, or of an object of the test text."""
        if type(value) is Target:
            return {"h": [value.number]}
        number = self.stand_ins.number_of(value)
        if number is not None:
            return {"h": [number]}
        if isinstance(value, BaseException):
            return {"x": self.describe(value, encoder)}
        return self.gifts.name(value)

    def find(self, tag: str, payload: Any, decoder: Decoder) -> Any:
        """The stand-in, or the object of the test text, that an answer names."""
        exactly(list, payload)
        if tag == "h":
            return self.stand_ins.find(payload, decoder)
        if tag == "g":
            (number,) = payload
            return self.gifts.find(number)
        if tag == "x":
            return self.rebuild(payload, decoder)
        raise Malformed("no such tag")

    def describe(self, error: BaseException, encoder: Encoder) -> Any:
        """An exception of the test text, for the solution."""
        if isinstance(error, TooMuch):
            error = OverflowError("the value of the tests is too big")
        number = self.stand_ins.number_of(error)
        base = next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")
        try:  # what an assertion says may tell what was expected
            plain = Encoder(refuse).encode(() if base is AssertionError else error.args)
        except TooMuch:
            plain = None
        return [base.__name__, plain, "", None if number is None else {"h": [number]}, self.gifts.keep(error)]

    def rebuild(self, payload: Any, decoder: Decoder) -> Any:
        """The exception that the solution raised, or what takes its place."""
        if payload[0] == "limit":
            raise TooMuch("said by the other side")
        if payload[0] == "left":
            return self.left(exactly(str, payload[1]))
        base, args, text, reference, path, attributes = payload
        kind, text = CONSTANTS[exactly(str, base)], exactly(str, text)
        if not issubclass(kind, Exception):
            raise Malformed("no exception")
        error = decoder.decode(reference) if reference is not None else None
        if error is None:
            values = () if args is None else Decoder(refuse_tag).decode(args)
            error = exception(library_exception(kind, path), values if type(values) is tuple else (), text)
        elif type(reference) is dict and "h" in reference:
            error.args = (text,) if args is None else Decoder(refuse_tag).decode(args)
        if attributes is not None:
            known = exactly(dict, Decoder(refuse_tag).decode(attributes))
            error.__dict__.update((exactly(str, key), item) for key, item in known.items() if key[:1] != "@")
        if type(reference) is not dict or "g" not in reference:
            error.__dict__[SAYS] = text
        return error

    def left(self, name: str) -> BaseException:
        """The solution raised what is no `Exception`: the running case has failed, whatever the text catches."""
        message = "raised %s, which ends a program" % name
        self.fail_running(message)
        return Left(message)

    def shares(self, verb: str, target: Any, name: Any = None, *rest: Any) -> bool:
        """Whether containers of a question are the solution's own afterwards: attributes, what objects are made of."""
        if verb == "call":
            return type(target) is self.stand_ins.metaclass
        return verb in ("get", "set", "names") or name == "__getitem__"

    def conclude(self, question: Any, mark: Any, number: Any, payload: Any, changes: Any, beside: Any) -> Any:
        """What an answer says."""
        self.stand_ins.decoding += 1
        try:
            return super().conclude(question, mark, number, payload, changes, beside)
        finally:
            self.stand_ins.decoding -= 1

    def heard(self, beside: Any, decoder: Decoder) -> None:
        """The solution has printed something, or a name of data that the text knows stands for something else."""
        if beside is not None:
            text, renamed = beside
            self.said += exactly(str, text)
            for name, payload in renamed:
                if name not in self.data:
                    raise Malformed("no name of data")
                self.namespace[name] = decoder.decode(payload)
