"""Runs commands in sandboxes. Knows no tests and no scores."""

from sandbox_service.executor.namespace import NamespaceExecutor, find_bwrap
from sandbox_service.executor.protocol import (
    ARTIFACT_COUNT,
    ARTIFACTS_BYTES,
    Executor,
    ExecutorError,
    File,
    RunRequest,
    Sandbox,
)

__all__ = [
    "ARTIFACTS_BYTES",
    "ARTIFACT_COUNT",
    "Executor",
    "ExecutorError",
    "File",
    "NamespaceExecutor",
    "RunRequest",
    "Sandbox",
    "find_bwrap",
]
