"""JSON Schemas of request bodies: those of the models, and what the models and policies check in code besides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from sandbox_service.contract.base import Bytes
from sandbox_service.contract.batch import MAX_BATCH, BatchRequest
from sandbox_service.contract.limits import CompileLimits
from sandbox_service.contract.problem import Problem
from sandbox_service.contract.result import BatchLine
from sandbox_service.contract.submission import MAX_NAME, MAX_PATH, Submission
from sandbox_service.contract.validation import ValidationRequest
from sandbox_service.gateway import reward_schema
from sandbox_service.gateway.admission import Admission
from sandbox_service.gateway.task_schema import REF, Schema, of_languages, ref, tighten_tasks
from sandbox_service.policy import Policies

# Of a path: not empty, "." or ".."; without look-ahead and large counts, which not every validator takes.
_COMPONENT = r"(?:[^./\u0000][^/\u0000]*|\.[^./\u0000][^/\u0000]*|\.\.[^/\u0000]+)"
PATH = rf"^{_COMPONENT}(?:/{_COMPONENT}){{0,15}}$"
PATH_RULE = f"Relative, without `..`, at most {MAX_PATH} bytes, each part of it at most {MAX_NAME} bytes."


def components(admission: Admission) -> dict[str, Schema]:
    """The schemas that the document's request bodies and problems refer to, by name."""
    taken: list[Any] = [(model, "validation") for model in (Submission, BatchRequest, ValidationRequest)]
    given: list[Any] = [(model, "serialization") for model in (Problem, BatchLine)]
    _, generated = models_json_schema(taken + given, ref_template=REF + "{model}")
    schemas: dict[str, Schema] = generated["$defs"]
    of_bytes = TypeAdapter(Bytes).json_schema()
    _replace(schemas, of_bytes, ref("Bytes"))
    schemas["Bytes"] = of_bytes | {"description": "Text, or any bytes as base64."}
    tighten_tasks(schemas, admission.languages)
    reward_schema.tighten_rewards(schemas, sorted(admission.languages))
    reward_schema.tighten_answers(schemas)
    _tighten_limits(schemas, admission.policies)
    _split_submission(schemas, admission)
    _tighten_batch(schemas)
    named = {"required": ["language"], "properties": {"language": {"not": {"type": "null"}}}}
    task = {"allOf": [ref("SubmissionFields")], **reward_schema.answer_or_program(named)}
    schemas["ValidationRequest"]["properties"]["submission"] = task
    return schemas


def _replace(schema: Any, old: Schema, new: Schema) -> None:
    """Put `new` for every part that says what `old` does, alone or among alternatives, and drop generated titles."""
    if isinstance(schema, dict):
        if isinstance(schema.get("title"), str):
            del schema["title"]
        choice = schema.get("anyOf", [])
        if choice[: len(old["anyOf"])] == old["anyOf"]:
            rest = choice[len(old["anyOf"]) :]
            del schema["anyOf"]
            schema.update({"anyOf": [new, *rest]} if rest else new)
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        _replace(part, old, new)


def _tighten_limits(schemas: dict[str, Schema], policies: Policies) -> None:
    """A limit's maximum is the largest cap of all policies; a policy may hold a request to less."""
    run = [policy.caps for policy in policies.values()]
    compiler = [policy.caps.model_copy(update=_given(policy.caps.compile)) for policy in policies.values()]
    _cap(schemas["Limits"], lambda name: max(getattr(caps, name) for caps in run))
    _cap(schemas["CompileLimits"], lambda name: max(getattr(caps, name) for caps in compiler))


def _given(limits: CompileLimits | None) -> dict[str, Any]:
    return {} if limits is None else limits.model_dump(exclude_none=True)


def _cap(schema: Schema, cap: Callable[[str], float]) -> None:
    for name, field in schema["properties"].items():
        if "type" in field["anyOf"][0]:
            field["anyOf"][0]["maximum"] = cap(name)


def _split_submission(schemas: dict[str, Schema], admission: Admission) -> None:
    """`SubmissionFields` says what each field may be, `Submission` which of them go together."""
    fields = schemas["SubmissionFields"] = schemas.pop("Submission")
    text = fields.pop("description")
    fields["description"] = "The fields of a submission, each by itself."
    del fields["required"]
    of = fields["properties"]
    path = {"type": "string", "pattern": PATH, "maxLength": MAX_PATH, "description": PATH_RULE}
    of["files"]["anyOf"][0]["propertyNames"] = path
    of["entrypoint"]["anyOf"][0] |= path
    of["artifacts"]["items"]["pattern"] = PATH
    of["language"] = {"anyOf": [{"type": "string", "enum": sorted(admission.languages)}, {"type": "null"}]}
    of["policy"] = {"type": "string", "enum": sorted(admission.policies), "default": "default"}
    rewards = sorted({name for policy in admission.policies.values() for name in admission.rewards(policy)})
    of["reward"] = {"anyOf": [{"type": "string", "enum": rewards}, ref("Reward"), {"type": "null"}], "default": None}
    reward_schema.steps(schemas, path)
    program = {
        "allOf": list(of_languages(admission.languages)),
        "required": ["language"],
        "properties": {"language": {"not": {"type": "null"}}},
        "oneOf": [_only("code", "files"), _only("files", "code", "extract")],
    }
    own = {"allOf": [ref("SubmissionFields")], **reward_schema.answer_or_program(program)}
    schemas["Submission"] = {"description": text, **own}
    schemas["SubmissionLines"] = {
        "description": "JSON lines: each item of this array is a line of the body.",
        "type": "array",
        "items": ref("Submission"),
        "minItems": 1,
        "maxItems": MAX_BATCH,
    }


def _only(given: str, *absent: str) -> Schema:
    kinds = {given: {"not": {"type": "null"}}} | {name: {"type": "null"} for name in absent}
    return {"required": [given], "properties": kinds}


def _tighten_batch(schemas: dict[str, Schema]) -> None:
    """With defaults, an item need not be whole; without, it has to be."""
    batch = schemas["BatchRequest"]
    batch["properties"]["defaults"] = ref("SubmissionFields") | {"default": {}}
    batch["properties"]["submissions"]["items"] = ref("SubmissionFields")
    with_defaults = {"required": ["defaults"], "properties": {"defaults": {"minProperties": 1}}}
    whole = {"properties": {"submissions": {"items": ref("Submission")}}}
    batch |= {"if": with_defaults, "else": whole}
