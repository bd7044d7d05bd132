"""What all models of the contract have in common, and the byte type."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer, WithJsonSchema
from pydantic_core import PydanticCustomError


class Model(BaseModel):
    """Strict (no coercion), frozen, closed to unknown fields; numbers must be finite."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", allow_inf_nan=False)


def to_bytes(value: Any) -> Any:
    """Turn the wire form of `Bytes` into bytes.

    Args:
        value: a string (UTF-8 with `surrogatepass`: models emit lone surrogates) or `{"base64": text}`.

    Raises:
        PydanticCustomError: the base64 text is not valid, or the value has another form.
    """
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, dict) and value.keys() == {"base64"} and isinstance(value["base64"], str):
        try:
            return _from_base64(value["base64"].encode("ascii", "replace"))
        except binascii.Error as error:
            raise PydanticCustomError("base64", "is not valid base64: {why}", {"why": str(error)}) from None
    raise PydanticCustomError("bytes", 'must be a string or {"base64": "..."}')


def _from_base64(text: bytes) -> bytes:
    if len(text) % 4 or text.endswith(b"==="):  # the decoder lets too much padding pass
        raise binascii.Error("wrong padding")
    return base64.b64decode(text, validate=True)


def from_bytes(value: bytes) -> str | dict[str, str]:
    """Turn bytes into their wire form: a string where they are UTF-8, else base64."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode("ascii")}


BASE64_PATTERN = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"

Bytes = Annotated[
    bytes,
    BeforeValidator(to_bytes),
    PlainSerializer(from_bytes),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string"},
                {
                    "type": "object",
                    "properties": {"base64": {"type": "string", "pattern": BASE64_PATTERN}},
                    "required": ["base64"],
                    "additionalProperties": False,
                },
            ]
        }
    ),
]
"""Bytes on the wire: a JSON string, or `{"base64": "..."}`."""


def not_offered(what: str) -> PydanticCustomError:
    """The error for a part of the contract that this version does not build yet."""
    return PydanticCustomError("not_offered", "{what} is part of the contract but not offered yet", {"what": what})
