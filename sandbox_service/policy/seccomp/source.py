"""The source of a filter: a YAML file of groups of system calls, each with its answer and the reason for it."""

from __future__ import annotations

import errno
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, Field, ValidationError, model_validator

from sandbox_service.contract.base import Model
from sandbox_service.policy.seccomp.calls import names

INT = 0xFFFFFFFF
"""The bits of an argument that the kernel takes for an int or a mode; the rest of the register counts for nothing."""


def _is_answer(answer: str) -> str:
    if answer not in ("allow", "kill", "nothing") and not hasattr(errno, answer):
        raise ValueError(f"{answer!r} is neither allow, kill, nothing nor the name of an error")
    return answer


def _is_call(name: str) -> str:
    if name not in names():
        raise ValueError(f"there is no system call {name!r}")
    return name


Answer = Annotated[str, AfterValidator(_is_answer)]
"""`allow`; `kill`: the whole run, as a security violation; `nothing`: success, without doing it; or an error."""
Call = Annotated[str, AfterValidator(_is_call)]
Bits = Annotated[int, Field(ge=0, lt=1 << 64)]
Argument = Literal["arg0", "arg1", "arg2", "arg3", "arg4", "arg5"]


class Condition(Model):
    """Whether an argument, or the bits of it that `mask` has, is one of these values, or none of them."""

    mask: Bits = INT
    any_of: list[Bits] = []
    none_of: list[Bits] = []

    @model_validator(mode="after")
    def _holds_together(self) -> Condition:
        if bool(self.any_of) == bool(self.none_of):
            raise ValueError("either any_of or none_of")
        if odd := [value for value in self.any_of + self.none_of if value & ~self.mask]:
            raise ValueError(f"{odd[0]:#x} has bits that the mask {self.mask:#x} takes away")
        return self


class Group(Model):
    """Calls with one answer. With `allow_if` they are let through where all tests of one of its entries hold."""

    why: str
    answer: Answer
    calls: list[Call]
    allow_if: list[dict[Argument, Condition]] = []

    @model_validator(mode="after")
    def _holds_together(self) -> Group:
        if self.allow_if and self.answer == "allow":
            raise ValueError("allow_if says nothing where all else is allowed too")
        return self


class Source(Model):
    """One file of `policies/seccomp/`. With `base` its groups stand before those of that file."""

    base: str | None = None
    otherwise: Answer | None = None
    groups: list[Group]

    @model_validator(mode="after")
    def _holds_together(self) -> Source:
        seen = [call for group in self.groups for call in group.calls]
        if twice := {call for call in seen if seen.count(call) > 1}:
            raise ValueError(f"in two groups: {', '.join(sorted(twice))}")
        if bool(self.base) == bool(self.otherwise):
            raise ValueError("either base or otherwise")
        return self


@dataclass(frozen=True, slots=True)
class Profile:
    """A filter with nothing left open.

    Attributes:
        name: of its file.
        otherwise: the answer to calls that are in no group.
        groups: by call.
        digest: of the texts that it was made of.
    """

    name: str
    otherwise: str
    groups: dict[str, Group]
    digest: str


def load_profile(folder: Path, name: str) -> Profile:
    """Read the filter `name` of a folder.

    Raises:
        ValueError: there is none, or it is not valid; the message names the file and what is wrong.
    """
    source, text = _read(folder / f"{name}.yaml")
    base, below = _read(folder / f"{source.base}.yaml") if source.base else (source, b"")
    if base.otherwise is None:
        raise ValueError(f"{folder / name}.yaml: its base {source.base} must have none of its own")
    groups = {call: group for part in (base, source) for group in part.groups for call in group.calls}
    return Profile(name, base.otherwise, groups, hashlib.sha256(text + b"\0" + below).hexdigest()[:16])


def _read(path: Path) -> tuple[Source, bytes]:
    try:
        text = path.read_bytes()
        content: Any = yaml.safe_load(text)
        return Source.model_validate(content), text
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except (ValidationError, yaml.YAMLError) as error:
        raise ValueError(f"{path}: {error}") from None
