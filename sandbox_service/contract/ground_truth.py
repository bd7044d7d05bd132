"""The notations in which data sets write down tests, and what they are in the words of the contract.

| notation | from | becomes |
| --- | --- | --- |
| `{"task": {...}, ...}` or `{"type": "stdio", ...}` | the contract itself | that |
| `{"inputs": [...], "outputs": [...]}` | APPS, TACO, verl, NeMo-Gym | `stdio` |
| the same with `fn_name` | LiveCodeBench, APPS, verl | `function` |
| `{"assert_case": [...]}`, a list of texts | verl, MBPP | `assertions` |
| `{"test": text, "entry_point": name}` | HumanEval | `assertions` |
| text | any of these as JSON, else a test text | |
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from sandbox_service.contract.submission import ANSWER, PROGRAM

Fields = dict[str, Any]
# Where special tokens are kept the last one stands right behind the fence, which would then be none.
_TOKENS_AFTER_FENCE = re.compile(r"(```)[ \t]*(?:<[^<>\n]{1,40}>\s*)+\Z")


def submission(answer: str, truth: Any, usual: Mapping[str, Any] | None = None) -> Fields:
    """The body of a submission for what a model wrote and the tests of its task.

    Args:
        answer: what the model wrote; a program is the fenced block in it.
        truth: the tests, in one of the notations above.
        usual: fields where the tests say nothing; `language` is `python` and `extract` is `fenced`.

    Raises:
        ValueError: the tests are in none of these notations.
    """
    own, usual = fields(truth, answer), usual or {}
    if own["task"].get("type") == ANSWER:
        kept = {name: value for name, value in usual.items() if name not in PROGRAM}
        return {**kept, **own, "task": {**own["task"], "response": answer}}
    return {"language": "python", "extract": "fenced", **usual, **own, "code": answer}


def fields(truth: Any, code: str = "") -> Fields:
    """The fields of a submission that tests stand for: `task`, and what else was written beside it.

    Args:
        truth: the tests, in one of the notations above.
        code: what the model wrote; where tests name a function alone, it says whether that is a method of `Solution`.

    Raises:
        ValueError: the tests are in none of these notations.
    """
    if isinstance(truth, str):
        truth = _parsed(truth)
    if isinstance(truth, str):
        return _assertions(truth)
    if isinstance(truth, list) and truth and all(isinstance(line, str) for line in truth):
        return _assertions("\n".join(truth))
    if not isinstance(truth, dict):
        raise ValueError(f"tests of the type {type(truth).__name__} are in no known notation")
    return _of_object(truth, code)


def _parsed(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, (dict, list)) else text


def _of_object(truth: Fields, code: str) -> Fields:
    if isinstance(truth.get("task"), dict):
        return dict(truth)
    if "type" in truth:
        return {"task": truth}
    if isinstance(truth.get("assert_case"), list):
        return _assertions("\n".join(map(str, truth["assert_case"])))
    if isinstance(truth.get("test"), str):
        return _assertions(truth["test"], truth.get("entry_point"))
    inputs, outputs = truth.get("inputs"), truth.get("outputs")
    if not isinstance(inputs, list) or not isinstance(outputs, list) or len(inputs) != len(outputs):
        raise ValueError(f"tests with the fields {', '.join(sorted(truth))[:200]} are in no known notation")
    if name := truth.get("fn_name"):
        return {"task": _function(entry_point(str(name), code), inputs, outputs)}
    cases = [{"stdin": _text(a), "expected": _text(b)} for a, b in zip(inputs, outputs, strict=True)]
    return {"task": {"type": "stdio", "cases": cases}}


def _assertions(text: str, name: str | None = None) -> Fields:
    return {"task": {"type": "assertions", "code": text} | ({"entry_point": name} if name else {})}


def _function(name: str, inputs: list[Any], outputs: list[Any]) -> Fields:
    cases = [{"args": _arguments(a), "expected": _value(b)} for a, b in zip(inputs, outputs, strict=True)]
    return {"type": "function", "entry_point": name, "cases": cases}


def _arguments(given: Any) -> list[Any]:
    """A list of arguments, or their JSON, one a line."""
    if isinstance(given, str):
        return [_value(line) for line in given.split("\n") if line.strip()]
    return given if isinstance(given, list) else [given]


def _value(given: Any) -> Any:
    try:
        return json.loads(given) if isinstance(given, str) else given
    except ValueError:
        return given


def _text(given: Any) -> str:
    """What a program reads or prints; some data sets give its lines."""
    return "\n".join(map(str, given)) if isinstance(given, list) else str(given)


def answer(query: str, prompt: str) -> str:
    """What the model wrote, of a prompt and an answer in one text, special tokens included."""
    after = query.partition(prompt)[2] if prompt and prompt in query else query
    return _TOKENS_AFTER_FENCE.sub(r"\1", after)


def entry_point(name: str, code: str) -> str:
    """Where a function is to be found in a program: tests that come from contests leave open whether in a class."""
    if re.search(rf"^(async )?def {re.escape(name)}\b", code, re.MULTILINE) or "." in name:
        return name
    return f"Solution.{name}" if re.search(r"^class Solution\b", code, re.MULTILINE) else name
