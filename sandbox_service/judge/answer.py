"""Answers -> verdicts: what of a response is the answer, and whether it is right.

Responses are hostile: everything here takes time linear in them, but for mathematics, which is looked at in a sandbox
(`mathematics.py`) where a first look has not settled it.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

from sandbox_service.contract.answer import AnswerTask, expected_text
from sandbox_service.contract.verdict import Verdict
from sandbox_service.judge.document import DocumentError, read
from sandbox_service.judge.finding import ACCEPTED, Finding
from sandbox_service.judge.numbers import Tolerance
from sandbox_service.judge.pattern import TaskError, compile_pattern
from sandbox_service.languages import ANSWERS, extract

NO_ANSWER = "no_answer"
MOST_DIGITS = 400
# Each can backtrack in one place only, so that a match is linear. The second number is a denominator.
_NUMBER = re.compile(r"[-+]?[0-9][0-9,]*(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,6})?(?:\s?/\s?[0-9]+)?|[-+]?\.[0-9]+")
_ONLY = re.compile(r"[\W_]*([A-Za-z0-9]{1,8})[\W_]*\Z")
_FIRST = re.compile(r"[\W_]*([A-Za-z0-9]{1,8})\s*[).:]")
_SAID = re.compile(r"\b(?:answer|option|choice)\b\W{0,8}(?:is\b)?\W{0,8}([A-Za-z0-9]{1,8})\b", re.IGNORECASE)


def check_task(task: AnswerTask) -> None:
    """Check what is expected before anything is judged, so that a broken task fails every response alike.

    Raises:
        TaskError: no pattern, no schema, no number.
    """
    if task.mode == "regex":
        compile_pattern(expected_text(task).encode("utf-8", "surrogatepass"))
    elif task.mode == "json_schema":
        _validator(task.expected)
    elif task.mode == "numeric" and _number(expected_text(task)) is None:
        raise TaskError("what is expected is no number")


def answer_of(task: AnswerTask) -> str | None:
    """The answer in a response; `None` where there is none.

    >>> task = AnswerTask(type="answer", response="so x is \\\\boxed{\\\\frac{1}{2}}.", expected="1/2", extract="boxed")
    >>> answer_of(task)
    '\\\\frac{1}{2}'
    """
    text = task.response.decode("utf-8", "replace")
    match task.extract:
        case "boxed":
            return _boxed(text)
        case "tagged":
            return _tagged(text, task.tag)
        case "fenced":
            block = extract(task.response, ANSWERS, "fenced")
            return None if block is None else block.decode("utf-8", "replace")
    return text


def judge(task: AnswerTask, answer: str | None) -> Finding | None:
    """How an answer is judged; `None` where only mathematics can tell. Takes seconds for large JSON.

    Raises:
        TaskError: as with `check_task`.
    """
    if answer is None or not answer.strip():
        return Finding(Verdict.WRONG_ANSWER, NO_ANSWER)
    wanted = expected_text(task)
    if task.mode == "math":
        return ACCEPTED if _bare(answer) == _bare(wanted) else None
    right = _MODES[task.mode](task, answer, wanted)
    return ACCEPTED if right else Finding(Verdict.WRONG_ANSWER, "the answer is not right", answer[:200], wanted[:200])


def _exact(_: AnswerTask, answer: str, wanted: str) -> bool:
    return answer.strip() == wanted.strip()


def _numeric(task: AnswerTask, answer: str, wanted: str) -> bool:
    given, right = _number(answer), _number(wanted)
    tolerance = Tolerance(task.abs_tol, task.rel_tol)
    return given is not None and right is not None and tolerance.close(given, right)


def _choice(_: AnswerTask, answer: str, wanted: str) -> bool:
    found = _ONLY.match(answer) or _FIRST.match(answer) or _last(_SAID, answer)
    return found is not None and found[1].casefold() == wanted.casefold()


def _regex(_: AnswerTask, answer: str, wanted: str) -> bool:
    pattern = compile_pattern(wanted.encode("utf-8", "surrogatepass"))
    return pattern.fullmatch(answer.strip().encode("utf-8", "replace")) is not None


def _schema(task: AnswerTask, answer: str, _: str) -> bool:
    try:
        value = read(answer.encode("utf-8", "replace"))
        json.dumps(value, allow_nan=False)
    except (DocumentError, ValueError):
        return False
    return bool(_validator(task.expected).is_valid(value))


def _validator(schema: Any) -> Any:
    import jsonschema_rs  # here, so that only those who use this mode wait for it

    def refuse(uri: str) -> Any:
        raise ValueError(f"no reference to {uri}")

    try:
        # Patterns by an engine that is linear; other documents are never fetched.
        options = jsonschema_rs.RegexOptions()
        return jsonschema_rs.validator_for(schema, retriever=refuse, pattern_options=options)
    except (ValueError, json.JSONDecodeError) as error:
        raise TaskError(f"what is expected is no valid schema: {str(error).splitlines()[0][:200]}") from None


def _boxed(text: str) -> str | None:
    start = max(text.rfind("\\boxed{"), text.rfind("\\fbox{"))
    if start < 0:
        return None
    depth, begin = 0, text.index("{", start)
    for at in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0) if text[at - 1] != "\\" else 0
        if depth == 0:
            return text[begin + 1 : at]
    return None


def _tagged(text: str, tag: str) -> str | None:
    end = text.rfind(f"</{tag}>")
    start = text.rfind(f"<{tag}>", 0, end) if end >= 0 else -1
    return None if start < 0 else text[start + len(tag) + 2 : end]


def _number(text: str) -> Decimal | None:
    found = _last(_NUMBER, text)
    if found is None or len(found[0]) > MOST_DIGITS:
        return None
    above, _, below = found[0].replace(",", "").replace(" ", "").partition("/")
    if below and not int(below):
        return None
    return Decimal(above) / Decimal(below) if below else Decimal(above)


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = None
    for found in pattern.finditer(text):  # noqa: B007
        pass
    return found


def _bare(text: str) -> str:
    """A formula without what does not change it: white space, dollar signs, a point at its end."""
    return re.sub(r"\s|\$|\\[,;!]", "", text).rstrip(".")


_MODES = {"exact": _exact, "numeric": _numeric, "choice": _choice, "regex": _regex, "json_schema": _schema}
