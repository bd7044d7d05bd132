"""`/v1/submissions`: take one in, look at it, cancel it."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import FastAPI, Request, Response
from redis.exceptions import RedisError

from sandbox_service.contract import parse
from sandbox_service.contract.result import Result
from sandbox_service.contract.verdict import State
from sandbox_service.gateway import body, views
from sandbox_service.gateway.routes import describe
from sandbox_service.gateway.routes.params import IdempotencyKey, Reading, SubmissionId, Submitter, Wait
from sandbox_service.gateway.state import Gateway, gateway_of
from sandbox_service.queue import Status

PATH = "/v1/submissions"


def add(app: FastAPI) -> None:
    """Add the routes."""
    created = describe.answer(202, {"model": views.Created, **describe.location(PATH)})
    app.add_api_route(
        PATH,
        submit,
        methods=["POST"],
        response_model=Result,
        response_description="The result, where `wait` was long enough.",
        responses=created | describe.refusals(401, 403, 503, *describe.BODY),
        openapi_extra=describe.body("Submission"),
    )
    one: dict[str, Any] = {
        "response_model": Result,
        "response_description": "The submission as it stands.",
        "responses": describe.refusals(401, 403, 404, 422, 503),
    }
    app.add_api_route(PATH + "/{id}", get_submission, methods=["GET"], **one)
    app.add_api_route(PATH + "/{id}", cancel_submission, methods=["DELETE"], **one)


async def submit(request: Request, tenant: Submitter, wait: Wait = 0.0, key: IdempotencyKey = None) -> Response:
    """Queue a submission; with `wait`, answer with its result if it ends in time."""
    gateway, settings = gateway_of(request), gateway_of(request).settings
    body.media_type(request, [body.JSON])
    content = parse.loads(await body.read(request, settings.body_bytes, settings.body_idle_seconds))
    submission = gateway.admission.check(content, await gateway.offered([content]))
    entry = gateway.entry(tenant, submission, content)
    idempotency = None if key is None else (key, parse.digest(content))
    end = asyncio.get_running_loop().time() + wait
    with gateway.reader.watch(entry.id) as watch:
        id = await gateway.producer.submit(entry, idempotency=idempotency)
        twin = id != entry.id
        if not twin:
            gateway.metrics.accepted(submission.language)
        if wait and not twin and (result := await gateway.told(watch, wait)):
            return Response(result, media_type=body.JSON)
    left = end - asyncio.get_running_loop().time()
    status = await _look(gateway, id, tenant, left) if wait or twin else None
    if status is not None and status.result is not None:
        return Response(status.result, media_type=body.JSON)
    state = State.QUEUED if status is None else status.state
    return views.json(views.Created(id=id, state=state), 202, {"Location": f"{PATH}/{id}"})


async def _look(gateway: Gateway, id: str, tenant: str, seconds: float) -> Status | None:
    """The status of a submission that is queued already: whatever goes wrong now must not be told as a refusal."""
    try:
        return await gateway.wait(id, tenant, seconds)
    except RedisError:
        return None


async def get_submission(request: Request, id: SubmissionId, tenant: Reading, wait: Wait = 0.0) -> Response:
    """A submission as it stands; with `wait`, as soon as it has ended."""
    gateway = gateway_of(request)
    status = await (gateway.wait(id, tenant, wait) if wait else gateway.reader.status(id, tenant))
    if status is None:
        raise gateway.missing(id)
    return Response(views.result_bytes(id, status), media_type=body.JSON)


async def cancel_submission(request: Request, id: SubmissionId, tenant: Submitter) -> Response:
    """Cancel a submission, also while it runs; one that has ended stays as it is."""
    gateway = gateway_of(request)
    status = await gateway.reader.status(id, tenant)
    if status is not None and status.result is None:
        payload = await gateway.producer.payload(id)
        await gateway.producer.cancel(id, views.cancelled(id, payload, status.attempts))
        status = await gateway.reader.status(id, tenant)
    if status is None:
        raise gateway.missing(id)
    return Response(views.result_bytes(id, status), media_type=body.JSON)
