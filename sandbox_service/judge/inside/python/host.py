"""The solution's side of an assertions task: loads it and serves what the examiner asks.

    python3 -c SOURCE FILE    in the work dir; questions come on descriptor 3, answers go to descriptor 4

This is the solution's own process. Nothing here is secret, and nothing that is said from here is believed: what the
examiner gets is data, as good or bad as what the solution could have returned. So there is nothing to defend, only
honest programs not to hinder.
"""

from __future__ import annotations

import os
import sys

from .below import is_plain_below, plain_below
from .forward import Target, forward_class, forward_function, forward_iterator, with_parameters
from .kinds import claim, describe_object, is_own
from .message import TooMuch
from .operations import OPERATIONS
from .peer import Line, Peer
from .plain import CONSTANT_NAMES
from .streams import Input, Output
from .values import Decoder, Encoder, is_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OBJECTS = 100_000  # that the examiner may know of
TEXT = 2_000  # characters of an exception's text
ARGUMENTS = 10_000  # values among its arguments and attributes
MISSING = object()  # there was nothing
FRAMES = 20  # of ours below a call of the solution


class Host(Peer):
    """Serves the objects of the solution."""

    def __init__(self, line: Line, output: Output) -> None:
        super().__init__(line)
        self.output = output
        self.module: Any = None
        self.failure: BaseException | None = None
        self.objects: list[Any] = []  # that the examiner may name
        self.numbers: dict[int, int] = {}
        self.described: set[int] = set()
        self.fresh: list[int] = []  # described in the answer that is being made
        self.forwarding = False  # whether the tests name classes, so that objects are described with theirs
        self.watched: dict[str, Any] = {}  # data that the tests know by a name of the solution's
        self.given: dict[int, Any] = {}  # stand-ins for objects of the tests
        self.given_numbers: dict[int, int] = {}
        self.given_classes: dict[Any, Any] = {}
        self.patched: dict[tuple[str, str], list[Any]] = {}  # what was there before, by module and name

    def load(self, path: str) -> None:
        """Load the solution as the module `solution`."""
        self.module = module = type(sys)("solution")
        module.__file__ = os.path.abspath(path)
        sys.modules["solution"] = module
        try:
            with open(path, "rb") as file:
                code = compile(file.read(), module.__file__, "exec", dont_inherit=True)
            exec(code, module.__dict__)
        except BaseException as error:
            self.failure = error
        self.output.taken()

    def serve(self) -> None:
        """Answer until the examiner has gone."""
        while True:
            _, *question = self.line.receive()
            self.answer(self.question(*question))

    def perform(self, verb: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Do something with objects of the solution."""
        self.fresh = []
        if verb not in OPERATIONS:
            return getattr(self, verb)(*args, **kwargs)
        return OPERATIONS[verb](*args, **kwargs)

    def names(self, names: tuple[str, ...], forwarding: bool) -> tuple[tuple[str, str, Any], ...]:
        """What these names stand for in the solution. `forwarding`: its objects offer operators from now on."""
        if self.failure is not None:
            raise self.failure
        self.forwarding = forwarding
        known = vars(self.module)
        claims = tuple((name, *claim(name, known[name])) for name in names if name in known)
        for name, how, value in claims:
            if how == "value" and is_data(value):
                self.watched[name] = value
        return claims

    def object_named(self, name: str) -> Any:
        """What a name stands for."""
        return vars(self.module)[name]

    def patch(self, module: str, name: str, value: Any) -> None:
        """Put something in place, in a module, until further notice."""
        target = sys.modules.get(module) or imported(module, "")
        self.patched.setdefault((module, name), []).append(vars(target).get(name, MISSING))
        setattr(target, name, value)

    def unpatch(self, module: str, name: str) -> None:
        """Put back what was there before."""
        before = self.patched.get((module, name)) or [MISSING]
        if before[-1] is MISSING:
            delattr(sys.modules[module], name)
        else:
            setattr(sys.modules[module], name, before[-1])
        del before[-1]

    def evaluate(self, source: Any, names: Any = None, local_names: Any = None) -> Any:
        """Evaluate an expression that the solution has made."""
        return eval(source, {} if names is None else names, local_names)

    def execute(self, source: Any, names: Any = None, local_names: Any = None) -> None:
        """Run a program that the solution has made."""
        names = {} if names is None else names
        exec(source, names, local_names)
        names.pop("__builtins__", None)

    def compiled(self, source: Any, *args: Any, **kwargs: Any) -> Any:
        """Compile a program that the solution has made."""
        return compile(source, *args, **kwargs)

    def name(self, value: Any, encoder: Encoder) -> Any:
        """The JSON of an object of the solution, or of what it was given."""
        key = id(value)
        if type(value) is Target:
            return {"g": [value.number]}
        if key in self.given_numbers:
            return {"g": [self.given_numbers[key]]}
        if key not in self.numbers and issubclass(type(value), Exception):
            return {"x": self.describe(value, encoder)}
        if not self.forwarding and is_plain_below(value):
            return encoder.encode(plain_below(value))
        if key not in self.numbers:
            if len(self.objects) >= OBJECTS:
                raise TooMuch("too many objects")
            self.numbers[key] = len(self.objects)
            self.objects.append(value)
        return self.reference(self.numbers[key], encoder)

    def reference(self, number: int, encoder: Encoder) -> Any:
        """The JSON of an object; at first with what there is to know about it."""
        if number in self.described:
            return {"h": [number]}
        self.described.add(number)
        self.fresh.append(number)
        value = self.objects[number]
        return {"h": [number, *describe_object(value, self.forwarding, encoder.encode)]}

    def unsent(self) -> None:
        """The examiner has not seen the descriptions of the last answer."""
        self.described.difference_update(self.fresh)

    def find(self, tag: str, payload: Any, decoder: Decoder) -> Any:
        """The object that a question names."""
        if tag == "h":
            return self.objects[payload[0]]
        if tag == "library":
            return imported(*payload)
        if tag == "x":
            return self.rebuild(payload, decoder)
        number, *info = payload
        if info:
            self.given[number] = made = self.stand_in(number, *info)
            self.given_numbers[id(made)] = number
        return self.given[number]

    def stand_in(self, number: int, kind: str, name: str, *info: Any) -> Any:
        """What the solution has of an object of the tests."""
        if kind == "function":
            *about, parameters = info
            return with_parameters(forward_function(self, Target(number), name, *about), parameters)
        if kind == "iterator":
            return forward_iterator(self, Target(number))
        key = (name, *info[0])
        if key not in self.given_classes:
            self.given_classes[key] = forward_class(self, name, info[0])
        return object.__new__(self.given_classes[key])

    def ask(self, verb: str, *args: Any, **kwargs: Any) -> Any:
        """Ask the examiner to do something with an object of the tests."""
        if not self.serving:
            raise RuntimeError("the tests do not listen any more")
        try:
            mark, result = self.converse(verb, args, kwargs, verb in ("get", "set"))
        except (EOFError, OSError):
            os._exit(0)
        if mark == "!":
            raise result
        return result

    def describe(self, error: BaseException, encoder: Encoder) -> Any:
        """The JSON of what the solution raised: what of Python's own it is, and what is known of the very one."""
        if isinstance(error, TooMuch):
            return ["limit"]
        kind, text = type(error), text_of(error)
        base = next((CONSTANT_NAMES[base] for base in kind.__mro__ if base in CONSTANT_NAMES), "object")
        if base == "object":
            return ["left", kind.__name__]
        if id(error) in self.given_numbers:
            reference: Any = {"g": [self.given_numbers[id(error)]]}
        else:
            reference = self.own_exception(error, encoder) if is_own(kind) else None
        attributes = {key: item for key, item in vars(error).items() if type(key) is str and plain(item) is not None}
        return [base, plain(error.args), text, reference, [kind.__module__, kind.__qualname__], plain(attributes)]

    def own_exception(self, error: BaseException, encoder: Encoder) -> Any:
        """The JSON of an exception of the solution's own class."""
        if id(error) not in self.numbers:
            self.numbers[id(error)] = len(self.objects)
            self.objects.append(error)
        return self.reference(self.numbers[id(error)], encoder)

    def rebuild(self, payload: Any, decoder: Decoder) -> Any:
        """The exception that a function of the tests raised."""
        base, args, text, reference, number = payload
        if reference is not None:
            return decoder.decode(reference)
        kind: Any = vars(sys.modules["builtins"])[base]
        try:
            error = kind(*(Decoder(self.find).decode(args) if args is not None else (text,)))
        except Exception:
            error = kind.__new__(kind, text)
        if number is not None:
            self.given[number], self.given_numbers[id(error)] = error, number
        return error

    def beside(self, encoder: Encoder) -> Any:
        """What the solution has printed, and names that stand for something else now."""
        text, known = self.output.taken(), vars(self.module)
        renamed = [name for name, value in self.watched.items() if known.get(name) is not value]
        self.watched.update((name, known.get(name)) for name in renamed)
        return [text, [[name, encoder.encode(known.get(name))] for name in renamed]] if text or renamed else None


def text_of(error: BaseException) -> str:
    """The text of an exception, as far as it has one."""
    try:
        return str(error)[:TEXT]
    except BaseException:
        return ""


def plain(value: Any) -> Any:
    """The JSON of plain values; null if there is anything else among them, or too much."""
    encoder = Encoder(not_plain)
    encoder.room = ARGUMENTS
    try:
        return encoder.encode(value)
    except (TooMuch, RecursionError):
        return None


def not_plain(value: Any, encoder: Encoder) -> Any:
    """Refuse what is no plain value."""
    raise TooMuch("no plain value")


def imported(module: str, name: str) -> Any:
    """A function or class of a library."""
    __import__(module)
    value: Any = sys.modules[module]
    for part in name.split(".") if name else ():
        value = getattr(value, part)
    return value


def main() -> None:
    """Load the program that the command line names, and serve it."""
    for descriptor in (3, 4):
        os.set_inheritable(descriptor, False)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    del sys.argv[0]
    sys.path.insert(0, os.getcwd())
    host = Host(Line(3, 4), Output())
    try:
        sys.stdin = Input(host)
        sys.setrecursionlimit(sys.getrecursionlimit() + FRAMES)
        host.load(sys.argv[0])
        host.serve()
    except (EOFError, OSError):
        host.output.taken()
        os._exit(0)
