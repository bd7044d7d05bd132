"""A policy: defaults and caps of limits, the executor, and the rewards it names."""

from __future__ import annotations

import hashlib
import os
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, SkipValidation, ValidationError

from sandbox_service.contract.base import Model
from sandbox_service.contract.data import data_dir
from sandbox_service.contract.limits import CompileLimits, Limits, RunLimits
from sandbox_service.contract.problem import ProblemError
from sandbox_service.contract.result import PolicyRef
from sandbox_service.contract.reward import NAME, Reward, RewardName
from sandbox_service.contract.run import Preload
from sandbox_service.contract.submission import DOMAIN
from sandbox_service.policy.seccomp import Profile, compile_bpf, load_profile

Policies = dict[str, "Policy"]
Reveal = Literal["nothing", "actual", "expected"]
"""How much of the evidence a case's message shows; each shows what the one before does."""
WALL_SECONDS_BASE, WALL_PER_CPU = 5.0, 2.0


class PolicyFile(Model):
    """One file of `policies/`. `defaults` hold where a request says nothing, `caps` always.

    `isolation: strict`: what a run has of a sandbox (namespaces, control group, interpreter) no other run has had.
    `seccomp` names the file of `seccomp/` with the system calls that programs may make.
    `reveal` is what the message of a case that is not accepted shows: `nothing` but the kind of mismatch; the `actual`
    value, what the program itself gave; or also what was `expected`, the text of the assertion, the checker's words.
    Whoever is shown what was expected, and may try again, need not solve the task.
    `warm: false` starts an interpreter for each run; else Python runs in a copy of one that has read `preload` already,
    where `auto` is `numpy` for programs that name it and `stdlib` for others.
    `rewards` are those that a submission may ask for by name; `domains` says which one a domain has where a submission
    asks for none.
    `cache: false` keeps neither results nor compiled programs for identical submissions.
    """

    name: Annotated[str, Field(pattern=NAME)]
    executor: str
    runtime: str | None = None
    isolation: Literal["standard", "strict"] = "standard"
    seccomp: Annotated[str, Field(pattern=NAME)] = "default"
    defaults: Limits
    caps: Limits
    rewards: dict[Annotated[str, Field(pattern=NAME)], Reward] = {}
    domains: dict[Annotated[str, Field(pattern=DOMAIN)], RewardName] = {}
    reveal: Reveal = "actual"
    cache: bool = True
    warm: bool = True
    preload: Literal["auto"] | Preload = "auto"


NOTHING = Limits()


class Policy(PolicyFile):
    """A policy that was read: also its filter of system calls, and a digest of all texts that it is made of."""

    profile: SkipValidation[Profile]
    digest: str

    @cached_property
    def filter(self) -> bytes:
        """The filter of system calls for this machine; see `RunRequest.seccomp`.

        Raises:
            ValueError: a machine whose system calls are not known.
        """
        return compile_bpf(self.profile, os.uname().machine)

    @property
    def ref(self) -> PolicyRef:
        """How a result names this policy."""
        return PolicyRef(name=self.name, digest=self.digest)

    def reward(self, asked: str | Reward | None, domain: str) -> str | Reward | None:
        """The reward of a submission: what it asks for, else its domain's; of a name of `rewards` what it stands for.

        `None` leaves it to the task.
        """
        named = self.domains.get(domain) if asked is None else asked
        return self.rewards.get(named, named) if isinstance(named, str) else named

    def resolve(self, asked: Limits) -> tuple[RunLimits, RunLimits]:
        """The limits of a test case and those of the compiler.

        Raises:
            ProblemError: 422 `limit_over_cap`, naming the limit, the cap and the policy.
        """
        return self._defaults if asked == NOTHING else self._narrowed(asked)

    @cached_property
    def _defaults(self) -> tuple[RunLimits, RunLimits]:
        return self._narrowed(NOTHING)

    def _narrowed(self, asked: Limits) -> tuple[RunLimits, RunLimits]:
        run = self._resolve(_given(asked), _given(self.defaults), _given(self.caps), "limits")
        compiler = self._resolve(
            _given(asked.compile),
            _given(self.defaults) | _given(self.defaults.compile),
            _given(self.caps) | _given(self.caps.compile),
            "limits.compile",
        )
        return run, compiler

    def _resolve(self, asked: dict[str, Any], defaults: dict[str, Any], caps: dict[str, Any], where: str) -> RunLimits:
        for name, value in asked.items():
            if value > caps[name]:
                raise ProblemError(
                    422,
                    "limit_over_cap",
                    f"{name} {value} is over the cap {caps[name]} of policy {self.name}",
                    field=f"{where}.{name}",
                )
        limits = defaults | asked
        if "wall_seconds" not in asked and ("wall_seconds" not in defaults or "cpu_seconds" in asked):
            limits["wall_seconds"] = min(WALL_SECONDS_BASE + WALL_PER_CPU * limits["cpu_seconds"], caps["wall_seconds"])
        limits.setdefault("stack_bytes", limits["memory_bytes"])
        return RunLimits(**limits)


def _given(limits: CompileLimits | None) -> dict[str, Any]:
    return {} if limits is None else limits.model_dump(exclude_none=True, exclude={"compile"})


def load(folder: Path) -> Policies:
    """Read all policies of a folder, by name.

    Raises:
        ValueError: a file is no valid policy; the message names the file and the field.
    """
    policies = {policy.name: policy for policy in map(load_file, sorted(folder.glob("*.yaml")))}
    if "default" not in policies:
        raise ValueError(f"{folder}: there is no default.yaml")
    return policies


def load_file(path: Path) -> Policy:
    """Read one policy. Filters are those of the folder `seccomp` beside it, else those that come with the service.

    Raises:
        ValueError: as with `load`.
    """
    text = path.read_bytes()
    try:
        file = PolicyFile.model_validate(yaml.safe_load(text))
    except (ValidationError, yaml.YAMLError) as error:
        raise ValueError(f"{path}: {error}") from None
    if file.name != path.stem:
        raise ValueError(f"{path}: name is {file.name!r}, expected {path.stem!r}")
    own, ours = path.parent / "seccomp", data_dir("policies") / "seccomp"
    profile = load_profile(own if (own / f"{file.seccomp}.yaml").exists() else ours, file.seccomp)
    digest = hashlib.sha256(text + profile.digest.encode()).hexdigest()[:16]
    return Policy(**dict(file), profile=profile, digest=digest)


def default_policy() -> Policy:
    """The policy `default` of this installation."""
    return load(data_dir("policies"))["default"]
