"""What the service says about itself: languages, policies, workers, figures, health."""

from __future__ import annotations

import time
from typing import Any

from fastapi import FastAPI, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from redis.exceptions import RedisError

from sandbox_service.contract import parse
from sandbox_service.gateway import problems, views
from sandbox_service.gateway.body import JSON
from sandbox_service.gateway.fleet import languages
from sandbox_service.gateway.routes import describe
from sandbox_service.gateway.routes.params import ADMINISTERS, READS
from sandbox_service.gateway.state import gateway_of


def add(app: FastAPI) -> None:
    """Add the routes."""
    usual: dict[str, Any] = {"dependencies": READS, "responses": describe.refusals(401, 403, 503)}
    app.add_api_route("/v1/languages", list_languages, response_model=views.LanguageList, **usual)
    app.add_api_route("/v1/policies", list_policies, response_model=views.PolicyList, **usual)
    app.add_api_route("/v1/workers", list_workers, response_model=views.WorkerList, **usual)
    app.add_api_route(
        "/v1/workers/{id}/drain",
        drain_worker,
        methods=["POST"],
        status_code=202,
        response_model=views.WorkerView,
        dependencies=ADMINISTERS,
        responses=describe.refusals(401, 403, 404, 503),
    )
    app.add_api_route("/v1/stats", get_stats, response_model=views.Stats, **usual)
    app.add_api_route("/healthz", healthz, response_model=views.Health, responses=describe.refusals())
    app.add_api_route("/readyz", readyz, response_model=views.Health, responses=describe.refusals(503))
    text = describe.answer(200, {"content": {"text/plain": {"schema": {"type": "string"}}}})
    app.add_api_route("/metrics", metrics, response_class=Response, responses=text | describe.refusals())


async def list_languages(request: Request) -> Response:
    """The languages that live workers offer."""
    workers = await gateway_of(request).fleet.workers()
    return Response(parse.dumps({"languages": languages(workers)}), media_type=JSON)


async def list_policies(request: Request) -> Response:
    """The policies that a submission may name."""
    admission = gateway_of(request).admission
    return views.json(views.policies(admission.policies.values(), admission.rewards))


async def list_workers(request: Request) -> Response:
    """The workers that are registered."""
    workers = await gateway_of(request).fleet.workers()
    return views.json(views.WorkerList(workers=[views.worker(worker, time.time()) for worker in workers]))


async def drain_worker(request: Request, id: str) -> Response:
    """Let a worker finish what it runs and end; it takes nothing more. Whoever watches it may start a fresh one."""
    worker = await gateway_of(request).fleet.drain(id)
    if worker is None:
        raise problems.not_found("there is no such worker")
    return views.json(views.worker(worker, time.time()), 202)


async def get_stats(request: Request) -> Response:
    """How much waits and runs, and how fast it goes."""
    gateway = gateway_of(request)
    queue = await gateway.reader.stats()
    workers = await gateway.fleet.workers()
    rate, p50, p99 = gateway.recent.figures()
    return views.json(
        views.Stats(
            queue=views.QueueView(**queue["queue"]),
            running=queue["running"],
            slots=sum(worker.slots for worker in workers if worker.state != "lost"),
            rate_per_second=rate,
            verdicts=queue["verdicts"],
            dead_letters=queue["dead_letters"],
            latency=views.LatencyView(p50=p50, p99=p99),
        )
    )


async def healthz() -> Response:
    """Whether this process answers; Redis is not asked."""
    return views.json(views.Health(status="ok"))


async def readyz(request: Request) -> Response:
    """Whether submissions can be taken in."""
    gateway = gateway_of(request)
    if gateway.waits.closing:
        raise problems.unavailable("the gateway is going down")
    await gateway.redis.ping()
    return views.json(views.Health(status="ready"))


async def metrics(request: Request) -> Response:
    """Metrics in Prometheus' text format; the queue is asked at this moment."""
    gateway = gateway_of(request)
    try:
        stats = await gateway.reader.stats()
        gateway.metrics.queue(stats["queue"]["by_priority"], stats["queue"]["oldest_seconds"], stats["running"])
        gateway.metrics.fleet((worker.state, worker.slots, worker.busy) for worker in await gateway.fleet.workers())
    except RedisError:
        gateway.metrics.queue_unknown()  # the others are wanted most when Redis is away
    return Response(generate_latest(gateway.metrics.registry), media_type=CONTENT_TYPE_LATEST)
