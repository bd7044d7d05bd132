"""Problems: how a request is refused (RFC 9457), and the words for what is wrong with it."""

from __future__ import annotations

from pydantic import Field, ValidationError

from sandbox_service.contract.base import Model


class Problem(Model):
    """An `application/problem+json` document. `field` names what is to blame, where one thing is."""

    type: str = "about:blank"
    title: str
    status: int = Field(ge=400, le=599)
    detail: str
    instance: str | None = None
    code: str
    retryable: bool = False
    field: str | None = None


class ProblemError(Exception):
    """A request that cannot be accepted; the gateway answers it as a `Problem`.

    Args:
        status: HTTP status.
        code: a stable name of the kind of problem, such as `invalid_field`.
        detail: what is wrong and how to mend it.
        field: the place in the request, such as `task.cases.0.expected`.
        retryable: whether the same request may succeed later.
        headers: further headers of the answer, such as `Retry-After`.
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        field: str | None = None,
        retryable: bool = False,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(f"{field}: {detail}" if field else detail)
        self.status, self.code, self.detail = status, code, detail
        self.field, self.retryable, self.headers = field, retryable, headers or {}


def printable(text: str) -> str:
    """Text that can be encoded as UTF-8: what cannot is written as an escape."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def invalid(error: ValidationError, prefix: str = "") -> ProblemError:
    """The problem of a body that is not a valid model: its first error, with the field's path.

    Args:
        error: what pydantic found.
        prefix: where the model stands in the request, such as `submissions.3.`.
    """
    first = error.errors(include_url=False, include_input=False)[0]
    place = _place(first["loc"])
    path = ".".join(map(str, place))
    field = printable(prefix + path).rstrip(".") or None
    code = {"extra_forbidden": "unknown_field", "missing": "missing_field"}.get(first["type"], "invalid_field")
    if first["type"] == "not_offered":
        code = "not_offered"
    return ProblemError(422, code, printable(first["msg"]), field=field)


def _place(loc: tuple[int | str, ...]) -> list[int | str]:
    """Without what stands there of a task's type, and of a reward's and its components': no fields of the request."""
    if loc[:1] == ("task",):
        return [*loc[:1], *loc[2:]]
    if loc[:1] == ("reward",):
        return [*loc[:1], *loc[2:4], *loc[5:]]
    return list(loc)
