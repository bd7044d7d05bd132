"""sandbox-service: programs written by language models in, verdicts and rewards out.

The SDK's public names live here; everything else is internal. They are imported at their first use, so that the
service's own processes pay for none of them and the SDK's import does not build the contract's models.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox_service.client import (
        AsyncClient,
        Client,
        NotFound,
        RequestProblem,
        SandboxError,
        Unavailable,
        UnexpectedAnswer,
    )
    from sandbox_service.contract.problem import Problem
    from sandbox_service.contract.result import Result
    from sandbox_service.contract.submission import Submission
    from sandbox_service.contract.verdict import State, Verdict

__all__ = [
    "AsyncClient",
    "Client",
    "NotFound",
    "Problem",
    "RequestProblem",
    "Result",
    "SandboxError",
    "State",
    "Submission",
    "Unavailable",
    "UnexpectedAnswer",
    "Verdict",
]

_CONTRACT = {
    "Problem": "problem",
    "Result": "result",
    "State": "verdict",
    "Submission": "submission",
    "Verdict": "verdict",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = f"sandbox_service.contract.{_CONTRACT[name]}" if name in _CONTRACT else "sandbox_service.client"
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return __all__
