"""Which languages this worker can really run: a small program of each is tried in a sandbox."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from sandbox_service.contract.limits import Limits
from sandbox_service.contract.run import RunRequest
from sandbox_service.contract.submission import Submission
from sandbox_service.contract.task import Case, StdioTask
from sandbox_service.contract.verdict import Verdict
from sandbox_service.executor import Executor, ExecutorError
from sandbox_service.languages import Language, Languages
from sandbox_service.policy import Policies, Policy
from sandbox_service.worker.pipeline import Pipeline

log = logging.getLogger(__name__)
HELLO = StdioTask(type="stdio", cases=[Case(expected=b"hello")])


async def probe(executor: Executor, languages: Languages, policies: Policies) -> dict[str, str]:
    """The versions of the languages that work, by id.

    Raises:
        ExecutorError: no sandbox could be opened.
    """
    pipeline = Pipeline(executor, policies, languages)
    found = {}
    for language in languages.values():
        version = await _version(executor, language, policies["default"])
        if version is not None and await _says_hello(pipeline, language):
            found[language.id] = version
    return found


async def probe_once(
    executor: Executor, languages: Languages, policies: Policies, file: Path | None, walls: bytes
) -> dict[str, str]:
    """As `probe`, without those that a worker of this host has found to work: each costs up to a second of CPU time.

    Args:
        file: where workers write what they found, where no one else can; `None`: nowhere.
        walls: a digest of all that has a part in it: this code, the sandboxes, what is installed.

    Raises:
        ExecutorError: no sandbox could be opened.
    """
    place = hashlib.sha256(walls + repr([_installed(language) for language in languages.values()]).encode()).hexdigest()
    known = _read(file, place)
    found = known | await probe(executor, {name: languages[name] for name in languages.keys() - known}, policies)
    if file and found != known:
        _write(file, {"place": place, "versions": found})
    return {name: found[name] for name in languages if name in found}


def _installed(language: Language) -> tuple[Language, list[tuple[int, int] | None]]:
    """A language, and what shows that one of its programs was exchanged or removed."""
    words = [*language.probe.command[:1], *(language.compile or []), *language.run[:1]]
    return language, [_state(Path(word)) for word in words if word.startswith("/")]


def _state(path: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        found = path.stat()
        return found.st_mtime_ns, found.st_size
    return None


def _read(file: Path | None, place: str) -> dict[str, str]:
    with suppress(OSError, ValueError):
        found = json.loads(file.read_text()) if file else {}
        return dict(found["versions"]) if found.get("place") == place else {}
    return {}


def _write(file: Path, found: dict[str, Any]) -> None:
    """All of it or nothing, whoever looks."""
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        unfinished.write_text(json.dumps(found))
        unfinished.replace(file)
    except OSError as error:
        log.info("what languages there are is found out again by the next worker: %s", error)
    finally:
        unfinished.unlink(missing_ok=True)


async def _version(executor: Executor, language: Language, policy: Policy) -> str | None:
    limits, _ = policy.resolve(Limits())
    sandbox = await executor.open()
    try:
        outcome = await sandbox.run(RunRequest([item.encode() for item in language.probe.command], limits))
    except ExecutorError as error:
        log.info("language %s is not here: %s", language.id, error)
        return None
    finally:
        await sandbox.close()
    version = re.search(language.probe.version, (outcome.stdout + outcome.stderr).decode("utf-8", "replace"))
    return version[1] if version and outcome.exit_code == 0 else None


async def _says_hello(pipeline: Pipeline, language: Language) -> bool:
    submission = Submission(language=language.id, code=language.probe.hello.encode(), task=HELLO)
    result = await pipeline.evaluate("probe", submission, attempts=1, queued_seconds=0.0)
    if result.verdict is not Verdict.ACCEPTED:
        log.warning(
            "language %s does not work: %s", language.id, result.compile or result.infra_error or result.verdict
        )
    return result.verdict is Verdict.ACCEPTED


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
        "tasks": language.tasks,
        "default_limits": limits.model_dump(),
        "compile_flags": language.compile_flags,
    }
