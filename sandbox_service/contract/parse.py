"""JSON in and out by the contract's rules: finite numbers, lone surrogates allowed, one canonical form."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

from pydantic import ValidationError

from sandbox_service.contract.problem import ProblemError, invalid, printable
from sandbox_service.contract.submission import Submission


def loads(body: bytes | str) -> Any:
    """Parse JSON; NaN, Infinity and numbers too large for a float are refused.

    Raises:
        ProblemError: 400 `invalid_json`, saying where; 422 `not_finite`, naming the field.
    """
    odd: list[float] = []

    def number(text: str) -> float:
        value = float(text)
        if not math.isfinite(value):
            odd.append(value)
        return value

    try:
        value = json.loads(body, parse_float=number, parse_constant=number)
        where = _where_not_finite(value) if odd else None
    except RecursionError:
        raise ProblemError(400, "invalid_json", "the body is nested too deeply") from None
    except ValueError as error:
        raise ProblemError(400, "invalid_json", f"the body is not valid JSON: {printable(str(error))}") from None
    if odd:
        raise ProblemError(422, "not_finite", "numbers must be finite", field=printable(where or ""))
    return value


def _where_not_finite(value: Any) -> str | None:
    """The path of the first number that is not finite."""
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        if (rest := _where_not_finite(item)) is not None:
            return f"{key}.{rest}".rstrip(".")
    return None


def dumps(value: Any) -> bytes:
    """Compact JSON in ASCII, so that lone surrogates survive."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")


def digest(body: dict[str, Any]) -> str:
    """The digest of a request's canonical form (`metadata` left out), for idempotency."""
    kept = {key: value for key, value in body.items() if key != "metadata"}
    text = json.dumps(kept, separators=(",", ":"), sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def submission(body: Any, prefix: str = "") -> Submission:
    """Validate the body of a submission.

    Raises:
        ProblemError: 422, naming the field.
    """
    try:
        return Submission.model_validate(body)
    except ValidationError as error:
        raise invalid(error, prefix) from None
