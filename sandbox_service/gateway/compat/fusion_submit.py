"""SandboxFusion's `/submit`, for tests that come with the request: those of `CommonOJDataset` and `AutoEvalDataset`."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, Field

from sandbox_service.contract.base import Bytes
from sandbox_service.contract.problem import ProblemError
from sandbox_service.contract.result import CaseResult, Result
from sandbox_service.contract.verdict import State, Verdict
from sandbox_service.gateway.compat import fusion
from sandbox_service.gateway.compat.ask import Asker, Body
from sandbox_service.gateway.compat.fences import first_block
from sandbox_service.gateway.compat.limits import times_within
from sandbox_service.gateway.compat.route import checked

STDIO, TEXT = "CommonOJDataset", ("AutoEvalDataset", "AutoEvalV4Dataset")
REL_TOL = 1e-5
MOST_SECONDS = 150.0
INSERT = "#<INSERT>"
"""Where the original puts a program into the test text; here the two run apart."""


class Case(BaseModel):
    """A test: what is read and what is to be printed, by the names `stdin` and `stdout`."""

    input: dict[str, Any]
    output: dict[str, Any]


class Assets(BaseModel):
    """Files beside a program."""

    asset: dict[str, str | None]


class Config(BaseModel):
    """How to judge."""

    dataset_type: str | None = None
    language: str | None = None
    compile_timeout: fusion.Positive | None = None
    run_timeout: fusion.Positive | None = None
    custom_extract_logic: str | None = None
    provided_data: Any = None
    extra: dict[str, Any] = {}


class Submit(BaseModel):
    """The body of `/submit`."""

    dataset: str
    id: int | str
    completion: Bytes
    config: Config = Field(default_factory=Config)

    @property
    def patience(self) -> float:
        """How long the client can be kept waiting, in seconds."""
        return MOST_SECONDS

    @property
    def compile_seconds(self) -> float:
        """How long the compiler may take."""
        return self.config.compile_timeout or 10.0

    @property
    def row(self) -> Body:
        """The task that came with the request.

        Raises:
            ProblemError: 400, there is none: the data sets themselves are not kept here.
        """
        found = self.config.provided_data
        rows = [row for row in (found if isinstance(found, list) else [found]) if isinstance(row, dict)]
        chosen = [row for row in rows if row.get("id") == self.id] or rows
        if not chosen:
            detail = f"data sets are not kept here: give the row of {self.dataset!r} as config.provided_data"
            raise ProblemError(400, "no_data", detail, field="config.provided_data")
        return chosen[0]

    def part(self, name: str) -> Any:
        """A field of the row; JSON text is parsed."""
        value = self.row.get(name)
        try:
            return json.loads(value) if isinstance(value, str) else value
        except ValueError:
            raise ProblemError(422, "invalid_field", "is not JSON", field=f"config.provided_data.{name}") from None

    @property
    def assets(self) -> dict[str, str | None]:
        """Files to lie beside the program, in base64."""
        test = self.part("test")
        asset = test.get("asset") if isinstance(test, dict) else None
        found = json.loads(asset) if isinstance(asset, str) else asset
        return checked(Assets, {"asset": found or {}}, "config.provided_data.test.").asset

    @property
    def language(self) -> str:
        """The language of the answer.

        Raises:
            ProblemError: 400, none is given.
        """
        labels = self.part("labels") or {}
        name = self.config.language or (labels.get("programming_language") if isinstance(labels, dict) else None)
        if not isinstance(name, str):
            raise ProblemError(400, "no_language", "config.language is needed", field="config.language")
        return name


def code(asked: Submit, asker: Asker) -> bytes:
    """The program in an answer.

    Raises:
        ProblemError: 422, code of the request would have to look for it.
    """
    if asked.config.custom_extract_logic is not None:
        detail = "would run in the service itself and is refused"
        raise ProblemError(422, "refused_field", detail, field="config.custom_extract_logic")
    language = asker.gateway.admission.languages.get(fusion.language(asked.language))
    return first_block(asked.completion, language) or b""


def submission(asked: Submit, code: bytes, asker: Asker) -> Body:
    """What is to be judged.

    Raises:
        ProblemError: 4xx, naming the field.
    """
    config, language = asked.config, fusion.language(asked.language)
    return {
        "language": language,
        "task": _task(asked),
        "limits": times_within(config.run_timeout or 20.0, asked.compile_seconds, asker),
        "stop_on_first_failure": not config.extra.get("run_all_cases", False),
        **fusion.program(code, asked.assets, language, asker),
    }


def _task(asked: Submit) -> Body:
    kind, test = asked.config.dataset_type, asked.part("test")
    if kind == STDIO and isinstance(test, list):
        pairs = [(one.input.get("stdin", ""), one.output.get("stdout", "")) for one in _cases(test)]
        cases = [{"stdin": stdin, "expected": stdout} for stdin, stdout in pairs]
        return {"type": "stdio", "cases": cases, "compare": {"mode": "float", "abs_tol": 0.0, "rel_tol": REL_TOL}}
    text = test.get("code") if isinstance(test, dict) else None
    if kind in TEXT and isinstance(text, str) and INSERT not in text:
        return {"type": "assertions", "code": text or "pass"}
    detail = f"offered: {STDIO} with test [{{input, output}}], {' and '.join(TEXT)} with test {{code}}"
    raise ProblemError(400, "not_offered", detail, field="config.dataset_type")


def _cases(test: list[Any]) -> list[Case]:
    return [checked(Case, one, f"config.provided_data.test.{index}.") for index, one in enumerate(test)]


def answer(asked: Submit, code: bytes, result: Result) -> Body:
    """A result in the words of `/submit`; as there, cases after the first that failed are left out.

    Raises:
        ProblemError: 504, we failed.
    """
    if result.state != State.FINISHED:
        fusion.failure(result)
        raise ProblemError(500, "failed", result.infra_error.message if result.infra_error else "the service failed")
    stdio = asked.config.dataset_type == STDIO
    infos = [one.model_dump() for one in _cases(asked.part("test"))] if stdio else [None] * len(result.cases)
    shown = [pair for pair in zip(result.cases, infos, strict=True) if _shown(result, pair[0])]
    tests = [_test(result, case, info, asked.compile_seconds) for case, info in shown]
    return {
        "id": asked.id,
        "accepted": result.verdict == Verdict.ACCEPTED,
        "extracted_code": code.decode("utf-8", "replace"),
        "full_code": None,
        "test_code": None,
        "tests": tests,
        "extracted_type": None,
        "extra": None,
    }


def _shown(result: Result, case: CaseResult) -> bool:
    return case.verdict != Verdict.SKIPPED or case is result.cases[0]


def _test(result: Result, case: CaseResult, info: Body | None, compile_seconds: float) -> Body:
    passed = case.verdict == Verdict.ACCEPTED
    return {"passed": passed, "exec_info": fusion.ran(result, case, compile_seconds), "test_info": info}
