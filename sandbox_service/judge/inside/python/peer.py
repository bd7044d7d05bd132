"""A conversation between two processes over a pair of pipes: each may ask the other, also while it is being asked.

A message is its length (4 bytes, big endian) and ASCII JSON: `["?", n, verb, args, kwargs]` asks, `["=", n, value,
changes, printed]` answers and `["!", n, exception, changes, printed]` fails. `n` is the asker's count of its own
questions, which the answer repeats. `changes` are containers among the arguments that hold something else now: pairs
of number and content, so that a list sorted in place there is sorted here as well.
"""

from __future__ import annotations

import os
import sys
from _thread import RLock

from .message import MESSAGE_BYTES, Malformed, TooMuch, dumps, loads
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

    def printed(self) -> str:
        """What the program has printed since the last answer."""
        return ""

    def heard(self, text: Any) -> None:
        """Do with it what is right."""

    def unsent(self) -> None:
        """An answer could not be sent: the other side knows nothing of what it named."""

    def converse(self, verb: str, args: Any, kwargs: dict[str, Any]) -> tuple[str, Any]:
        """Ask the other side. Gives `"="` and a value or `"!"` and an exception.

        Raises TooMuch, Malformed, EOFError or OSError if there was no proper answer.
        """
        with self.lock:
            self.count += 1
            number, encoder = self.count, Encoder(self.name)
            message = ["?", number, verb, deeply(encoder.many, args), deeply(encoder.pairs, kwargs)]
            self.line.send(message)
            while True:
                mark, content = understood(opened, self.line.receive())
                if mark != "?":
                    return mark, understood(self.conclude, number, encoder.containers, mark, *content)
                self.answer(*understood(self.question, *content))

    def conclude(self, asked: int, containers: list[Any], mark: str, number: Any, *content: Any) -> Any:
        """What an answer says; the caller's containers hold afterwards what it says that they hold."""
        payload, changes, printed = content
        if (mark, number) not in (("=", asked), ("!", asked)) or type(number) is not int:
            raise Malformed("no answer to this question")
        decoder = Decoder(self.find, containers)
        result = decoder.decode(payload) if mark == "=" else self.rebuild(payload, decoder)
        for change in changes:
            decoder.update(*change)
        self.heard(printed)
        return result

    def question(self, number: Any, verb: Any, args: Any, kwargs: Any) -> tuple[Any, ...]:
        """What is asked, and the containers among the arguments."""
        decoder = Decoder(self.find)
        args, pairs = decoder.many(args), decoder.pairs(kwargs)
        return exactly(int, number), exactly(str, verb), args, dict(pairs), decoder.containers

    def answer(self, number: int, verb: str, args: list[Any], kwargs: dict[str, Any], containers: list[Any]) -> None:
        """Do what is asked and send what comes of it."""
        before = [snapshot(item) for item in containers]
        self.serving += 1
        try:
            mark, result = "=", self.perform(verb, args, kwargs)
        except BaseException as error:
            mark, result = "!", error
        with self.lock:  # another thread of the program may be asking just now
            self.serving -= 1
            try:
                self.line.send(deeply(self.reply, mark, number, result, containers, before))
            except OSError:
                raise
            except BaseException as error:
                self.unsent()
                self.line.send(self.reply("!", number, error, [], []))

    def reply(self, mark: str, number: int, result: Any, containers: list[Any], before: list[Any]) -> list[Any]:
        """The message that answers."""
        differing = [index for index, old in enumerate(before) if changed(containers[index], old)]
        encoder = Encoder(self.name, list(containers))
        payload = encoder.encode(result) if mark == "=" else self.describe(result, encoder)
        changes = [[index, encoder.content(containers[index])] for index in differing]
        return [mark, number, payload, changes, self.printed()]


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
