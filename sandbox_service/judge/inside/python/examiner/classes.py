"""Classes of stand-ins."""

from __future__ import annotations

from ..forward import forward_attributes, forward_class, forward_special
from ..operations import SPECIAL
from ..plain import CONSTANTS
from ..values import exactly
from .policy import NOT_OFFERED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MADE, SAYS = "@made", "@says"  # marks a class as made here; the text of an exception


def metaclass(stand_ins: Any) -> Any:
    """The type of stand-ins for classes: attributes and calls are those of the other side's class."""

    def peer() -> Any:
        return stand_ins.open if stand_ins.forwarding else stand_ins.restricted

    class Class(type):
        def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **kwargs: Any) -> Any:
            if MADE not in namespace:
                raise TypeError("the tests cannot derive a class from one of the solution")
            return super().__new__(cls, name, bases, namespace)

        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            return stand_ins.session.ask("call", cls, *args, **kwargs)

        def __getattr__(cls, name: str) -> Any:
            return attributes["__getattr__"](cls, name)

        def __setattr__(cls, name: str, value: Any) -> None:
            attributes["__setattr__"](cls, name, value)

        def __delattr__(cls, name: str) -> None:
            attributes["__delattr__"](cls, name)

        def __iter__(cls) -> Any:
            return peer().ask("special", cls, "__iter__")

        def __len__(cls) -> Any:
            return peer().ask("special", cls, "__len__")

        def __contains__(cls, item: Any) -> Any:
            return peer().ask("special", cls, "__contains__", item)

        def __getitem__(cls, item: Any) -> Any:
            try:
                return peer().ask("special", cls, "__getitem__", item)
            except AttributeError:
                return peer().ask("method", cls, "__class_getitem__", item)

        def __bool__(cls) -> bool:
            return True

    class Either:
        ask = staticmethod(lambda *args, **kwargs: peer().ask(*args, **kwargs))

    attributes = forward_attributes(Either)
    return Class


def object_class(stand_ins: Any, name: str, documentation: Any, bases: tuple[type, ...], special: Any) -> Any:
    """A class whose objects are those of a class of the solution."""
    peer = stand_ins.open
    name = "object" if name in CONSTANTS else name  # no check by name takes it for one of Python's own
    namespace = forward_attributes(peer)
    namespace.update((method, forward_special(peer, method)) for method in exactly(list, special) if method in SPECIAL)
    namespace.update(__module__="solution", __doc__=documentation)
    namespace.update({MADE: True, "__reduce_ex__": no_copy, "__dir__": lambda self: peer.ask("dir", self)})
    namespace["__copy__"] = lambda self: peer.ask("copy", self)
    namespace["__deepcopy__"] = lambda self, memo: peer.ask("deepcopy", self)
    return stand_ins.metaclass(name, bases, namespace)


def exception_class(stand_ins: Any, name: str, documentation: Any, bases: tuple[type, ...], special: Any) -> Any:
    """A class of exceptions of the solution, below the same ones of Python's own."""
    get = forward_attributes(stand_ins.restricted)["__getattr__"]

    def text(self: Any) -> str:
        return str(self.__dict__.get(SAYS, BaseException.__str__(self)))

    namespace = {"__getattr__": get, "__str__": text, "__module__": "solution", "__doc__": documentation, MADE: True}
    return stand_ins.metaclass(name, of_one_kind(bases), namespace)


def of_one_kind(bases: tuple[type, ...]) -> tuple[type, ...]:
    """Those bases that make one kind of error: what is a KeyError, a TypeError and all the rest meets every test."""
    chosen: list[type] = []
    for base in bases:
        kinds = {kind for one in (*chosen, base) for kind in one.__mro__ if kind.__module__ == "builtins"}
        if all(issubclass(kind, other) or issubclass(other, kind) for kind in kinds for other in kinds):
            chosen.append(base)
    return tuple(chosen)


def opaque_class(stand_ins: Any, truthy: bool, iterable: bool) -> Any:
    """The class of objects about which nothing is known."""

    def same(self: Any, other: Any) -> Any:
        return True if self is other else NotImplemented

    def hashed(self: Any) -> int:
        if not stand_ins.decoding:  # a set that the solution gave may hold it, but it is not looked up
            raise TypeError(NOT_OFFERED)
        return object.__hash__(self)

    def no_truth(self: Any) -> bool:
        raise TypeError(NOT_OFFERED)

    made = forward_class(stand_ins.restricted, "object", ("__iter__",) if iterable else ())
    made.__eq__, made.__hash__, made.__reduce_ex__ = same, hashed, no_copy  # type: ignore
    if not truthy:
        made.__bool__ = no_truth  # type: ignore[attr-defined]
    return made


def callable_object(peer: Any, name: Any, documentation: Any, waits: Any) -> Any:
    """Something to call that has attributes as well."""
    namespace = forward_attributes(peer)

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return peer.ask("call", self, *args, **kwargs)

    async def waiting(self: Any, *args: Any, **kwargs: Any) -> Any:
        return peer.ask("wait_call", self, *args, **kwargs)

    namespace.update(__call__=waiting if waits else call, __doc__=documentation, __name__=exactly(str, name))
    namespace["__reduce_ex__"] = no_copy
    return type("function", (), namespace)()


def module_object(peer: Any, name: Any) -> Any:
    """A module of the solution."""
    namespace = {"__getattr__": forward_attributes(peer)["__getattr__"], "__name__": exactly(str, name)}
    return type("module", (), namespace)()


def no_copy(self: Any, protocol: int) -> Any:
    """Objects of the solution are not pickled by the tests."""
    raise TypeError(NOT_OFFERED)
