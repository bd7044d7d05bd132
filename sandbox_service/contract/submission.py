"""A submission: a program, what is asked of it, and how it is to be run and rewarded."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from sandbox_service.contract.base import Bytes, Model
from sandbox_service.contract.limits import Limits
from sandbox_service.contract.reward import NAME, Reward, RewardChoice
from sandbox_service.contract.task import RunTask, Task
from sandbox_service.contract.verdict import Priority

MAX_FILES = 1_000
MAX_ARTIFACT_GLOBS = 64
MAX_STEPS = 64
ANSWER = "answer"
"""The language of submissions that are no program."""
MAX_PATH, MAX_NAME = 1024, 255  # bytes; the latter is what file systems take
MAX_METADATA_BYTES = 1 << 20
MAX_METADATA_DEPTH = 32
DOMAIN = r"^[a-z0-9_.-]{1,64}$"
# One component: not empty, not "." or "..", no slash, no NUL.
_COMPONENT = r"(?!\.{1,2}(?:/|$))[^/\x00]{1,255}"
PATH = rf"^{_COMPONENT}(?:/{_COMPONENT}){{0,15}}$"
_path = re.compile(PATH.replace("$", r"\Z"))


def check_path(path: str) -> str:
    """Check a file name that comes from outside: relative, without `..`, at most 16 levels.

    Raises:
        PydanticCustomError: saying what is wrong with it.
    """
    name = path.encode("utf-8", "surrogatepass")
    if len(name) > MAX_PATH or max(map(len, name.split(b"/"))) > MAX_NAME:
        raise PydanticCustomError(
            "path",
            "{path} is too long: at most {most} bytes, each part of it at most {part}",
            {"path": repr(path), "most": MAX_PATH, "part": MAX_NAME},
        )
    if not _path.match(path):
        raise PydanticCustomError(
            "path",
            "{path} is not a relative path inside the work dir (no leading /, no .., no NUL)",
            {"path": repr(path)},
        )
    return path


def _shallow(value: Any, depth: int) -> bool:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth > 0 and all(_shallow(item, depth - 1) for item in items)


class Step(Model):
    """A state of the program on the way to the one that is submitted: judged by the same task."""

    code: Bytes | None = None
    files: Annotated[dict[str, Bytes], Field(min_length=1, max_length=MAX_FILES)] | None = None

    @model_validator(mode="after")
    def _one_program(self) -> Step:
        if (self.code is None) == (self.files is None):
            raise PydanticCustomError("program", "give exactly one of code and files")
        check_files(self.files)
        return self


def check_files(files: dict[str, bytes] | None) -> None:
    """Check the paths of files, each by itself and with the others.

    Raises:
        PydanticCustomError: saying what is wrong with them.
    """
    paths = set(files or ())
    for path in paths:
        check_path(path)
        parts = path.split("/")
        if clash := {"/".join(parts[:end]) for end in range(1, len(parts))} & paths:
            raise PydanticCustomError("path", "{path} is both a file and a folder", {"path": repr(clash.pop())})


PROGRAM = ("language", "code", "files", "entrypoint", "compile_flags", "extract", "artifacts", "steps")
"""Fields that belong to programs."""


class Submission(Model):
    """The body of `POST /v1/submissions`. Times are seconds, sizes bytes."""

    language: Annotated[str, Field(pattern=NAME)]
    code: Bytes | None = None
    files: Annotated[dict[str, Bytes], Field(min_length=1, max_length=MAX_FILES)] | None = None
    entrypoint: str | None = None
    compile_flags: Annotated[list[str], Field(max_length=32)] = []
    extract: Literal["fenced", "fenced_or_all"] | None = None
    task: Task = RunTask()
    limits: Limits = Limits()
    reward: RewardChoice | None = None
    steps: Annotated[list[Step], Field(max_length=MAX_STEPS)] = []
    stop_on_first_failure: bool = False
    cache: bool = True
    policy: Annotated[str, Field(pattern=NAME)] = "default"
    domain: Annotated[str, Field(pattern=DOMAIN)] = "code"
    priority: Annotated[Priority, Field(strict=False)] = Priority.NORMAL
    artifacts: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=256)]], Field(max_length=MAX_ARTIFACT_GLOBS)
    ] = []
    metadata: dict[str, Any] = {}

    @field_validator("files")
    @classmethod
    def _check_files(cls, value: dict[str, bytes] | None) -> dict[str, bytes] | None:
        check_files(value)
        return value

    @field_validator("metadata")
    @classmethod
    def _check_metadata(cls, value: dict[str, Any]) -> dict[str, Any]:
        # It is echoed in the result, whose size is capped, and must not be nested deeper than what can be written.
        if not _shallow(value, MAX_METADATA_DEPTH):
            raise PydanticCustomError(
                "metadata", "metadata is nested deeper than {most} levels", {"most": MAX_METADATA_DEPTH}
            )
        if len(json.dumps(value)) > MAX_METADATA_BYTES:
            raise PydanticCustomError("metadata", "metadata is larger than {most} bytes", {"most": MAX_METADATA_BYTES})
        return value

    @field_validator("artifacts")
    @classmethod
    def _check_artifacts(cls, value: list[str]) -> list[str]:
        return [check_path(glob) for glob in value]

    @model_validator(mode="before")
    @classmethod
    def _answers_are_no_program(cls, data: Any) -> Any:
        task = data.get("task") if isinstance(data, dict) else None
        if not isinstance(task, dict) or task.get("type") != ANSWER:
            return data
        if odd := next((name for name in PROGRAM if data.get(name) not in (None, [])), None):
            raise PydanticCustomError("answer", "a task of type answer has no {name}", {"name": odd})
        return {name: value for name, value in data.items() if name not in PROGRAM} | {"language": ANSWER, "code": ""}

    @model_validator(mode="after")
    def _reward_fits(self) -> Submission:
        reward = self.reward if isinstance(self.reward, Reward) else None
        if reward and reward.part("steps") and not self.steps:
            raise PydanticCustomError("steps", "a reward of steps needs steps")
        if reward and reward.part("impact") and self.files is None:
            raise PydanticCustomError("impact", "a reward of impact needs files")
        if reward and reward.part("efficiency") and self.language == ANSWER:
            raise PydanticCustomError("efficiency", "an answer needs no time: there is no efficiency of it")
        if reward and self.language != "python" and (reward.part("impact") or reward.part("compliance")):
            raise PydanticCustomError("language", "compliance and impact look at Python alone")
        return self

    @model_validator(mode="after")
    def _one_program(self) -> Submission:
        if (self.code is None) == (self.files is None):
            raise PydanticCustomError("program", "give exactly one of code and files")
        if self.entrypoint is not None and self.files is not None and self.entrypoint not in self.files:
            raise PydanticCustomError(
                "entrypoint", "entrypoint {name} is not among files", {"name": repr(self.entrypoint)}
            )
        if self.entrypoint is not None:
            check_path(self.entrypoint)
        if self.extract is not None and self.files is not None:
            raise PydanticCustomError("extract", "extract goes with code, not with files")
        return self
