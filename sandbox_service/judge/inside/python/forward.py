"""Stand-ins: objects of this side that have everything done by the other."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

SEVERAL = 256  # items before they come several at once
WAITED = ("__aenter__", "__aexit__", "__anext__")


def forward_function(peer: Any, target: Any, name: str, documentation: str | None, waits: bool) -> Any:
    """A function that offers nothing but to be called."""

    def function(*args: Any, **kwargs: Any) -> Any:
        return peer.ask("call", target, *args, **kwargs)

    async def waiting(*args: Any, **kwargs: Any) -> Any:
        return peer.ask("wait_call", target, *args, **kwargs)

    return titled(waiting if waits else function, name, documentation)


def forward_method(peer: Any, target: Any, name: str, waits: bool) -> Any:
    """A method of an object, by its name."""

    def method(*args: Any, **kwargs: Any) -> Any:
        return peer.ask("method", target, name, *args, **kwargs)

    async def waiting(*args: Any, **kwargs: Any) -> Any:
        return peer.ask("wait_method", target, name, *args, **kwargs)

    return titled(waiting if waits else method, name, None)


def forward_special(peer: Any, name: str) -> Any:
    """A special method for the class of a stand-in."""

    def special(self: Any, *args: Any, **kwargs: Any) -> Any:
        return peer.ask("special", self, name, *args, **kwargs)

    async def waiting(self: Any, *args: Any) -> Any:
        return peer.ask("wait_special", self, name, *args)

    async def waited(self: Any) -> Any:
        return peer.ask("await", self)

    if name == "__await__":
        return titled(lambda self: waited(self).__await__(), name, None)
    return titled(waiting if name in WAITED else special, name, None)


def forward_attributes(peer: Any) -> dict[str, Any]:
    """What a class needs so that the attributes of its objects are those of the other side's."""

    def get(self: Any, name: str) -> Any:
        is_method, value = peer.ask("get", self, name)
        return forward_method(peer, self, name, bool(value)) if is_method else value

    def assign(self: Any, name: str, value: Any) -> None:
        peer.ask("set", self, name, value)

    def delete(self: Any, name: str) -> None:
        peer.ask("delete", self, name)

    return {"__getattr__": get, "__setattr__": assign, "__delattr__": delete, "__slots__": ()}


def forward_class(peer: Any, name: str, special: Iterable[str], bases: tuple[type, ...] = ()) -> type:
    """A class whose objects do everything on the other side."""
    namespace = forward_attributes(peer)
    namespace.update((method, forward_special(peer, method)) for method in special)
    return type(name, bases, namespace)


def forward_iterator(peer: Any, target: Any) -> Any:
    """A generator of what the other side's iterator gives, one by one: it may never end, or be slow to.

    One that has given many gives several at once.
    """
    sent, taken = None, 0
    while True:
        try:
            if sent is None and taken >= SEVERAL:
                for value in peer.ask("several", target):
                    sent = yield value
            else:
                value = peer.ask("next", target) if sent is None else peer.ask("send", target, sent)
                sent = yield value
        except StopIteration as end:
            return end.value
        taken += 1


async def forward_async_iterator(peer: Any, target: Any) -> Any:
    """The same for an asynchronous one."""
    while True:
        try:
            value = peer.ask("wait_special", target, "__anext__")
        except StopAsyncIteration:
            return
        yield value


async def forward_awaitable(peer: Any, target: Any) -> Any:
    """A coroutine that has the other side wait."""
    return peer.ask("await", target)


class Target:
    """An object of the other side, by its number alone."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


def titled(function: Any, name: str, documentation: str | None) -> Any:
    """The function under another name."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = documentation
    return function


def with_parameters(function: Any, parameters: Any) -> Any:
    """The function with the parameters that it has in the tests: pairs of a name and whether it may be left out."""
    if parameters is None:
        return function
    absent, names = object(), [name for name, _ in parameters]
    taken = ", ".join(name + "=absent" * optional for name, optional in parameters)
    given = "".join(name + ", " for name in names)
    space = {"function": function, "absent": absent}
    exec("def made(%s): return function(*[_ for _ in (%s) if _ is not absent])" % (taken, given), space)
    return titled(space["made"], function.__name__, function.__doc__)
