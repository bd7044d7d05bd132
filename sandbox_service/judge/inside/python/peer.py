"""A conversation between two processes over a pair of pipes: each may ask the other, also while it is being asked.

A message is its length (4 bytes, big endian) and ASCII JSON: `["?", n, verb, share, args, kwargs, changes]` asks,
`["=", n, value, changes, beside]` answers and `["!", n, exception, changes, beside]` fails. `n` is the asker's count of
its own questions, which the answer repeats. `changes` are containers that hold something else now, among the arguments
or shared: pairs of number and content, so that a list sorted in place there is sorted here as well.
"""

from __future__ import annotations

import os
import sys
from _thread import RLock

from .message import MESSAGE_BYTES, Malformed, TooMuch, dumps, loads
from .shared import Shared
from .values import DEPTH, Decoder, Encoder, changed, exactly, snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Line:
    """Messages over two descriptors."""

    def __init__(self, reading: int, writing: int) -> None:
        self.reading, self.writing = reading, writing
        self.received = bytearray()

    def send(self, message: object) -> None:
        """Send a message. Raises TooMuch, before anything is sent; OSError when nobody reads any more."""
        body = dumps(message)
        if len(body) > MESSAGE_BYTES:
            raise TooMuch("a message of many bytes")
        data = memoryview(len(body).to_bytes(4, "big") + body)
        while data:
            data = data[os.write(self.writing, data) :]

    def receive(self) -> Any:
        """The next message. Raises EOFError when nobody writes any more."""
        size = int.from_bytes(self.exactly(4), "big")
        if size > MESSAGE_BYTES:
            raise Malformed("no length of a message")
        return loads(self.exactly(size))

    def exactly(self, size: int) -> bytes:
        """So many bytes."""
        while len(self.received) < size:
            data = os.read(self.reading, max(size - len(self.received), 1 << 16))
            if not data:
                raise EOFError
            self.received += data
        taken = bytes(self.received[:size])
        del self.received[:size]
        return taken


def deeply(function: Callable[..., Any], *args: Any) -> Any:
    """Call it with room for values as deep as they may be, wherever the caller stands."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 10 * DEPTH)
    try:
        return function(*args)
    except (RecursionError, MemoryError) as error:
        raise TooMuch("too deep or too big") from error
    finally:
        sys.setrecursionlimit(limit)


class Peer:
    """One side of a conversation. What it does with the other's questions and objects, its subclass says."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.count = 0
        self.serving = 0  # questions of the other side that wait for their answer
        self.shared = Shared()
        self.lock = RLock()  # threads of a program may ask as well, one at a time

    def perform(self, verb: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Do what the other side asks for."""
        raise NotImplementedError

    def name(self, value: Any, encoder: Encoder) -> Any:
        """The JSON of an object that does not cross by value."""
        raise NotImplementedError

    def find(self, tag: str, payload: Any, decoder: Decoder) -> Any:
        """The object that `name` of the other side has named."""
        raise NotImplementedError

    def describe(self, error: BaseException, encoder: Encoder) -> Any:
        """The JSON of an exception."""
        raise NotImplementedError

    def rebuild(self, payload: Any, decoder: Decoder) -> BaseException:
        """The exception that `describe` of the other side has described."""
        raise NotImplementedError

    def beside(self, encoder: Encoder) -> Any:
        """What else to say with an answer."""
        return None

    def heard(self, beside: Any, decoder: Decoder) -> None:
        """Do with that what is right."""

    def unsent(self) -> None:
        """An answer could not be sent: the other side knows nothing of what it named."""

    def converse(self, verb: str, args: Any, kwargs: dict[str, Any], share: bool) -> tuple[str, Any]:
        """Ask the other side. Gives `"="` and a value or `"!"` and an exception.

        `share`: containers of the question and its answer are the same ones for both sides from then on.
        Raises TooMuch, Malformed, EOFError or OSError if there was no proper answer.
        """
        with self.lock:
            self.count += 1
            question = Question(self.count, verb, args, kwargs, share)
            question.known, encoder = len(self.shared.containers), Encoder(self.name, list(self.shared.containers))
            message = deeply(self.asking, encoder, question)
            self.line.send(message)
            self.shared.told(message[-1], list(range(question.known)))
            question.containers = encoder.containers
            while True:
                mark, content = understood(opened, self.line.receive())
                if mark != "?":
                    return mark, understood(self.conclude, question, mark, *content)
                self.answer(understood(self.question, *content))

    def asking(self, encoder: Encoder, question: Question) -> list[Any]:
        """The message that asks."""
        message = ["?", question.number, question.verb, question.share]
        message += [encoder.many(question.args), encoder.pairs(question.kwargs)]
        return [*message, self.shared.changes(encoder, list(range(question.known)))]

    def conclude(self, question: Question, mark: Any, number: Any, payload: Any, changes: Any, beside: Any) -> Any:
        """What an answer says; the asker's containers hold afterwards what it says that they hold."""
        if mark not in ("=", "!") or exactly(int, number) != question.number:
            raise Malformed("no answer to this question")
        numbers = question.numbers(self.shared)
        decoder = Decoder(self.find, question.all(self.shared))
        result = decoder.decode(payload) if mark == "=" else self.rebuild(payload, decoder)
        self.shared.update(decoder, changes, numbers)
        self.heard(beside, decoder)
        if question.shares(mark, payload):
            self.shared.add(decoder.containers[question.known :])
        return result

    def question(self, number: Any, verb: Any, share: Any, args: Any, kwargs: Any, changes: Any) -> Question:
        """What is asked."""
        known = len(self.shared.containers)
        decoder = Decoder(self.find, list(self.shared.containers))
        items, pairs = decoder.many(args), decoder.pairs(kwargs)
        self.shared.update(decoder, changes, list(range(known)))
        question = Question(exactly(int, number), exactly(str, verb), items, dict(pairs), share is True)
        question.known, question.containers = known, decoder.containers
        question.before = [snapshot(item) for item in question.containers[known:]]
        return question

    def answer(self, question: Question) -> None:
        """Do what is asked and send what comes of it."""
        self.serving += 1
        try:
            mark, result = "=", self.perform(question.verb, question.args, question.kwargs)
        except BaseException as error:
            mark, result = "!", error
        with self.lock:  # another thread of the program may be asking just now
            self.serving -= 1
            encoder = Encoder(self.name, question.all(self.shared))
            try:
                message = deeply(self.reply, encoder, question, mark, result)
                self.line.send(message)
            except OSError:
                raise
            except BaseException as error:
                self.unsent()
                self.line.send(["!", question.number, self.describe(error, Encoder(self.name)), [], None])
                return
            self.shared.told(message[3], question.numbers(self.shared))
            if question.shares(mark, message[2]):
                self.shared.add(encoder.containers[question.known :])

    def reply(self, encoder: Encoder, question: Question, mark: str, result: Any) -> list[Any]:
        """The message that answers."""
        payload = encoder.encode(result) if mark == "=" else self.describe(result, encoder)
        changes = self.shared.changes(encoder, question.numbers(self.shared))
        for number, old in enumerate(question.before, question.known):
            if changed(question.containers[number], old):
                changes.append([number, encoder.content(question.containers[number])])
        return [mark, question.number, payload, changes, self.beside(encoder)]


class Question:
    """What is asked.

    Attributes:
        containers: those that were shared, then those that its arguments are made of.
        known: how many were shared. More may be when it is answered: they come after the others.
        before: what those of the arguments hold as yet.
    """

    known: int
    containers: list[Any]
    before: list[Any]

    def __init__(self, number: int, verb: str, args: Any, kwargs: dict[str, Any], share: bool) -> None:
        self.number, self.verb, self.args, self.kwargs, self.share = number, verb, args, kwargs, share

    def all(self, shared: Shared) -> list[Any]:
        """Containers with a number in the answer."""
        return self.containers + shared.containers[self.known :]

    def numbers(self, shared: Shared) -> list[int]:
        """The numbers of the shared ones."""
        beyond = range(len(self.containers), len(self.containers) + len(shared.containers) - self.known)
        return [*range(self.known), *beyond]

    def shares(self, mark: Any, payload: Any) -> bool:
        """Whether both sides hold the same containers afterwards: if asked for, or if an object may have kept them."""
        return mark == "=" and (self.share or (type(payload) is dict and "h" in payload))


def opened(message: Any) -> tuple[Any, list[Any]]:
    """What kind of message it is, and the rest."""
    return exactly(list, message)[0], message[1:]


def understood(function: Callable[..., Any], *args: Any) -> Any:
    """Call what reads a message: whatever it stumbles over, the message is malformed or too much."""
    try:
        return deeply(function, *args)
    except (Malformed, TooMuch):
        raise
    except Exception as error:
        raise Malformed(type(error).__name__) from error
