"""Runs commands in sandboxes. Knows no tests and no scores."""

from sandbox_service.executor.economy import Economy
from sandbox_service.executor.namespace import NamespaceExecutor, find_bwrap
from sandbox_service.executor.plan import SHARED
from sandbox_service.executor.protocol import Executor, ExecutorError, Sandbox

__all__ = ["SHARED", "Economy", "Executor", "ExecutorError", "NamespaceExecutor", "Sandbox", "find_bwrap"]
