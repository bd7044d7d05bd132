"""`/v1/tasks/validate` and `/v1/submissions/{id}/replay`: whether tasks, and results, can be trusted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response
from pydantic import ValidationError
from ulid import ULID

from sandbox_service.contract import parse, replay, validation
from sandbox_service.contract.batch import BatchCreated
from sandbox_service.contract.problem import ProblemError, invalid
from sandbox_service.contract.result import Result
from sandbox_service.contract.verdict import State
from sandbox_service.gateway import body, views
from sandbox_service.gateway.routes import describe
from sandbox_service.gateway.routes.batches import PATH as BATCHES
from sandbox_service.gateway.routes.params import MOST_WAIT_SECONDS, SubmissionId, Submitter
from sandbox_service.gateway.routes.submissions import PATH as SUBMISSIONS
from sandbox_service.gateway.state import Gateway, gateway_of

VALIDATE, REPLAY = "/v1/tasks/validate", SUBMISSIONS + "/{id}/replay"
Stay = Annotated[
    float,
    Query(ge=0, le=MOST_WAIT_SECONDS, allow_inf_nan=False, description="Seconds to wait until all have ended."),
]


def add(app: FastAPI) -> None:
    """Add the routes."""
    created = describe.answer(202, {"model": BatchCreated, **describe.location(BATCHES)})
    usual: dict[str, Any] = {"methods": ["POST"]}
    app.add_api_route(
        VALIDATE,
        validate,
        response_model=validation.Validation,
        response_description="What is wrong with the task, where `wait` was long enough.",
        responses=created | describe.refusals(401, 403, 503, *describe.BODY),
        openapi_extra=describe.body("ValidationRequest"),
        **usual,
    )
    app.add_api_route(
        REPLAY,
        replay_submission,
        response_model=replay.Replay,
        response_description="What is not as it was, where `wait` was long enough.",
        responses=describe.answer(202, {"model": views.Created, **describe.location(SUBMISSIONS)})
        | describe.refusals(401, 403, 404, 503, *describe.BODY),
        openapi_extra=describe.body("Submission"),
        **usual,
    )


async def validate(request: Request, tenant: Submitter, wait: Stay = MOST_WAIT_SECONDS) -> Response:
    """Run a task's programs, all of them several times, and tell what is wrong with the task."""
    gateway = gateway_of(request)
    asked = await _read(request, gateway)
    try:
        wanted = validation.ValidationRequest.model_validate(asked)
    except ValidationError as error:
        raise invalid(error) from None
    roles, bodies = zip(*validation.expand(wanted), strict=True)
    id, members = await _queue(gateway, tenant, bodies, "submission.")
    results = await _results(gateway, tenant, members, wait)
    if results is None:
        return views.json(BatchCreated(id=id, total=len(members)), 202, {"Location": f"{BATCHES}/{id}"})
    return views.json(validation.judge(wanted, roles, results))


async def replay_submission(request: Request, id: SubmissionId, tenant: Submitter, wait: Stay = 0.0) -> Response:
    """Evaluate a submission once more, whose body is sent again, and compare; programs are not kept."""
    gateway = gateway_of(request)
    content = await _read(request, gateway)
    status = await gateway.reader.status(id, tenant)
    if status is None:
        raise gateway.missing(id)
    if status.result is None:
        raise ProblemError(422, "not_ended", f"{id} has not ended yet", field="id", retryable=True)
    before = Result.model_validate(parse.loads(status.result))
    if not isinstance(content, dict):
        raise ProblemError(422, "invalid_field", "a submission is a JSON object")
    _, (again,) = await _queue(gateway, tenant, [content | {"cache": False}], "")
    results = await _results(gateway, tenant, [again], wait)
    if results is None:
        return views.json(views.Created(id=again, state=State.QUEUED), 202, {"Location": f"{SUBMISSIONS}/{again}"})
    return views.json(replay.compare(before, results[0]))


async def _read(request: Request, gateway: Gateway) -> Any:
    body.media_type(request, [body.JSON])
    settings = gateway.settings
    return parse.loads(await body.read(request, settings.body_bytes, settings.body_idle_seconds))


async def _queue(gateway: Gateway, tenant: str, bodies: Sequence[Any], prefix: str) -> tuple[str, list[str]]:
    """Queue submissions as a batch; its id, and those of its members."""
    offered, id = await gateway.offered(bodies), f"bat_{ULID()}"
    entries = []
    for index, each in enumerate(bodies):
        submission = gateway.admission.check(each, offered, prefix)
        entries.append(replace(gateway.entry(tenant, submission, each), batch=id, index=index))
        gateway.metrics.accepted(submission.language)
    await gateway.producer.submit_batch(id, tenant, entries)
    return id, [entry.id for entry in entries]


async def _results(gateway: Gateway, tenant: str, ids: Sequence[str], seconds: float) -> list[Result] | None:
    """The results of submissions in their order; `None` where one has not ended in time."""
    end = asyncio.get_running_loop().time() + seconds
    found = []
    for id in ids:
        left = max(end - asyncio.get_running_loop().time(), 0.0)
        status = await gateway.wait(id, tenant, left)
        if status is None or status.result is None:
            return None
        found.append(Result.model_validate(parse.loads(status.result)))
    return found
