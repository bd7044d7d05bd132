"""Limits of other services, which know wall time alone, in ours."""

from __future__ import annotations

from typing import Any

from sandbox_service.contract.limits import CompileLimits
from sandbox_service.gateway.compat.ask import Asker

WALL_PER_CPU = 1.5
"""The time asked for is CPU time; so much longer a program may wait or sleep, so that a busy machine fails nobody."""


def times(seconds: float) -> dict[str, Any]:
    """The limits for a timeout."""
    return {"cpu_seconds": seconds, "wall_seconds": seconds * WALL_PER_CPU}


def times_within(seconds: float, compile_seconds: float, asker: Asker) -> dict[str, Any]:
    """The limits for timeouts, cut to the policy's caps.

    For clients that take a refusal for a wrong answer, and ask for much more time than they need.
    """
    caps = asker.gateway.admission.policies["default"].caps
    run, compiling = _cut(times(seconds), caps), _cut(_cut(times(compile_seconds), caps), caps.compile)
    return {**run, "compile": compiling}


def _cut(limits: dict[str, Any], caps: CompileLimits | None) -> dict[str, Any]:
    most = {} if caps is None else caps.model_dump(exclude_none=True)
    return {name: min(value, most.get(name, value)) for name, value in limits.items()}


def memory(size: int, asker: Asker) -> dict[str, Any]:
    """The limit for a size in bytes; where there is to be none (0 or less), all that the policy gives."""
    cap = asker.gateway.admission.policies["default"].caps.memory_bytes
    return {"memory_bytes": size if size > 0 else cap}
