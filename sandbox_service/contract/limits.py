"""Limits: what a request may ask for, and what a run is held to."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from sandbox_service.contract.base import Model

PAGE = 4096


def whole(value: Any) -> Any:
    """JSON has one kind of number: 64.0 is 64."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Seconds = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1), BeforeValidator(whole)]
Memory = Annotated[int, Field(ge=PAGE), BeforeValidator(whole)]
Handles = Annotated[int, Field(ge=16), BeforeValidator(whole)]


class CompileLimits(Model):
    """Limits that a request asks for; `None` is the policy's default. Seconds and bytes."""

    cpu_seconds: Seconds | None = None
    wall_seconds: Seconds | None = None
    memory_bytes: Memory | None = None
    processes: Count | None = None
    disk_bytes: Memory | None = None
    output_bytes: Count | None = None
    stack_bytes: Memory | None = None
    open_files: Handles | None = None
    inodes: Handles | None = None


class Limits(CompileLimits):
    """Limits of each test case alone, and under `compile` those of the compiler."""

    compile: CompileLimits | None = None


class RunLimits(Model):
    """Limits with nothing left open: what one run is held to.

    `cpu_seconds` counts all processes of the run; `memory_bytes` also counts what they write to
    the sandbox's file system; `processes` counts tasks (threads too) without the service's own;
    `output_bytes` holds for stdout and stderr each.
    """

    cpu_seconds: Seconds
    wall_seconds: Seconds
    memory_bytes: int
    processes: int
    disk_bytes: int
    output_bytes: int
    stack_bytes: int
    open_files: int
    inodes: int
