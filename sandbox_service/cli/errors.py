"""Errors that are told in one line."""

from __future__ import annotations


class CliError(Exception):
    """Something that the user can mend; the message says how.

    Args:
        message: one line.
        usage: whether the command was called wrongly (exit code 2), rather than failed (1).
    """

    def __init__(self, message: str, *, usage: bool = False) -> None:
        super().__init__(message)
        self.usage = usage


def explain(error: Exception) -> str | None:
    """The line for an expected error; `None` for one that is a fault of this program."""
    if isinstance(error, CliError):
        return str(error)
    if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("sandbox_service"):
        return f"{error.name} is not installed: pip install 'sandbox-service[service]'"
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if type(error).__name__ == "ExecutorError":  # by name: most commands never import the executor
        return f"{error}; see `sandbox-service doctor`"
    return _explain_sdk(error)


def _explain_sdk(error: Exception) -> str | None:
    from sandbox_service.client.errors import RequestProblem, SandboxError, Unavailable

    if isinstance(error, Unavailable):
        return f"{error}; start a service with `sandbox-service up`, or name one with --url or SANDBOX_URL"
    if isinstance(error, RequestProblem) and error.problem.status in (401, 403):
        return f"{error}; the key is taken from SANDBOX_KEY"
    return str(error) if isinstance(error, SandboxError) else None
