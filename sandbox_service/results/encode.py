"""A result as JSON: text that may not be UTF-8, and never more than 8 MiB."""

from __future__ import annotations

import base64
import json
from typing import Any

from sandbox_service.contract.parse import dumps
from sandbox_service.contract.result import Result

MAX_RESPONSE_BYTES = 8 << 20
# A batch adds an index and a cursor to each line.
ROOM = 4096
TEXTS = ("stdout", "stderr")
PLAIN = bytes(set(range(0x20, 0x7F)) - set(b'"\\'))
"""What JSON writes as one byte; anything else takes six at most."""


def output_fields(name: str, data: bytes) -> dict[str, Any]:
    """Output for a result: text, and beside it base64 where it is not UTF-8."""
    try:
        return {name: data.decode("utf-8")}
    except UnicodeDecodeError:
        return {name: data.decode("utf-8", "replace"), f"{name}_base64": base64.b64encode(data).decode("ascii")}


def output_bytes(data: bytes) -> int:
    """How many bytes of JSON an output takes, at most. Told at a glance: building it to find out takes a second."""
    odd = len(data.translate(None, PLAIN))
    return len(data) + 5 * odd + (0 if data.isascii() else 2 * len(data))


def encode(result: Result) -> bytes:
    """The JSON of a result. Too large, the output of later cases is cut first, then artifacts; both are flagged."""
    document = result.model_dump()
    text = dumps(document)
    if len(text) <= MAX_RESPONSE_BYTES - ROOM:
        return text
    _cut_outputs(document, len(text) - (MAX_RESPONSE_BYTES - ROOM))
    return dumps(document)


def _cut_outputs(document: dict[str, Any], excess: int) -> None:
    """Blank the last outputs until `excess` bytes are saved."""
    for case in reversed(document["cases"]):
        for name in TEXTS:
            if excess <= 0:
                return
            if saved := _size(case[name]) + _size(case[f"{name}_base64"]):
                case |= {name: "", f"{name}_base64": None, f"{name}_truncated": True}
                excess -= saved
    for artifact in reversed(document["artifacts"].values()):
        if excess <= 0:
            return
        excess -= len(artifact["base64"])
        artifact |= {"base64": "", "truncated": True}


def _size(text: str | None) -> int:
    """How many bytes of JSON a text takes, its quotes left out; an absent one counts as nothing."""
    return len(json.dumps(text)) - 2 if text else 0
