"""A server with the interface of OpenAI's chat completions, whose model always writes the same program."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.client.server import Answer, Seen, answer, serving

TEXT = "```python\nprint(2 * int(input()))\n```"
USAGE = {"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8}


@contextmanager
def model() -> Iterator[str]:
    """Serve; gives the URL."""
    with serving(_complete) as (url, _):
        yield f"{url}/v1"


def _complete(seen: Seen) -> Answer:
    asked: dict[str, Any] = json.loads(seen.body)
    usual = {"id": "c", "created": 1, "model": asked["model"]}
    message = {"role": "assistant", "content": TEXT}
    if not asked.get("stream"):
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return answer(200, usual | {"object": "chat.completion", "choices": [choice], "usage": USAGE})
    usual["object"] = "chat.completion.chunk"
    chunks = [
        usual | {"choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        usual | {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        usual | {"choices": [], "usage": USAGE},
    ]
    lines = [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in chunks] + [b"data: [DONE]\n\n"]
    return Answer(200, lines, {"Content-Type": "text/event-stream"})
