"""OpenRLHF: `/get_reward`, for `--reward.remote_url`. The labels are the tests, in a notation of `ground_truth`."""

from __future__ import annotations

from typing import Any

from fastapi import Response
from pydantic import BaseModel, model_validator
from pydantic_core import PydanticCustomError

from sandbox_service.contract import ground_truth
from sandbox_service.contract.problem import ProblemError
from sandbox_service.contract.result import Result
from sandbox_service.contract.verdict import State
from sandbox_service.gateway import problems
from sandbox_service.gateway.compat.ask import Asker, Body
from sandbox_service.gateway.compat.route import Routes, Text, checked, json

MOST_SECONDS = 150.0
"""OpenRLHF waits for 180."""


class GetReward(BaseModel):
    """The body: what was asked and answered, together; what was asked; the tests."""

    query: list[Text]
    prompts: list[Text]
    labels: list[Any]

    @model_validator(mode="after")
    def _as_many(self) -> GetReward:
        if not len(self.query) == len(self.prompts) == len(self.labels):
            raise PydanticCustomError("lengths", "query, prompts and labels must be of one length")
        return self


def add(routes: Routes) -> None:
    """Add the route."""
    routes.add("POST", "/get_reward", get_reward, _refused)


async def get_reward(asker: Asker, content: Any) -> Response:
    """The rewards of answers."""
    asked = checked(GetReward, content)
    bodies = [_submission(*one) for one in zip(asked.query, asked.prompts, asked.labels, strict=True)]
    rewards = [_reward(result) for result in await asker.results(bodies, MOST_SECONDS)]
    return json({"rewards": rewards, "scores": rewards, "extra_logs": {"sandbox_reward": rewards}})


def _submission(query: str, prompt: str, label: Any) -> Body:
    try:
        return ground_truth.submission(ground_truth.answer(query, prompt), label)
    except ValueError as error:
        raise ProblemError(422, "invalid_field", str(error), field="labels") from None


def _reward(result: Result) -> float:
    """There is no way to leave one out: for one that we failed, all are asked for again, and come from the cache."""
    if result.state != State.FINISHED or result.reward is None:
        error = result.infra_error
        raise ProblemError(503, "failed", error.message if error else "the service failed", retryable=True)
    return result.reward


def _refused(error: ProblemError) -> Response:
    return problems.response(error)
