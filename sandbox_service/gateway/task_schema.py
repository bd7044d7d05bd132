"""JSON Schemas of tasks: what the models check in code, and what languages can do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandbox_service.contract.base import BASE64_PATTERN
from sandbox_service.contract.compare import WITH_TOLERANCE
from sandbox_service.contract.task import MAX_ARGUMENT_BYTES
from sandbox_service.languages import Languages

Schema = dict[str, Any]
REF = "#/components/schemas/"
NO_NUL = r"^[^\u0000]*$"
NULL = {"type": "null"}
GIVEN = {"not": NULL}


def ref(name: str) -> Schema:
    """A reference to a schema of the document."""
    return {"$ref": REF + name}


def tighten_tasks(schemas: dict[str, Schema], languages: Languages) -> None:
    """Add what the generated schemas of tasks do not say."""
    schemas["RunTask"]["required"] = ["type"]
    argument = f"Like Bytes, without NUL and at most {MAX_ARGUMENT_BYTES} bytes."
    schemas["Argument"] = {"description": argument, **_bytes({"pattern": NO_NUL}, {})}
    for name in ("RunTask", "Case"):
        schemas[name]["properties"]["args"]["items"] = ref("Argument")
    schemas["AssertionsTask"]["properties"]["code"] = _bytes({"minLength": 1}, {"minLength": 4})
    for name in ("Compare", "ValueCompare"):
        _tighten_compare(schemas[name], sorted(languages))


def _bytes(text: Schema, base64: Schema) -> Schema:
    """Bytes with more to be said of each form."""
    return {
        "anyOf": [
            {"type": "string", **text},
            {
                "type": "object",
                "properties": {"base64": {"type": "string", "pattern": BASE64_PATTERN, **base64}},
                "required": ["base64"],
                "additionalProperties": False,
            },
        ]
    }


def _tighten_compare(schema: Schema, languages: list[str]) -> None:
    """Tolerances belong to two modes, a program to one, which needs it."""
    schema["properties"]["language"]["anyOf"][0] = {"type": "string", "enum": languages}
    program = {"required": ["language", "code"], "properties": {"language": GIVEN, "code": GIVEN}}
    schema["allOf"] = [
        {"if": _mode(schema, *WITH_TOLERANCE), "else": {"properties": {"abs_tol": NULL, "rel_tol": NULL}}},
        {"if": _mode(schema, "checker"), "then": program, "else": {"properties": {"language": NULL, "code": NULL}}},
    ]


def _mode(schema: Schema, *modes: str) -> Schema:
    """That the mode is one of these; where one of them is the default, it need not be named."""
    named = {} if schema["properties"]["mode"]["default"] in modes else {"required": ["mode"]}
    return {"properties": {"mode": {"enum": list(modes)}}, **named}


def of_languages(languages: Languages) -> Iterable[Schema]:
    """What each language allows: types of task, flags of its compiler."""
    for name in sorted(languages):
        allowed = languages[name].compile_flags
        flags = {"items": {"enum": sorted(allowed)}} if allowed else {"maxItems": 0}
        task = {"properties": {"type": {"enum": languages[name].tasks}}}
        named = {"properties": {"language": {"const": name}}, "required": ["language"]}
        yield {"if": named, "then": {"properties": {"compile_flags": flags, "task": task}}}
