"""`unittest.mock.patch` of a test text: what it puts in place in a module, the solution is to find there as well."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Their replacements are asked for when the solution reads, and told when it has printed.
STREAMS = (("sys", "stdin"), ("sys", "stdout"))


class SolutionModule(type(sys)):  # type: ignore[misc]
    """The solution, as a module that the text imports."""

    def __init__(self, name: str, resolver: Any) -> None:
        super().__init__(name)
        self.__dict__["@resolver"] = resolver

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.__dict__["@resolver"].attribute(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("__"):
            super().__setattr__(name, value)
        else:
            self.__dict__["@resolver"].session.ask("patch", "solution", name, value)

    def __delattr__(self, name: str) -> None:
        self.__dict__["@resolver"].session.ask("unpatch", "solution", name)


def forward_patches(session: Any) -> None:
    """Have the solution's side take part in what `patch` does to modules."""
    from unittest import mock

    patch: Any = getattr(mock, "_patch")  # noqa: B009 (for those who check types)
    enter, leave = patch.__enter__, patch.__exit__

    def place(self: Any) -> tuple[str, str] | None:
        """Module and name, where both sides have the module."""
        module = self.target.__name__ if type(self.target) is type(sys) else "__main__"
        return None if module == "__main__" or (module, self.attribute) in STREAMS else (module, self.attribute)

    def entered(self: Any) -> Any:
        result = enter(self)
        where = place(self)
        if where:
            session.ask("patch", *where, getattr(self.target, self.attribute))
        return result

    def left(self: Any, *exception: Any) -> Any:
        where = place(self)
        if where:
            session.ask("unpatch", *where)
        return leave(self, *exception)

    patch.__enter__, patch.__exit__ = entered, left
