"""Settings of a worker."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sandbox_service.contract.data import data_dir
from sandbox_service.queue import QueueSettings


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def _unique_id() -> str:
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"


@dataclass(frozen=True)
class ContainerSettings:
    """What containers are made of.

    Attributes:
        image: name of the image of Docker's containers.
        root: folder with the unpacked image of the others.
        docker_host: address of the Docker daemon, `None` for the usual one.
        installation: workers of one remove what dead workers of the same left.
        ahead: containers that are started before anyone asks for them.
    """

    image: str = "sandbox-service/polyglot"
    root: Path = Path("/var/lib/sandbox-service/polyglot")
    docker_host: str | None = None
    installation: str = "default"
    ahead: int = 2

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> ContainerSettings:
        """Those that `SANDBOX_IMAGE`, `SANDBOX_ROOT`, `SANDBOX_INSTALLATION` and `DOCKER_HOST` give."""
        usual = cls()
        return cls(
            image=environment.get("SANDBOX_IMAGE", usual.image),
            root=Path(environment.get("SANDBOX_ROOT", usual.root)),
            docker_host=environment.get("DOCKER_HOST"),
            installation=environment.get("SANDBOX_INSTALLATION", usual.installation),
        )


@dataclass(frozen=True)
class WorkerSettings:
    """What a worker needs to know.

    Attributes:
        redis_url: `redis://`, `rediss://` or `unix://`.
        queue: must be the same for all processes that share the Redis.
        slots: how many submissions run at once. More than the cores would make programs fight for CPU time.
        id: unique among all workers; a restarted worker needs a new one.
        policies_dir: folder of the policies.
        languages_dir: folder of the languages.
        root: whose programs the sandboxes have: the host's own, or those of an image that was unpacked.
        drain_seconds: how long a worker that was told to stop waits for what it runs.
        containers: what containers are made of, where policies ask for some.
        recycle_after: after about so many evaluations a worker ends in order; its supervisor starts a fresh one.
    """

    redis_url: str
    queue: QueueSettings = field(default_factory=QueueSettings)
    slots: int = field(default_factory=_cores)
    id: str = field(default_factory=_unique_id)
    policies_dir: Path = field(default_factory=lambda: data_dir("policies"))
    languages_dir: Path = field(default_factory=lambda: data_dir("runner_images"))
    root: Path = Path("/")
    drain_seconds: float = 60.0
    containers: ContainerSettings = field(default_factory=ContainerSettings)
    recycle_after: int = 20_000
