"""`/v1/batches`: many submissions in one request, and their results as they come."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated

from fastapi import FastAPI, Query, Request, Response
from redis.exceptions import RedisError
from starlette.responses import StreamingResponse
from ulid import ULID

from sandbox_service.contract.batch import BatchCreated, BatchStatus
from sandbox_service.contract.problem import ProblemError
from sandbox_service.gateway import batch_body, body, views
from sandbox_service.gateway.batch_body import Item
from sandbox_service.gateway.routes import describe
from sandbox_service.gateway.routes.params import BatchId, IdempotencyKey, Reading, Submitter
from sandbox_service.gateway.state import Gateway, gateway_of
from sandbox_service.queue import Entry

PATH = "/v1/batches"
LINES_AT_ONCE = 16
CHECKS_AT_ONCE = 50
GATHER_PART, LONGEST_GATHER_SECONDS = 0.05, 0.05
"""Of the time that a stream has taken so far, and at most: so long lines are gathered, as each sending costs."""

After = Annotated[str, Query(pattern="^[0-9]{1,15}$", description="The cursor of the last line that was read.")]
Stay = Annotated[
    float | None, Query(ge=0, allow_inf_nan=False, description="Seconds to stay; without it, until all have ended.")
]
logger = logging.getLogger(__name__)


def add(app: FastAPI) -> None:
    """Add the routes."""
    app.add_api_route(
        PATH,
        submit_batch,
        methods=["POST"],
        status_code=202,
        response_model=BatchCreated,
        responses=describe.answer(202, describe.location(PATH)) | describe.refusals(401, 403, 503, *describe.BODY),
        openapi_extra=describe.body("BatchRequest", lines_of="SubmissionLines"),
    )
    usual = describe.refusals(401, 403, 404, 503)
    one = PATH + "/{id}"
    app.add_api_route(one, get_batch, methods=["GET"], response_model=BatchStatus, responses=usual)
    app.add_api_route(one, cancel_batch, methods=["DELETE"], response_model=BatchStatus, responses=usual)
    app.add_api_route(
        one + "/results",
        batch_results,
        methods=["GET"],
        response_class=StreamingResponse,
        response_description="One `BatchLine` a line, in order of completion; blank lines mean nothing.",
        responses=describe.answer(200, describe.lines("BatchLine")) | describe.refusals(401, 403, 404, 422, 503),
    )


async def submit_batch(request: Request, tenant: Submitter, key: IdempotencyKey = None) -> Response:
    """Queue all submissions of a batch, or none."""
    gateway, settings = gateway_of(request), gateway_of(request).settings
    media_type = body.media_type(request, [body.JSON, body.JSON_LINES])
    content = await body.read(request, settings.body_bytes, settings.body_idle_seconds)
    items = batch_body.items(media_type, content, gateway.admission)
    if len(items) > settings.queue.max_queued:  # it would be told to come again for ever
        detail = f"this service queues at most {settings.queue.max_queued} submissions"
        raise ProblemError(422, "invalid_field", detail, field="submissions")
    id = f"bat_{ULID()}"
    entries, languages = await _admit(gateway, tenant, id, items)
    idempotency = None if key is None else (key, batch_body.digest(items))
    queued = await gateway.producer.submit_batch(id, tenant, entries, idempotency=idempotency)
    if queued == id:
        for language, count in languages.items():
            gateway.metrics.accepted(language, count)
    return views.json(BatchCreated(id=queued, total=len(entries)), 202, {"Location": f"{PATH}/{queued}"})


async def _admit(gateway: Gateway, tenant: str, batch: str, items: list[Item]) -> tuple[list[Entry], Counter[str]]:
    """The entries of a batch, and how many there are of each language."""
    offered = await gateway.offered(item.body for item in items)
    entries, languages = [], Counter[str]()
    for item in items:
        if item.index % CHECKS_AT_ONCE == 0:
            await asyncio.sleep(0)  # others are served between
        with item.blamed():
            submission = gateway.admission.check(item.body, offered)
        languages[submission.language] += 1
        entries.append(replace(gateway.entry(tenant, submission, item.body), batch=batch, index=item.index))
    return entries, languages


async def get_batch(request: Request, id: BatchId, tenant: Reading) -> Response:
    """How many submissions of a batch are in which state, and what verdicts there are."""
    return views.json(await _status(gateway_of(request), id, tenant))


async def cancel_batch(request: Request, id: BatchId, tenant: Submitter) -> Response:
    """Cancel what has not started; those submissions appear as cancelled results."""
    gateway = gateway_of(request)
    await _status(gateway, id, tenant)
    await gateway.producer.cancel_batch(id, views.cancelled)
    return views.json(await _status(gateway, id, tenant))


async def batch_results(
    request: Request, id: BatchId, tenant: Reading, after: After = "0", wait: Stay = None
) -> StreamingResponse:
    """The results of a batch as they come, from a cursor on; the order is the same at each reading."""
    gateway = gateway_of(request)
    status = await _status(gateway, id, tenant)
    lines = _lines(gateway, status, tenant, int(after), wait)
    return StreamingResponse(lines, media_type=body.JSON_LINES)


async def _lines(
    gateway: Gateway, batch: BatchStatus, tenant: str, after: int, stay: float | None
) -> AsyncIterator[bytes]:
    """Ends when all have ended, the time is over or the gateway goes: a reader goes on from its cursor."""
    clock, blank = asyncio.get_running_loop().time, gateway.settings.blank_line_seconds
    began = quiet = clock()  # the latter: since when nothing was sent
    end = math.inf if stay is None else began + stay
    try:
        with gateway.reader.watch(batch.id):  # from the first line to the last, so that nobody takes it for idle
            while after < batch.total:
                lines = await gateway.reader.batch_lines(batch.id, tenant, after, LINES_AT_ONCE)
                if lines:
                    after, quiet = lines[-1][0], clock()
                    yield b"".join(views.batch_line(*line) for line in lines)
                    if len(lines) < LINES_AT_ONCE and after < batch.total:
                        await asyncio.sleep(min((clock() - began) * GATHER_PART, LONGEST_GATHER_SECONDS))
                    continue
                if clock() >= quiet + blank:
                    if await gateway.reader.batch(batch.id, tenant) is None:
                        return  # it expired
                    quiet = clock()
                    yield b"\n"
                if clock() >= end or gateway.waits.closing:
                    return
                await gateway.waits.run(gateway.reader.wait_batch(batch.id, after, min(quiet + blank, end) - clock()))
    except RedisError as error:
        logger.warning("a stream of batch results ends early: %s", error)


async def _status(gateway: Gateway, id: str, tenant: str) -> BatchStatus:
    status = await gateway.reader.batch(id, tenant)
    if status is None:
        raise gateway.missing(id)
    return status
