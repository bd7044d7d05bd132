"""Makes the page of the HTTP API from `docs/openapi.json`, so that it can say nothing that the service does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PAGE = "reference/http.md"
SCHEMA = "#/components/schemas/"
METHODS = ("get", "post", "put", "patch", "delete")
INTRODUCTION = """# HTTP API

This page is made of the OpenAPI document that a service gives at `/openapi.json`; [a copy](../openapi.json) comes with
this site. A key, where the service asks for one, goes into the header `Authorization: Bearer KEY`.

"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page."""
    document = json.loads((Path(config.docs_dir) / "openapi.json").read_text(encoding="utf-8"))
    files.append(File.generated(config, PAGE, content=page(document)))
    return files


def page(document: dict[str, Any]) -> str:
    """The page as Markdown."""
    lines = [INTRODUCTION, document["info"]["description"], "", "## Routes", ""]
    for path, operations in document["paths"].items():
        for method in METHODS:
            if method in operations:
                lines += _route(f"{method.upper()} {path}", operations[method])
    lines += ["## Types", ""]
    for name, schema in sorted(document["components"]["schemas"].items()):
        lines += _schema(name, schema)
    return "\n".join(lines)


def _route(title: str, operation: dict[str, Any]) -> Iterator[str]:
    yield from (f"### `{title}`", "", operation.get("description", ""), "")
    if parameters := operation.get("parameters"):
        rows = [
            [f"`{p['name']}`", p["in"], _type(p["schema"]), _default(p["schema"], p.get("required", False)), _text(p)]
            for p in parameters
        ]
        yield from _table(["parameter", "in", "type", "default", "meaning"], rows)
    if body := operation.get("requestBody"):
        yield from (f"Body: {_content(body)}", "")
    answers = operation["responses"].items()
    taken = [[status, _content(answer), _text(answer)] for status, answer in answers if status < "400"]
    yield from _table(["status", "body", "when"], taken)
    if refused := [f"{status}: {_text(answer)}" for status, answer in answers if status >= "400"]:
        yield from ("Refused with a [Problem](#problem) and status " + " ".join(refused), "")


def _content(holder: dict[str, Any]) -> str:
    kinds = holder.get("content", {}).items()
    return ", or ".join(f"{_type(kind.get('schema', {}))} as `{name}`" for name, kind in kinds)


def _schema(name: str, schema: dict[str, Any]) -> Iterator[str]:
    yield from (f"### {name}", "", schema.get("description", "").replace("\nAttributes:\n", "\n"), "")
    required = schema.get("required", [])
    if fields := schema.get("properties"):
        rows = [
            [f"`{field}`", _type(inner), _default(inner, field in required), _text(inner)]
            for field, inner in fields.items()
        ]
        yield from _table(["field", "type", "default", "meaning"], rows)
    elif "enum" in schema:
        yield from (_type(schema), "")
    elif "allOf" in schema:
        yield from _combined(schema)
    else:
        yield from (_type(schema), "")


def _combined(schema: dict[str, Any]) -> Iterator[str]:
    """The fields of another type, narrowed by what stands in one of them."""
    for part in schema["allOf"]:
        if "$ref" in part:
            yield from (f"The fields of {_type(part)}.", "")
    rows = [
        [
            _when(part["if"]),
            ", ".join(f"`{name}`: {_narrowed(inner)}" for name, inner in part["then"]["properties"].items()),
        ]
        for part in schema["allOf"]
        if "if" in part
    ]
    if rows:
        yield from _table(["where", "only"], rows)


def _when(condition: dict[str, Any]) -> str:
    return ", ".join(f"`{name}` is `{inner.get('const')}`" for name, inner in condition["properties"].items())


def _narrowed(schema: dict[str, Any]) -> str:
    if schema.get("maxItems") == 0:
        return "none"
    if "properties" in schema:
        return ", ".join(f"`{name}` {_type(inner)}" for name, inner in schema["properties"].items())
    return _type(schema.get("items", schema))


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(SCHEMA)
        return f"[{name}](#{name.lower()})"
    if "contentSchema" in schema:
        return f"lines of {_type(schema['contentSchema'])}"
    if several := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(map(_type, several)))
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type", "any value")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}{_bounds(schema, 'Items')}"
    if kind == "object" and isinstance(inner := schema.get("additionalProperties"), dict):
        return f"object of {_type(inner)}{_bounds(schema, 'Properties')}"
    return f"{kind}{_bounds(schema, 'Length') if kind == 'string' else _range(schema)}"


def _bounds(schema: dict[str, Any], what: str) -> str:
    least, most = schema.get(f"min{what}"), schema.get(f"max{what}")
    return _between(least or None, most)


def _range(schema: dict[str, Any]) -> str:
    if "exclusiveMinimum" in schema:
        over = f"over {_number(schema['exclusiveMinimum'])}"
        return f" ({over}, at most {_number(schema['maximum'])})" if "maximum" in schema else f" ({over})"
    return _between(schema.get("minimum"), schema.get("maximum"))


def _between(least: float | None, most: float | None) -> str:
    if least is None and most is None:
        return ""
    if least is None:
        return f" (at most {_number(most)})"
    return f" (at least {_number(least)})" if most is None else f" ({_number(least)} to {_number(most)})"


def _number(value: float | None) -> str:
    return f"{int(value):,}" if value is not None and float(value).is_integer() else str(value)


def _default(schema: dict[str, Any], required: bool) -> str:
    if required:
        return "required"
    return f"`{json.dumps(schema['default'])}`" if "default" in schema and not _long(schema) else ""


def _long(schema: dict[str, Any]) -> bool:
    """A default that only repeats those of the type that it has."""
    return isinstance(schema["default"], dict) and bool(schema["default"])


def _text(schema: dict[str, Any]) -> str:
    return str(schema.get("description", ""))


def _table(head: list[str], rows: list[list[str]]) -> Iterator[str]:
    """A table without columns that are empty throughout."""
    kept = [number for number in range(len(head)) if any(row[number] for row in rows)]
    for row in [head, ["---"] * len(head), *rows]:
        yield "| " + " | ".join(" ".join(row[number].replace("|", "\\|").split()) for number in kept) + " |"
    yield ""
