"""Whose failure it is: whatever escapes a stage is ours, is named after it, and never becomes a reward."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from sandbox_service.contract.result import InfraError
from sandbox_service.executor import ExecutorError
from sandbox_service.judge import TaskError

log = logging.getLogger(__name__)


class InfraFailure(Exception):  # noqa: N818
    """We, or the trainer's task, failed while a submission was evaluated."""

    def __init__(self, error: InfraError) -> None:
        super().__init__(error.message)
        self.error = error


@contextmanager
def boundary(stage: str) -> Iterator[None]:
    """Attribute whatever escapes to the stage it crossed."""
    try:
        yield
    except InfraFailure:
        raise
    except ExecutorError as error:
        raise InfraFailure(InfraError(kind=error.kind, message=str(error), retryable=error.retryable)) from error
    except TaskError as error:
        raise InfraFailure(InfraError(kind="task_error", message=str(error), retryable=False)) from error
    except Exception as error:
        log.exception("failure in stage %s", stage)
        # The text of an unforeseen error may hold anything, expected outputs too; it stays in the log.
        message = f"{type(error).__name__} in stage {stage}; see the worker's log"
        raise InfraFailure(InfraError(kind=f"{stage}_failed", message=message, retryable=True)) from error
