"""What the adapters share: answers and tests in, results out, and nothing is raised on the way."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from sandbox_service.client import AsyncClient, RequestProblem, SandboxError

if TYPE_CHECKING:
    from sandbox_service.contract.result import Result

logger = logging.getLogger(__name__)
Wanted = dict[str, Any] | ValueError
"""A submission, or why there is none."""


def text(answer: Any) -> str:
    """What a model wrote: text, or a conversation, whose last message it is."""
    if isinstance(answer, (list, tuple)):
        answer = answer[-1] if answer else ""
    if isinstance(answer, Mapping):
        answer = answer.get("content")
    if isinstance(answer, list):  # parts of a message
        return "".join(str(part.get("text", "")) for part in answer if isinstance(part, Mapping))
    return "" if answer is None else str(answer)


def wanted(answer: Any, tests: Any, fields: Mapping[str, Any] | None = None) -> Wanted:
    """The submission that is to be made of an answer and its tests.

    Args:
        answer: text or a conversation.
        tests: in a notation of `ground_truth`.
        fields: of the submission, where the tests do not say; `language` is `python` and `extract` is `fenced`.
    """
    from sandbox_service.contract import ground_truth

    try:
        return ground_truth.submission(text(answer), tests, fields)
    except ValueError as error:
        return error


async def results(client: AsyncClient, asked: Sequence[Wanted]) -> list[Result]:
    """The results in the same order. One that cannot be had has no reward; it never raises.

    A submission that the service refuses spoils no other: the rest is sent again without it.
    """
    found = {index: _none(one) for index, one in enumerate(asked) if isinstance(one, ValueError)}
    left = {index: one for index, one in enumerate(asked) if not isinstance(one, ValueError)}
    while left:
        try:
            done = dict(zip(left, await client.score(list(left.values())), strict=True))
        except (SandboxError, TypeError, ValueError) as error:
            blamed = _blamed(error)
            done = {index: _none(error) for index in (left if blamed is None else [list(left)[blamed]])}
        found |= done
        left = {index: one for index, one in left.items() if index not in done}
    return [found[index] for index in range(len(asked))]


def results_now(client: AsyncClient, asked: Sequence[Wanted]) -> list[Result]:
    """The same for code that waits, in whatever thread, also where an event loop runs."""
    from anyio.from_thread import start_blocking_portal

    with start_blocking_portal() as portal:
        return portal.call(partial(results, client, asked))


def infra(result: Result) -> float:
    """1 for a result that is no verdict on the answer, else 0."""
    return float(result.reward is None)


def why(result: Result) -> str:
    """Why a result has no reward."""
    return result.infra_error.message if result.infra_error else f"it ended as {result.state}"


def _blamed(error: Exception) -> int | None:
    field = error.problem.field if isinstance(error, RequestProblem) else None
    found = re.match(r"submissions\.(\d+)", field or "")
    return int(found[1]) if found else None


def _none(error: Exception) -> Result:
    from sandbox_service.contract.result import InfraError, Result
    from sandbox_service.contract.verdict import State

    logger.warning("an answer gets no reward: %s", error)
    return Result(
        id="", state=State.FAILED, infra_error=InfraError(kind="refused", message=str(error), retryable=False)
    )
