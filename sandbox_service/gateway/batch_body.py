"""The bodies of batches: one JSON document, or one submission a line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from sandbox_service.contract import parse
from sandbox_service.contract.batch import MAX_BATCH, BatchRequest, with_defaults
from sandbox_service.contract.problem import ProblemError, invalid
from sandbox_service.gateway.admission import Admission
from sandbox_service.gateway.body import JSON_LINES


@dataclass(slots=True)
class Item:
    """One submission of a batch, its defaults filled in; `line` is where it stood, where there were lines."""

    body: Any
    index: int
    line: int | None = None

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """Lets a problem name this item."""
        try:
            yield
        except ProblemError as problem:
            problem.field = f"submissions.{self.index}" + (f".{problem.field}" if problem.field else "")
            problem.detail = problem.detail if self.line is None else f"line {self.line}: {problem.detail}"
            raise


def items(media_type: str, content: bytes, admission: Admission) -> list[Item]:
    """The submissions of a batch.

    Raises:
        ProblemError: naming the field, and the line where there are lines.
    """
    return _from_lines(content) if media_type == JSON_LINES else _from_document(content, admission)


def _from_document(content: bytes, admission: Admission) -> list[Item]:
    try:
        batch = BatchRequest.model_validate(parse.loads(content))
    except ValidationError as error:
        raise invalid(error) from None
    if batch.defaults:
        admission.check_defaults(batch.defaults)
    return [Item(with_defaults(one, batch.defaults), index) for index, one in enumerate(batch.submissions)]


def _from_lines(content: bytes) -> list[Item]:
    found: list[Item] = []
    for number, line in enumerate(content.split(b"\n"), 1):
        if line.strip():
            item = Item(None, len(found), number)
            with item.blamed():
                item.body = parse.loads(line)
            found.append(item)
    if not 1 <= len(found) <= MAX_BATCH:
        raise ProblemError(422, "invalid_field", f"a batch has 1 to {MAX_BATCH} submissions", field="submissions")
    return found


def digest(batch: list[Item]) -> str:
    """The digest of a batch for idempotency, the same for both forms of body."""
    bare = [{key: value for key, value in item.body.items() if key != "metadata"} for item in batch]
    return parse.digest({"submissions": bare})
