"""JSON Schemas of rewards and answers: what their models check in code."""

from __future__ import annotations

from typing import Any

from sandbox_service.contract.submission import PROGRAM
from sandbox_service.gateway.task_schema import GIVEN, NULL, Schema

LISTS = ("compile_flags", "artifacts", "steps")
"""Fields of programs that are lists."""


def tighten_rewards(schemas: dict[str, Schema], languages: list[str]) -> None:
    """Add what the generated schemas of components do not say."""
    own, other = "baseline_cpu_seconds", "baseline_memory_bytes"
    efficiency = schemas["EfficiencyPart"]
    efficiency["if"] = {"properties": {"measure": {"const": "memory_bytes"}}, "required": ["measure"]}
    efficiency["then"] = {"properties": {own: NULL}, "oneOf": [_alone(other, "reference"), _alone("reference", other)]}
    efficiency["else"] = {"properties": {other: NULL}, "oneOf": [_alone(own, "reference"), _alone("reference", own)]}
    schemas["FormatPart"]["anyOf"] = [
        {"properties": {"pattern": GIVEN}, "required": ["pattern"]},
        {"properties": {"tags": {"minItems": 1}}, "required": ["tags"]},
        {"properties": {"fenced": {"const": True}}, "required": ["fenced"]},
    ]
    schemas["CustomPart"]["properties"]["language"] = {"type": "string", "enum": languages}
    schemas["Reference"]["properties"]["language"]["anyOf"][0] = {"type": "string", "enum": languages}


def tighten_answers(schemas: dict[str, Schema]) -> None:
    """What is expected depends on the mode; tolerances belong to one."""
    text: Schema = {"type": ["string", "number"]}
    choice = {"anyOf": [{"type": "string", "pattern": "^[A-Za-z0-9]{1,8}$"}, {"type": "integer", "minimum": 0}]}
    schemas["AnswerTask"]["allOf"] = [
        _where("json_schema", {"expected": {"type": ["object", "boolean"]}}, {"expected": text}),
        _where("choice", {"expected": choice}, {}),
        _where("numeric", {}, {"abs_tol": NULL, "rel_tol": NULL}),
    ]


def answer_or_program(program: Schema) -> Schema:
    """A submission of an answer has no fields of programs; any other keeps to `program`."""
    none = {name: {"anyOf": [NULL, {"type": "array", "maxItems": 0}]} if name in LISTS else NULL for name in PROGRAM}
    task = {"type": "object", "properties": {"type": {"const": "answer"}}, "required": ["type"]}
    return {
        "if": {"properties": {"task": task}, "required": ["task"]},
        "then": {"properties": none},
        "else": program,
    }


def _where(mode: str, then: Schema, otherwise: Schema) -> Schema:
    asked: dict[str, Any] = {"properties": {"mode": {"const": mode}}, "required": ["mode"]}
    return {"if": asked, "then": {"properties": then}, "else": {"properties": otherwise}}


def _alone(given: str, absent: str) -> Schema:
    return {"required": [given], "properties": {given: GIVEN, absent: NULL}}


def steps(schemas: dict[str, Schema], path: Schema) -> None:
    """A step is one program; names of its files are paths."""
    step = schemas["Step"]
    step["properties"]["files"]["anyOf"][0]["propertyNames"] = path
    step["oneOf"] = [_alone("code", "files"), _alone("files", "code")]
