"""A language: how its programs are compiled and run, and how to see that it is there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import Field, ValidationError

from sandbox_service.contract.base import Model
from sandbox_service.contract.limits import RunLimits
from sandbox_service.contract.problem import ProblemError
from sandbox_service.contract.reward import NAME
from sandbox_service.contract.submission import ANSWER, Submission
from sandbox_service.contract.task import TaskType

Languages = dict[str, "Language"]
Program = dict[str, bytes]
"""A program's files by their path in the work dir."""


class Probe(Model):
    """How to see that the language is there.

    `version` is a pattern for what `command` prints; its first group is the version. `hello` is a
    program that prints `hello`: it shows that the language's headers and libraries are there too.
    """

    command: Annotated[list[str], Field(min_length=1)]
    version: str
    hello: str


class Headers(Model):
    """Headers that a compiler reads beforehand, for programs whose first line of code includes one of them.

    `compile` makes `header.gch` of `header.h`, with each list of `flags`; it is taken for programs whose own flags are
    the same but for those that are `neutral`: they make no difference to what is read.
    """

    names: list[str]
    flags: list[list[str]]
    neutral: list[str] = []
    compile: list[str]


class Linker(Model):
    """A linker that is faster than the usual one, taken where there is a file at `path`."""

    path: str
    arguments: list[str]


class Language(Model):
    """One `language.yaml`.

    Commands are argument lists, never handed to a shell. A word of its own in them are `{entrypoint}`, the file to run
    or to compile first, `{sources}`, the files to compile, `{files}`, all files of the language, the first of them the
    entrypoint, and `{flags}`, the request's compile flags; an option `--name=value` of `compile` gives way to a flag of
    the same name. Within a word of `run`, `{stem}` is the entrypoint without its extension and `{memory_bytes}` what
    the run may have.

    `warm`: what runs is the image's own Python, which may be one that has started already. `outputs` are globs of the
    files of the compiler that a run needs, `headers` and `linker` let it come to them sooner, `aliases` are further
    names that Markdown knows it by, `tasks` the types of task that it can do.
    """

    id: Annotated[str, Field(pattern=NAME)]
    name: str
    aliases: list[str] = []
    extensions: Annotated[list[str], Field(min_length=1)]
    source: str
    compile: list[str] | None = None
    run: Annotated[list[str], Field(min_length=1)]
    warm: bool = False
    outputs: list[str] = []
    headers: Headers | None = None
    linker: Linker | None = None
    compile_flags: list[str] = []
    environment: dict[str, str] = {}
    tasks: list[TaskType] = ["run", "stdio"]
    probe: Probe

    @property
    def fence_names(self) -> set[str]:
        """How Markdown marks a block of this language."""
        return {self.id, *self.aliases, *(extension.lstrip(".") for extension in self.extensions)}

    def check(self, submission: Submission) -> None:
        """Check the parts of a submission that depend on the language.

        Raises:
            ProblemError: 422, naming the field.
        """
        if submission.task.type not in self.tasks:
            offered = ", ".join(self.tasks)
            detail = f"{self.name} does not offer task type {submission.task.type} yet; offered: {offered}"
            raise ProblemError(422, "not_offered", detail, field="task.type")
        for number, flag in enumerate(submission.compile_flags):
            if flag not in self.compile_flags:
                allowed = ", ".join(self.compile_flags) or "none"
                raise ProblemError(
                    422,
                    "compile_flag",
                    f"{self.id} does not allow the flag {flag!r}; allowed: {allowed}",
                    field=f"compile_flags.{number}",
                )
        if submission.files is not None:
            self.entrypoint(submission)

    def entrypoint(self, submission: Submission) -> str:
        """The file that is run or compiled first.

        Raises:
            ProblemError: 422 where `files` leave it open.
        """
        if submission.entrypoint is not None:
            return submission.entrypoint
        files = list(submission.files or {self.source: b""})
        own = [name for name in files if name.endswith(tuple(self.extensions))]
        for choice in ([self.source] if self.source in files else [], own, files):
            if len(choice) == 1 or (choice and self.compile):
                return choice[0]
        raise ProblemError(
            422, "entrypoint", f"name the file to run: one of {', '.join(map(repr, files))[:300]}", field="entrypoint"
        )

    def sources(self, submission: Submission) -> list[str]:
        """The files to compile: the entrypoint alone if it is named, else all of the language's."""
        files = self._files(submission)
        return files[:1] if submission.entrypoint is not None else files

    def compile_command(self, submission: Submission, sources: Sequence[str] | None = None) -> list[str]:
        """The compiler's argument list; `sources` are compiled in place of the submission's own."""
        assert self.compile is not None  # noqa: S101
        names = self.sources(submission) if sources is None else sources
        flags = submission.compile_flags
        values = {"entrypoint": names[:1], "sources": names, "files": self._files(submission)}
        given = {flag.partition("=")[0] for flag in flags if flag.startswith("--")}
        command = [word for word in self.compile if word.partition("=")[0] not in given]
        return _fill(
            command, {name: [_safe(path) for path in paths] for name, paths in values.items()} | {"flags": flags}
        )

    def _files(self, submission: Submission) -> list[str]:
        """All files of the language, the entrypoint first."""
        first, extensions = self.entrypoint(submission), tuple(self.extensions)
        others = [name for name in submission.files or {} if name.endswith(extensions) and name != first]
        return [first, *others]

    def headers_command(self, flags: list[str]) -> list[str]:
        """The argument list that makes `header.gch`."""
        assert self.headers is not None  # noqa: S101
        return _fill(self.headers.compile, {"flags": flags})

    def run_command(self, submission: Submission, args: list[bytes], limits: RunLimits) -> list[bytes]:
        """The program's argument list."""
        name = _safe(self.entrypoint(submission))
        within = {"{memory_bytes}": str(limits.memory_bytes), "{stem}": name.rpartition(".")[0] or name}
        words = [_replace(word, within) for word in self.run]
        return [word.encode("utf-8", "surrogatepass") for word in _fill(words, {"entrypoint": [name]})] + args


ANSWERS = Language(
    id=ANSWER,
    name="Answer",
    extensions=[".txt"],
    source="response.txt",
    run=["/bin/true"],
    tasks=["answer"],
    probe=Probe(command=["/bin/true"], version="", hello=""),
)
"""What stands for a language where a text is judged that is no program."""


def _safe(name: str) -> str:
    """A file name that no compiler takes for an option (`-o`) or a response file (`@x`)."""
    return f"./{name}" if name.startswith(("-", "@")) else name


def _replace(word: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        word = word.replace(name, value)
    return word


def _fill(command: list[str], values: dict[str, list[str]]) -> list[str]:
    filled: list[str] = []
    for item in command:
        name = re.fullmatch(r"\{(\w+)\}", item)
        filled += values[name[1]] if name else [item]
    return filled


def load(folder: Path) -> Languages:
    """Read all languages below a folder, by id.

    Raises:
        ValueError: a file is no valid language; the message names the file and the field.
    """
    languages: Languages = {}
    for path in sorted(folder.glob("*/language.yaml")):
        try:
            content: Any = yaml.safe_load(path.read_bytes())
            language = Language.model_validate(content)
        except (ValidationError, yaml.YAMLError) as error:
            raise ValueError(f"{path}: {error}") from None
        languages[language.id] = language
    return languages
