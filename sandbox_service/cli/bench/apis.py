"""How one submission is sent to a service and its verdict is found: ours, and two others that can run `w1`."""

from __future__ import annotations

import json
from typing import Any

from sandbox_service.cli.bench.connection import Connection
from sandbox_service.cli.errors import CliError

BUSY, PATH = 429, "/v1/submissions"


class Busy(Exception):  # noqa: N818
    """The service has no room; it is to be asked again later."""


async def evaluated(connection: Connection, api: str, submission: dict[str, Any]) -> dict[str, Any]:
    """Send a submission and wait for its result, which has a `verdict` whatever the service.

    Raises:
        Busy: it was not taken.
        CliError: the answer is none that such a service gives.
    """
    ask = {"sandbox-service": _ours, "sandboxfusion": _sandboxfusion, "go-judge": _go_judge}[api]
    try:
        return await ask(connection, submission)
    except (ValueError, KeyError, IndexError, TypeError):
        if connection.status == BUSY:
            raise Busy from None
        said = connection.body[:500].decode("utf-8", "replace")
        raise CliError(f"no answer of a {api}, but status {connection.status}: {said}") from None


async def _ours(connection: Connection, submission: dict[str, Any]) -> dict[str, Any]:
    answer = json.loads(await connection.request("POST", f"{PATH}?wait=60", json.dumps(submission).encode()))
    while "verdict" not in answer:
        answer = json.loads(await connection.request("GET", f"{PATH}/{answer['id']}?wait=60"))
    return dict(answer)


async def _sandboxfusion(connection: Connection, submission: dict[str, Any]) -> dict[str, Any]:
    """`POST /run_code`: https://bytedance.github.io/SandboxFusion, one program and its input."""
    (case,) = submission["task"]["cases"]
    body = {"code": submission["code"], "language": submission["language"], "stdin": case["stdin"]}
    answer = json.loads(await connection.request("POST", "/run_code", json.dumps(body).encode()))
    return _compared(answer["status"] == "Success", answer["run_result"]["stdout"], case["expected"])


async def _go_judge(connection: Connection, submission: dict[str, Any]) -> dict[str, Any]:
    """`POST /run`: https://github.com/criyle/go-judge, one command with its files."""
    (case,) = submission["task"]["cases"]
    outputs = [{"name": name, "max": 1 << 16} for name in ("stdout", "stderr")]
    command = {
        "args": ["/usr/bin/python3", "main.py"],
        "env": ["PATH=/usr/bin:/bin"],
        "files": [{"content": case["stdin"]}, *outputs],
        "cpuLimit": 10_000_000_000,
        "memoryLimit": 256 << 20,
        "procLimit": 50,
        "copyIn": {"main.py": {"content": submission["code"]}},
    }
    (answer,) = json.loads(await connection.request("POST", "/run", json.dumps({"cmd": [command]}).encode()))
    return _compared(answer["status"] == "Accepted", answer["files"]["stdout"], case["expected"])


def _compared(ran: bool, output: str, expected: str) -> dict[str, Any]:
    return {"verdict": "accepted" if ran and output == expected else "wrong_answer", "stdout": output}
