"""Rewards that are more than a name: components, gates, and the range that their sum is cut to."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, field_validator, model_validator
from pydantic_core import PydanticCustomError

from sandbox_service.contract.base import Bytes, Model
from sandbox_service.contract.limits import Memory, Seconds, whole

MAX_COMPONENTS = 16
LABEL = r"^[a-z0-9_.-]{1,64}$"
Label = Annotated[str, Field(pattern=LABEL)]
Weight = Annotated[float, Field(ge=-1e6, le=1e6)]
BARE_GATES = ("compile", "tests")
"""What `require` may name although it is no component: that the program compiles; that every case is accepted."""


class Part(Model):
    """What all components have: `value` in [0, 1] times `weight`; `label` names one of several of the same name."""

    name: str
    weight: Weight = 1.0
    label: Label | None = None

    @property
    def key(self) -> str:
        """How a result and `require` name this component."""
        return self.label or self.name


class TestsPart(Part):
    """The verdicts of the cases, or of those of one `group`.

    `binary`: 1 if every case is accepted. `fraction`: passed / sent. `weighted`: weight passed / weight sent.
    `groups`: as subtasks are counted: a group earns the weight of its cases if all of them pass, else nothing.
    """

    __test__ = False
    name: Literal["tests"]
    kind: Literal["binary", "fraction", "weighted", "groups"] = "fraction"
    group: Annotated[str, Field(max_length=256)] | None = None


class CompilePart(Part):
    """1 if the program compiles, or its language needs no compiler and there is a program."""

    name: Literal["compile"]


class Reference(Model):
    """A program that solves the task; in the language of the submission where it names none."""

    code: Bytes
    language: Label | None = None


class EfficiencyPart(Part):
    """How little an accepted program needs: baseline / (baseline + used); 0 unless every case is accepted.

    The program is run at most `best_of` times, until what it needs least was met twice, and of each case the least
    counts: of CPU time all cases together, of memory the case with the highest peak. Exactly one of the three says
    what it is compared with; a `reference` is run in turn with the program, in the same place, so that whatever slows
    down one slows down the other.
    """

    name: Literal["efficiency"]
    measure: Literal["cpu_seconds", "memory_bytes"] = "cpu_seconds"
    baseline_cpu_seconds: Seconds | None = None
    baseline_memory_bytes: Memory | None = None
    reference: Reference | None = None
    best_of: Annotated[int, Field(ge=1, le=16), BeforeValidator(whole)] = 8

    @model_validator(mode="after")
    def _one_baseline(self) -> EfficiencyPart:
        of_measure = {"cpu_seconds": self.baseline_cpu_seconds, "memory_bytes": self.baseline_memory_bytes}
        own, foreign = of_measure.pop(self.measure), next(iter(of_measure.values()))
        if foreign is not None or (own is None) == (self.reference is None):
            raise PydanticCustomError(
                "baseline", "give exactly one of baseline_{measure} and reference", {"measure": self.measure}
            )
        return self


class FormatPart(Part):
    """The form of what the model wrote, before anything is extracted: the share of what is asked that holds.

    `pattern` (RE2) is found in it; each of `tags` stands there once, opened and closed, in this order and not inside
    one another; `fenced`: it has exactly one fenced block.
    """

    name: Literal["format"]
    pattern: Annotated[str, Field(min_length=1, max_length=4096)] | None = None
    tags: Annotated[list[Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")]], Field(max_length=16)] = []
    fenced: bool = False

    @model_validator(mode="after")
    def _something(self) -> FormatPart:
        if self.pattern is None and not self.tags and not self.fenced:
            raise PydanticCustomError("format", "ask for something: pattern, tags or fenced")
        return self


class LengthPart(Part):
    """1 up to `target`, 0 from `limit` on, and falling evenly between them."""

    name: Literal["length"]
    unit: Literal["bytes", "characters", "words", "lines"] = "characters"
    target: Annotated[int, Field(ge=1, le=1 << 40), BeforeValidator(whole)]
    limit: Annotated[int, Field(ge=1, le=1 << 40), BeforeValidator(whole)]

    @model_validator(mode="after")
    def _falls(self) -> LengthPart:
        if self.limit <= self.target:
            raise PydanticCustomError("length", "limit must be more than target")
        return self


Check = Literal["rules", "type_hints", "docstrings", "exceptions", "logging", "complexity"]


class CompliancePart(Part):
    """How far Python text keeps to rules: the mean of `checks`, each a share.

    `rules`: lines of code without a finding of ruff's rules `select`. `type_hints`: annotated parameters and returns.
    `docstrings`: public modules, classes and functions that have one. `exceptions`: handlers that neither catch
    everything nor drop what they catch. `logging`: calls that log, of those that log or print. `complexity`:
    functions whose cyclomatic complexity is at most `max_complexity`. Nothing to count is 1.
    """

    name: Literal["compliance"]
    checks: Annotated[list[Check], Field(min_length=1, max_length=6)] = ["rules"]
    select: Annotated[list[Annotated[str, Field(pattern=r"^[A-Z]{1,5}[0-9]{0,4}$")]], Field(min_length=1)] = ["E", "F"]
    max_complexity: Annotated[int, Field(ge=1, le=1000), BeforeValidator(whole)] = 10


class ImpactPart(Part):
    """What a change to Python files does to what depends on it: the mean of two shares, where there are any.

    `base`: the files before the change; the submission's are those after it. What depends is found by import and call
    graph. Passed: of the cases whose id (`path::test`) or group (a path) is among what changed or depends on it.
    Adapted: of the direct callers of what was removed, or takes other arguments than before, those that changed too.
    """

    name: Literal["impact"]
    base: Annotated[dict[str, Bytes], Field(min_length=1, max_length=1000)]


class CustomPart(Part):
    """A program that scores: it reads the result as JSON from stdin, and ends its output with a line that is a number.

    In a sandbox of its own. Numbers are cut to [0, 1]; what stands before the last line is the explanation.
    """

    name: Literal["custom"]
    language: Label
    code: Bytes


class StepsPart(Part):
    """The rewards of the submission's `steps`, each by `fraction`, made one by `rule`.

    `mean`, `last`, `best`, `worst`; `discounted`: the mean, a step counting `discount` times as much as the next;
    `progress`: the share of steps that are better than all before them, or as good as can be.
    """

    name: Literal["steps"]
    rule: Literal["mean", "last", "best", "worst", "discounted", "progress"] = "mean"
    discount: Annotated[float, Field(gt=0, le=1)] = 0.9


AnyPart = Annotated[
    TestsPart
    | CompilePart
    | EfficiencyPart
    | FormatPart
    | LengthPart
    | CompliancePart
    | ImpactPart
    | CustomPart
    | StepsPart,
    Field(discriminator="name"),
]


class Reward(Model):
    """A sum of weight x value, which is 0 where a gate of `require` is not fully met, cut to `clip`; null cuts nothing.

    A gate is the label of a component, else its name; `compile` and `tests` need not be components.
    """

    components: Annotated[list[AnyPart], Field(min_length=1, max_length=MAX_COMPONENTS)]
    require: Annotated[list[Label], Field(max_length=MAX_COMPONENTS)] = []
    clip: Annotated[list[Weight], Field(min_length=2, max_length=2)] | None = [0.0, 1.0]

    @field_validator("components")
    @classmethod
    def _check_components(cls, value: list[AnyPart]) -> list[AnyPart]:
        keys = [part.key for part in value]
        if twice := next((key for key in keys if keys.count(key) > 1), None):
            raise PydanticCustomError("label", "{key} stands twice: give one a label", {"key": repr(twice)})
        if not any(part.weight for part in value):
            raise PydanticCustomError("weight", "weights must not all be 0")
        return value

    @field_validator("clip")
    @classmethod
    def _check_clip(cls, value: list[float] | None) -> list[float] | None:
        if value is not None and value[0] > value[1]:
            raise PydanticCustomError("clip", "must be [low, high]")
        return value

    @model_validator(mode="after")
    def _check_gates(self) -> Reward:
        known = {*BARE_GATES, *(part.key for part in self.components)}
        if foreign := next((gate for gate in self.require if gate not in known), None):
            raise PydanticCustomError("require", "{gate} is no component here", {"gate": repr(foreign)})
        return self

    def part(self, name: str) -> Any:
        """The first component of a name; `None` where there is none."""
        return next((part for part in self.components if part.name == name), None)


def _kind(value: Any) -> str:
    return "components" if isinstance(value, (dict, Reward)) else "name"


NAME = r"^[a-z0-9_.+-]{1,64}$"
RewardName = Annotated[str, Field(pattern=NAME)]
RewardChoice = Annotated[
    Annotated[RewardName, Tag("name")] | Annotated[Reward, Tag("components")], Discriminator(_kind)
]
"""A reward as a submission or a policy gives it: a name, or what it is made of."""


def named_languages(reward: Reward) -> list[str]:
    """The languages of the programs that a reward brings along."""
    named = [part.language for part in reward.components if isinstance(part, CustomPart)]
    beside = [part.reference for part in reward.components if isinstance(part, EfficiencyPart)]
    return named + [each.language for each in beside if each and each.language]


def needed_tools(reward: Reward) -> list[str]:
    """The tools that its analyses need."""
    return ["ruff" for part in reward.components if isinstance(part, CompliancePart) and "rules" in part.checks][:1]
