"""A worker process: starts the executor, finds its languages, then works until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from contextlib import AsyncExitStack

from sandbox_service import languages as language_registry
from sandbox_service import policy as policy_files
from sandbox_service.contract.parse import dumps
from sandbox_service.executor import NamespaceExecutor
from sandbox_service.languages import Languages
from sandbox_service.queue import Consumer, ResultCache, WorkerInfo, WorkerRegistry, connect
from sandbox_service.worker.backends import Backends
from sandbox_service.worker.compiler import Compiler
from sandbox_service.worker.loop import Loop
from sandbox_service.worker.pipeline import Pipeline
from sandbox_service.worker.probe import describe, probe_once
from sandbox_service.worker.rejudging import Rejudging
from sandbox_service.worker.settings import WorkerSettings
from sandbox_service.worker.shortcuts import Shortcuts, shared_folder
from sandbox_service.worker.tools import Tools
from sandbox_service.worker.twins import Twins, code_digest

log = logging.getLogger(__name__)


async def run_worker(settings: WorkerSettings) -> None:
    """Work until SIGTERM, SIGINT, a wish to drain, or `recycle_after`; then finish what runs and leave.

    Raises:
        ExecutorError: no sandbox can be made here; the message says what to do.
    """
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    policies = policy_files.load(settings.policies_dir)
    known = language_registry.load(settings.languages_dir)
    async with AsyncExitStack() as stack:
        folder = shared_folder()
        executor = NamespaceExecutor(shared=folder, root=settings.root)
        await executor.start()
        stack.push_async_callback(executor.stop)
        walls = code_digest() + dumps([executor.isolation.model_dump()])
        versions = await probe_once(executor, known, policies, folder and folder.parent / "languages.json", walls)
        log.info("languages: %s", ", ".join(f"{name} {version}" for name, version in versions.items()))
        tools = Tools(folder)
        log.info("tools: %s", ", ".join(tools.versions.values()) or "none; install sandbox-service[tools] for some")
        offered = {name: known[name] for name in versions}
        shortcuts, rejudging = Shortcuts(folder, settings.root), Rejudging()
        pipeline = Pipeline(executor, policies, offered, Compiler(shortcuts), rejudging, tools, versions)
        backends = Backends(pipeline, policies, known, settings.containers, rejudging)
        await backends.find()
        stack.push_async_callback(backends.stop)
        redis = connect(settings.redis_url)
        stack.push_async_callback(redis.aclose)
        consumer = await stack.enter_async_context(Consumer(redis, settings.queue, settings.id))
        info = WorkerInfo(
            id=settings.id,
            host=socket.gethostname(),
            state="ready",
            slots=settings.slots,
            busy=0,
            executors=backends.names,
            tools=sorted(tools.versions),
            languages=[describe(known[name], version, policies["default"]) for name, version in versions.items()],
        )
        toolchain = executor.isolation.image or ""
        reading = asyncio.create_task(shortcuts.make(executor, offered.values(), policies["default"], toolchain))
        stack.push_async_callback(_end, reading)
        here = place(executor, offered, versions | tools.versions, backends.images)
        twins = Twins(ResultCache(redis, settings.queue), policies, here)
        await Loop(settings, consumer, WorkerRegistry(redis, settings.queue), backends, twins, info).run(stopping)


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])


def place(executor: NamespaceExecutor, offered: Languages, versions: dict[str, str], images: dict[str, str]) -> bytes:
    """Whatever of a worker may have a part in a result: what it is made of, its walls, its languages, its images."""
    languages = {name: language.model_dump() for name, language in sorted(offered.items())}
    return code_digest() + dumps([executor.isolation.model_dump(), languages, versions, images])
