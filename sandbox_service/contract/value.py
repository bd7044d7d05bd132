"""Values of functions: any JSON, no deeper than what everybody on its way can read and write."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

MAX_VALUE_DEPTH = 300
"""How many lists and objects may lie in one another, in what is sent and in what comes back."""


def too_deep(value: Any) -> bool:
    """Whether lists and objects lie in one another more than `MAX_VALUE_DEPTH` times. Linear, without recursion."""
    level = [value] if isinstance(value, (list, dict)) else []
    for _ in range(MAX_VALUE_DEPTH):
        if not level:
            return False
        level = [item for part in level for item in _parts(part) if isinstance(item, (list, dict))]
    return bool(level)


def _parts(container: Any) -> Any:
    return container.values() if isinstance(container, dict) else container


def _check_depth(value: Any) -> Any:
    if too_deep(value):
        raise PydanticCustomError("depth", "is nested deeper than {most} levels", {"most": MAX_VALUE_DEPTH})
    return value


Value = Annotated[Any, AfterValidator(_check_depth)]
Values = Annotated[list[Any], AfterValidator(_check_depth)]
NamedValues = Annotated[dict[str, Any], AfterValidator(_check_depth)]
