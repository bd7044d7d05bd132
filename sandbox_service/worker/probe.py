"""Which languages this worker can really run: each is tried in a sandbox."""

from __future__ import annotations

import logging
import re
from typing import Any

from sandbox_service.contract.limits import Limits
from sandbox_service.executor import Executor, ExecutorError, RunRequest
from sandbox_service.languages import Language, Languages
from sandbox_service.policy import Policy

log = logging.getLogger(__name__)
TASKS = ["run", "stdio"]


async def probe(executor: Executor, languages: Languages, policy: Policy) -> dict[str, str]:
    """The versions of the languages whose probe works, by id.

    Raises:
        ExecutorError: no sandbox could be opened.
    """
    sandbox = await executor.open()
    try:
        found = {}
        for language in languages.values():
            limits, _ = policy.resolve(Limits())
            request = RunRequest([item.encode() for item in language.probe.command], limits)
            try:
                outcome = await sandbox.run(request)
            except ExecutorError as error:
                log.info("language %s is not here: %s", language.id, error)
                continue
            version = re.search(language.probe.version, (outcome.stdout + outcome.stderr).decode("utf-8", "replace"))
            if outcome.exit_code == 0 and version:
                found[language.id] = version[1]
        return found
    finally:
        await sandbox.close()


def describe(language: Language, version: str, policy: Policy) -> dict[str, Any]:
    """A language as `GET /v1/languages` gives it."""
    limits, _ = policy.resolve(Limits())
    return {
        "id": language.id,
        "name": language.name,
        "version": version,
        "extensions": language.extensions,
        "compile": language.compile,
        "run": language.run,
        "tasks": TASKS,
        "default_limits": limits.model_dump(),
        "compile_flags": language.compile_flags,
    }
