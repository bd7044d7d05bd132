"""What one side can ask to be done with an object of the other's."""

from __future__ import annotations

from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

# Special methods that a stand-in has if the class of its object has them.
BINARY = "add sub mul truediv floordiv mod matmul pow lshift rshift and xor or".split()
ARITHMETIC = frozenset(
    ["__%s%s__" % (way, name) for name in BINARY for way in ("", "r", "i")] + ["__divmod__", "__rdivmod__"]
)
COMPARISONS = frozenset("__%s__" % name for name in "eq ne lt le gt ge".split())
CONVERSIONS = frozenset(
    "__%s__" % name for name in "neg pos abs invert int float complex index bool round trunc floor ceil len".split()
)
OTHERS = (
    "hash str repr bytes format fspath getitem setitem delitem contains iter next reversed call enter exit"
    " aenter aexit aiter anext await get set delete set_name"
)
SPECIAL = ARITHMETIC | COMPARISONS | CONVERSIONS | {"__%s__" % name for name in OTHERS.split()}
COROUTINE = 0x80  # in the flags of the code of an `async def`

loops: list[Any] = []
raised: dict[int, BaseException] = {}


def is_async(function: Any) -> bool:
    """Whether a call of it has to be awaited."""
    code = getattr(function, "__code__", None)
    return bool(getattr(code, "co_flags", 0) & COROUTINE)


def waited(awaitable: Awaitable[Any]) -> Any:
    """What an awaitable comes to, waited for in a loop that is used again: objects may belong to it.

    Another loop may be running: that of who is waiting for the answer. It rests meanwhile.
    """

    async def wait() -> Any:
        return await awaitable

    asyncio: Any = __import__("asyncio")
    outer = asyncio.events._get_running_loop()
    loop = loops.pop() if loops else asyncio.new_event_loop()
    asyncio.events._set_running_loop(None)
    try:
        return loop.run_until_complete(wait())
    finally:
        loops.append(loop)
        asyncio.events._set_running_loop(outer)


def call(target: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call it."""
    return target(*args, **kwargs)


def method(target: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """Call a method."""
    return getattr(target, name)(*args, **kwargs)


def special(target: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """Call a special method as operators do, which look at the type alone; also where that gives NotImplemented."""
    kind = type(target)
    holder = next((base for base in kind.__mro__ if name in base.__dict__), None)
    if holder is None:
        raise AttributeError(name)
    found = holder.__dict__[name]
    bind = getattr(type(found), "__get__", None)
    return (found if bind is None else bind(found, target, kind))(*args, **kwargs)


def get(target: Any, name: str, /) -> tuple[bool, Any]:
    """An attribute: whether it is a method, which stays a name, and whether that is awaited; or else its value."""
    value = getattr(target, name)
    if type(value).__name__ == "method" and value.__self__ is target:
        return True, is_async(value.__func__)
    return False, value


def several(target: Any) -> list[Any]:
    """The next items of an iterator, as many as take no time; what it raises behind them comes at the next call."""
    if id(target) in raised:
        raise raised.pop(id(target))
    items, end = [next(target)], monotonic() + 0.005
    while len(items) < 512 and monotonic() < end:
        try:
            items.append(next(target))
        except BaseException as error:
            raised[id(target)] = error
            break
    return items


def waited_for(operation: Callable[..., Awaitable[Any]]) -> Callable[..., Any]:
    """The operation, and waiting for what it gives."""
    return lambda *args, **kwargs: waited(operation(*args, **kwargs))


OPERATIONS: dict[str, Callable[..., Any]] = {
    "call": call,
    "method": method,
    "special": special,
    "get": get,
    "set": setattr,
    "delete": delattr,
    "dir": dir,
    "next": next,
    "several": several,
    "send": lambda target, value: target.send(value),
    "await": waited,
    "wait_call": waited_for(call),
    "wait_method": waited_for(method),
    "wait_special": waited_for(special),
    "copy": lambda target: __import__("copy").copy(target),
    "deepcopy": lambda target: __import__("copy").deepcopy(target),
}
