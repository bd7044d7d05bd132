"""`/v1/tasks/validate` and `/v1/submissions/{id}/replay`; the workers here say what they are told to."""

from __future__ import annotations

import httpx

from sandbox_service.gateway.settings import GatewaySettings
from tests.gateway.service import HELLO, worker
from tests.gateway.test_bad_input import STDIO

TASK = {"language": "python", "task": STDIO}


async def test_a_task_is_validated(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    body = {"submission": TASK, "reference": "print(1)", "wrong": ["print(2)"], "repeats": 2, "id": "a"}
    async with worker(settings.redis_url, settings.queue):
        answer = await http.post("/v1/tasks/validate", json=body)
    found = answer.json()
    # To this worker every program is right: the wrong one and the empty one too.
    assert (answer.status_code, found["id"], found["valid"], found["runs"]) == (200, "a", False, 6)
    assert [fault["kind"] for fault in found["faults"]] == ["wrong_passes", "empty_passes"]


async def test_who_does_not_wait_gets_a_batch(http: httpx.AsyncClient) -> None:
    body = {"submission": TASK, "reference": "print(1)", "repeats": 1}
    answer = await http.post("/v1/tasks/validate", json=body, params={"wait": 0})
    assert (answer.status_code, answer.json()["total"]) == (202, 2)
    assert answer.headers["Location"] == f"/v1/batches/{answer.json()['id']}"


async def test_a_wrong_task_names_its_field(refusing: httpx.AsyncClient) -> None:
    for body, field in [
        ({"submission": TASK}, "reference"),
        ({"submission": TASK, "reference": "", "repeats": 100}, "repeats"),
        ({"submission": {"language": "cobol"}, "reference": ""}, "submission.language"),
    ]:
        answer = await refusing.post("/v1/tasks/validate", json=body)
        assert (answer.status_code, answer.json()["field"]) == (422, field)


async def test_a_replay(http: httpx.AsyncClient, settings: GatewaySettings) -> None:
    async with worker(settings.redis_url, settings.queue):
        first = (await http.post("/v1/submissions", json=HELLO, params={"wait": 30})).json()
        answer = await http.post(f"/v1/submissions/{first['id']}/replay", json=HELLO, params={"wait": 30})
    found = answer.json()
    assert (answer.status_code, found["outcome"], found["changes"]) == (200, "same", [])
    assert found["id"] != first["id"]


async def test_what_has_not_ended_or_is_unknown(http: httpx.AsyncClient) -> None:
    queued = (await http.post("/v1/submissions", json=HELLO)).json()["id"]
    answer = await http.post(f"/v1/submissions/{queued}/replay", json=HELLO)
    assert (answer.status_code, answer.json()["code"]) == (422, "not_ended")
    unknown = "sub_" + "0" * 26
    assert (await http.post(f"/v1/submissions/{unknown}/replay", json=HELLO)).status_code == 404
