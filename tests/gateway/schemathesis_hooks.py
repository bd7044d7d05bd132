"""What schemathesis has to know besides the document: how JSON lines are written, and rules beyond JSON Schema."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import schemathesis
from schemathesis import HookContext, Response
from schemathesis.core.failures import Failure
from schemathesis.openapi.checks import RejectedPositiveData, UseAfterFree

from sandbox_service.gateway.schema import PATH

KEY = "Idempotency-Key"
# A body that the schema allows may be refused for these reasons; each is a rule between values of the body.
BEYOND_SCHEMA = re.compile(
    "is not among files|name the file to run"  # entrypoint is one of the keys of files
    "|is both a file and a folder"  # a key of files is the beginning of another
    "|is too long: at most 1024 bytes"  # a size in bytes of UTF-8
    "|more than the limit disk_bytes"  # the sum of all sizes
    "|case id .* stands twice"  # a value is unique, and differs from the position of those without one
    "|an argument cannot hold a NUL byte"  # in base64
    "|case .* has no argument"  # result_from names an argument of every case
    "|nested deeper"
    "|stands twice: give one a label|weights must not all be 0|must be .low, high.|is no component here"
    "|limit must be more than target|needs steps|needs files|look at Python alone|no efficiency of it"
)
# With defaults, an item is judged together with them.
MERGED = re.compile(
    "give exactly one of code and files|extract goes with code|does not allow the flag|Field required"
    "|does not offer task type|a task of type answer has no"
)


@schemathesis.serializer("application/jsonl")
def json_lines(_: Any, value: Any) -> bytes:
    """One item of an array a line; what is no array cannot be lines, and is sent as it is."""
    return "\n".join(map(json.dumps, value if isinstance(value, list) else [value])).encode()


@schemathesis.hook
def before_call(_: HookContext, case: Any, kwargs: dict[str, Any]) -> None:
    """Give every request a key of its own: a key used again with another body is rightly refused."""
    key = (case.headers or {}).get(KEY)
    if isinstance(key, str) and re.fullmatch("[!-~][ -~]{0,200}", key):
        case.headers[KEY] = f"{key}-{uuid.uuid4()}"


@schemathesis.hook
def map_body(_: HookContext, body: Any) -> Any:
    """Put in what by chance is hardly ever right, without mending anything that is wrong by the schema."""
    if isinstance(body, list):
        return [_with_entrypoint(item) for item in body]
    if isinstance(body, dict) and isinstance(body.get("submissions"), list):
        items = [_with_entrypoint(_completed(item, body.get("defaults"))) for item in body["submissions"]]
        return body | {"submissions": items}
    return _with_entrypoint(body)


def _completed(item: Any, defaults: Any) -> Any:
    """An item that has, with its defaults, a language and a program; without any, the schema asks for them."""
    if not isinstance(item, dict) or not isinstance(defaults, dict) or not defaults:
        return item
    missing: dict[str, Any] = {} if "language" in defaults else {"language": "c"}
    given = defaults | item
    if given.get("code") is None and given.get("files") is None:
        item = {name: value for name, value in item.items() if name not in ("code", "files")} | {"code": ""}
    return missing | item


def _with_entrypoint(body: Any) -> Any:
    files = body.get("files") if isinstance(body, dict) else None
    if not isinstance(files, dict) or not files:
        return body
    named = body.get("entrypoint")
    right = named is None or (isinstance(named, str) and re.search(PATH, named))
    return body | {"entrypoint": next(iter(files))} if right else body


@schemathesis.hook
def filter_failure(_: HookContext, failure: Failure, case: Any, response: Response) -> bool:
    """Whether a failure is one."""
    if isinstance(failure, UseAfterFree):
        return False  # DELETE cancels: the result stays to be read, and says so
    if not isinstance(failure, RejectedPositiveData):
        return True
    detail = response.json()["detail"]
    # Of a task that is validated the program is another field.
    defaults = isinstance(case.body, dict) and (case.body.get("defaults") or "submission" in case.body)
    return not (BEYOND_SCHEMA.search(detail) or (defaults and MERGED.search(detail)))
