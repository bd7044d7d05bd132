"""What the SDK raises.

```
SandboxError
├── RequestProblem     the request is wrong (HTTP 4xx, or a part of the contract not offered yet): mend it
│   └── NotFound       the id is unknown, another tenant's, or its result has expired
├── Unavailable        no connection, or a service that was not ready, for longer than `patience`: try again later
└── UnexpectedAnswer   what answered broke the contract: another service, a proxy, or a fault of ours
```

A program that misbehaves raises nothing: it has a verdict. A submission that *we* failed raises nothing either:
it is a result with `state` `failed` and `reward` `None`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox_service.contract.problem import Problem

__all__ = ["NotFound", "RequestProblem", "SandboxError", "Unavailable", "UnexpectedAnswer"]


class SandboxError(Exception):
    """Whatever the SDK raises."""


class RequestProblem(SandboxError):  # noqa: N818
    """The service refused the request; `problem` says why, and which field is to blame."""

    def __init__(self, problem: Problem) -> None:
        where = f"{problem.field}: " if problem.field else ""
        super().__init__(f"{where}{problem.detail} ({problem.code}, HTTP {problem.status})")
        self.problem = problem


class NotFound(RequestProblem):
    """There is no such submission or batch, or it is another tenant's, or its result has expired."""


class Unavailable(SandboxError):  # noqa: N818
    """The service could not be reached, or was not ready, for longer than the client's `patience`."""


class UnexpectedAnswer(SandboxError):  # noqa: N818
    """The answer is not one of the HTTP contract."""
