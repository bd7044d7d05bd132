"""What is wrong with a policy though each of its fields is valid, and the schemas of the files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sandbox_service.contract.base import Model
from sandbox_service.contract.limits import CompileLimits, RunLimits
from sandbox_service.policy.policy import Policy, PolicyFile
from sandbox_service.policy.seccomp import MACHINES, compile_bpf
from sandbox_service.policy.seccomp.source import Source

SCHEMAS: dict[Path, type[Model]] = {Path("schema.json"): PolicyFile, Path("seccomp", "schema.json"): Source}
"""The models of the files, by where in `policies/` their schemas lie."""
NAMED = ("binary", "fraction", "weighted")
DERIVED = {"wall_seconds", "stack_bytes"}
"""Limits that follow from others where a policy gives none."""


def schema(path: Path) -> dict[str, Any]:
    """The JSON Schema of a kind of file, by its place in `SCHEMAS`."""
    found = SCHEMAS[path].model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}


def mistakes(policy: Policy) -> Iterator[str]:
    """What would fail, or refuse every submission, only once it is used."""
    yield from _limits(policy.defaults, policy.caps, "")
    below = _given(policy.defaults) | _given(policy.defaults.compile)
    yield from _limits(
        CompileLimits(**below), CompileLimits(**_given(policy.caps) | _given(policy.caps.compile)), "compile."
    )
    for domain, name in policy.domains.items():
        if name not in (*NAMED, *policy.rewards):
            yield f"domains.{domain}: there is no reward {name!r}"
    for machine in MACHINES:
        try:
            compile_bpf(policy.profile, machine)
        except ValueError as error:
            yield f"seccomp {policy.seccomp}: {error}"


def _limits(defaults: CompileLimits, caps: CompileLimits, where: str) -> Iterator[str]:
    usual, most = _given(defaults), _given(caps)
    for name in RunLimits.model_fields:
        if name not in most:
            yield f"caps.{where}{name} is missing"
        elif name not in usual and name not in DERIVED:
            yield f"defaults.{where}{name} is missing"
        elif usual.get(name, 0) > most[name]:
            yield f"defaults.{where}{name} {usual[name]} is over the cap {most[name]}"


def _given(limits: CompileLimits | None) -> dict[str, Any]:
    return {} if limits is None else limits.model_dump(exclude_none=True, exclude={"compile"})
