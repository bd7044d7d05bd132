"""The walls that a worker has to offer: its own namespaces, and containers where this host has who makes them."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

from sandbox_service.contract.result import InfraError, Result
from sandbox_service.contract.submission import Submission
from sandbox_service.contract.verdict import State
from sandbox_service.executor import ExecutorError
from sandbox_service.executor.container import ContainerExecutor, DockerRuntime, OciRuntime
from sandbox_service.executor.container.runtime import Runtime
from sandbox_service.languages import Languages
from sandbox_service.policy import Policies, Policy
from sandbox_service.worker.boundary import InfraFailure, boundary
from sandbox_service.worker.pipeline import Pipeline
from sandbox_service.worker.probe import probe
from sandbox_service.worker.rejudging import Rejudging
from sandbox_service.worker.settings import ContainerSettings

log = logging.getLogger(__name__)
NAMESPACE, RUNC = "namespace", "runc"
DOCKER_SOCKET = Path("/var/run/docker.sock")


class Backend:
    """Containers of one kind, started when the first submission wants them; a language is tried when it is wanted."""

    def __init__(
        self, executor: ContainerExecutor, policies: Policies, languages: Languages, rejudging: Rejudging
    ) -> None:
        self._executor, self._policies, self._known = executor, policies, languages
        self._found: Languages = {}
        self._tried: set[str] = set()
        self._pipeline = Pipeline(executor, policies, self._found, rejudging=rejudging)
        self._started, self._lock = False, asyncio.Lock()

    async def ready(self, languages: set[str]) -> Pipeline:
        """A pipeline that has languages, as far as the containers have them.

        Raises:
            ExecutorError: no container can be started.
        """
        async with self._lock:
            if not self._started:
                await self._executor.start()
                self._started = True
            for name in languages & set(self._known) - self._tried:
                if await probe(self._executor, {name: self._known[name]}, self._policies):
                    self._found[name] = self._known[name]
                self._tried.add(name)
        return self._pipeline

    async def stop(self) -> None:
        """End all containers."""
        if self._started:
            await self._executor.stop()


class Backends:
    """Evaluates each submission behind the walls that its policy names.

    Args:
        usual: of the worker's own namespaces.
        policies: by name.
        languages: all that are known.
        settings: of containers.
        rejudging: also of `usual`: who runs alone runs alone on the machine.
    """

    def __init__(
        self,
        usual: Pipeline,
        policies: Policies,
        languages: Languages,
        settings: ContainerSettings,
        rejudging: Rejudging,
    ) -> None:
        self._usual, self._policies, self._languages = usual, policies, languages
        self._settings, self._rejudging = settings, rejudging
        self._containers: dict[str, Backend] = {}
        self.images: dict[str, str] = {}

    @property
    def names(self) -> list[str]:
        """What this worker can do, as `GET /v1/workers` tells it."""
        return [NAMESPACE, *sorted(self._containers)]

    async def find(self) -> None:
        """Find out which containers that policies name this host can start; what dead workers left is removed."""
        for executor, runtime in sorted({_wanted(policy) for policy in self._policies.values()}):
            found = runtime_of(self._settings, executor, runtime)
            if found is None:
                continue
            try:
                await found.start()
                await found.stop()
            except ExecutorError as error:
                log.info("no containers of %s with %s here: %s", executor, runtime, error)
                continue
            name = name_of(executor, runtime)
            self.images[name] = found.image
            made = ContainerExecutor(found, self._settings.ahead)
            self._containers[name] = Backend(made, self._policies, self._languages, self._rejudging)

    async def stop(self) -> None:
        """End all containers."""
        for backend in self._containers.values():
            await backend.stop()

    async def evaluate(
        self, id: str, submission: Submission, *, tenant: str = "", attempts: int, queued_seconds: float
    ) -> Result:
        """The result of a submission; see `Pipeline.evaluate`."""
        try:
            with boundary("prepare"):
                pipeline = await self._pipeline(submission)
        except InfraFailure as failure:
            return Result(
                id=id,
                state=State.FAILED,
                attempts=attempts,
                domain=submission.domain,
                metadata=submission.metadata,
                infra_error=failure.error,
            )
        return await pipeline.evaluate(id, submission, tenant=tenant, attempts=attempts, queued_seconds=queued_seconds)

    async def _pipeline(self, submission: Submission) -> Pipeline:
        policy = self._policies.get(submission.policy)
        if policy is None or policy.executor == NAMESPACE:
            return self._usual
        name = name_of(*_wanted(policy))
        if name not in self._containers:
            message = f"this worker has no executor {name}, which policy {policy.name} asks for"
            raise InfraFailure(InfraError(kind="not_on_this_worker", message=message, retryable=True))
        return await self._containers[name].ready({submission.language, *_checkers(submission)})


def name_of(executor: str, runtime: str) -> str:
    """How an executor and its runtime are named together: `docker`, or `docker/runsc`."""
    return executor if runtime == RUNC else f"{executor}/{runtime}"


def _wanted(policy: Policy) -> tuple[str, str]:
    return policy.executor, policy.runtime or RUNC


def _checkers(submission: Submission) -> set[str]:
    """The language of a submission's checker, if it has one."""
    compare = getattr(submission.task, "compare", None)
    language = getattr(compare, "language", None)
    return {language} if language else set()


def runtime_of(settings: ContainerSettings, executor: str, name: str) -> Runtime | None:
    """Who makes containers for an executor, by the name of the runtime; `None` for an unknown executor."""
    if executor == "oci":
        return OciRuntime(settings.root, name)
    if executor == "docker" and (settings.docker_host or DOCKER_SOCKET.exists()):
        return DockerRuntime(settings.image, name, settings.docker_host, settings.installation)
    return None
