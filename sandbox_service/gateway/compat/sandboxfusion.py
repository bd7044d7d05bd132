"""SandboxFusion: `/run_code`, `/submit`, `/v1/ping`: for verl, tinker-cookbook, the `sandbox-fusion` client."""

from __future__ import annotations

from typing import Any

from fastapi import Response

from sandbox_service.contract.problem import ProblemError
from sandbox_service.gateway import problems
from sandbox_service.gateway.compat import fusion, fusion_submit
from sandbox_service.gateway.compat.ask import Asker
from sandbox_service.gateway.compat.route import Routes, checked, json, refuse_dangerous


def add(routes: Routes) -> None:
    """Add the routes."""
    routes.add("POST", "/run_code", run_code, _refused)
    routes.add("POST", "/submit", submit, _refused)
    routes.add("GET", "/v1/ping", ping)


async def run_code(asker: Asker, content: Any) -> Response:
    """Run a program once."""
    refuse_dangerous(content)
    asked = checked(fusion.RunCode, content)
    (result,) = await asker.results([fusion.submission(asked, asker)], asked.patience)
    return json(fusion.answer(result, asked.compile_timeout))


async def submit(asker: Asker, content: Any) -> Response:
    """Judge an answer by the tests that come with it."""
    asked = checked(fusion_submit.Submit, content)
    code = fusion_submit.code(asked, asker)
    (result,) = await asker.results([fusion_submit.submission(asked, code, asker)], asked.patience)
    return json(fusion_submit.answer(asked, code, result))


async def ping(_asker: Asker, _content: Any) -> Response:
    """Whether this is a service."""
    return json("pong")


def _refused(error: ProblemError) -> Response:
    """What may succeed later is 504: the one status that verl asks again for; others read the body."""
    if not error.retryable:
        return problems.response(error)
    message = {"status": "SandboxError", "message": error.detail, "compile_result": None, "run_result": None}
    return json(message | {"executor_pod_name": None, "files": {}}, 504, error.headers)
