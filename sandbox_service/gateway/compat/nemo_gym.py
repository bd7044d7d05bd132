"""NeMo-Gym: `/verify` of its resources server `code_gen`."""

from __future__ import annotations

from typing import Any

from fastapi import Response

from sandbox_service.contract import ground_truth
from sandbox_service.contract.problem import ProblemError
from sandbox_service.contract.verdict import State, Verdict
from sandbox_service.gateway.compat.ask import Asker
from sandbox_service.gateway.compat.route import Routes, json

MOST_SECONDS = 150.0


def add(routes: Routes) -> None:
    """Add the routes."""
    routes.add("POST", "/seed_session", seed_session)
    routes.add("POST", "/verify", verify)


async def seed_session(_asker: Asker, _content: Any) -> Response:
    """Nothing has to be prepared."""
    return json({})


async def verify(asker: Asker, content: Any) -> Response:
    """The request again, with its reward: 1 if every test passed, else 0."""
    text = _output_text(content.get("response"))
    if not text.strip():
        return json({**content, "reward": 0.0})
    metadata = content.get("verifier_metadata")
    tests = metadata.get("unit_tests") if isinstance(metadata, dict) else None
    try:
        body = ground_truth.submission(text, tests, {"reward": "binary"})
    except ValueError as error:
        raise ProblemError(422, "invalid_field", str(error), field="verifier_metadata.unit_tests") from None
    (result,) = await asker.results([body], MOST_SECONDS)
    if result.state != State.FINISHED:
        detail = result.infra_error.message if result.infra_error else "the service failed"
        raise ProblemError(503, "failed", detail, retryable=True)
    more = {
        "reward": result.reward,
        "extracted_model_output": text,
        "result": [case.verdict == Verdict.ACCEPTED for case in result.cases],
        "metadata": {"verdict": result.verdict, "id": result.id},
        "unit_tests_time_taken": None if result.timing is None else result.timing.run_seconds,
    }
    return json({**content, **more})


def _output_text(response: Any) -> str:
    """The text of the model's messages; the client of the original puts it together from them likewise."""
    outputs = response.get("output") if isinstance(response, dict) else None
    if not isinstance(outputs, list):
        raise ProblemError(422, "invalid_field", "is no response of a model", field="response.output")
    texts = []
    for item in outputs:
        parts = item.get("content") if isinstance(item, dict) and item.get("type") == "message" else None
        for part in parts if isinstance(parts, list) else []:
            if isinstance(part, dict) and part.get("type") == "output_text":
                texts.append(str(part.get("text", "")))
    return "".join(texts)
