"""Containers of a Docker daemon on this host, started over its API."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from contextlib import suppress
from typing import Any

from sandbox_service.executor import wire
from sandbox_service.executor.container.plan import ContainerPlan
from sandbox_service.executor.container.runtime import is_alive, owner
from sandbox_service.executor.protocol import ExecutorError

LABEL = "sandbox-service"
DEFAULT_HOST = "unix:///var/run/docker.sock"
OUT, ERR = 1, 2
WORDS = 2000
STOP_SECONDS = 20


def docker_body(plan: ContainerPlan, image: str, runtime: str) -> dict[str, Any]:
    """A plan as the body of the request that creates a container."""
    return {
        "Image": image,
        "Entrypoint": [],
        "Cmd": list(plan.command),
        "Env": [f"{name}={value}" for name, value in plan.environment.items()],
        "Hostname": plan.hostname,
        "User": "0:0",
        "WorkingDir": "/",
        "Labels": dict(plan.labels),
        "OpenStdin": True,
        "StdinOnce": True,
        "AttachStdin": True,
        "AttachStdout": True,
        "AttachStderr": True,
        "Tty": False,
        "NetworkDisabled": True,
        "HostConfig": {
            "Runtime": runtime,
            "NetworkMode": "none",
            "IpcMode": "private",
            "CgroupnsMode": "private",
            "ReadonlyRootfs": True,
            "Privileged": False,
            "Init": False,
            "CapDrop": ["ALL"],
            "CapAdd": list(plan.capabilities),
            "SecurityOpt": ["no-new-privileges:true", "seccomp=" + json.dumps(plan.seccomp)],
            "MaskedPaths": list(plan.masked),
            "ReadonlyPaths": list(plan.read_only),
            "Mounts": [{"Type": "bind", "Source": str(bind.source), "Target": bind.target} for bind in plan.binds],
            "Memory": plan.memory_bytes,
            "MemorySwap": plan.memory_bytes,
            "PidsLimit": plan.processes,
            "Ulimits": [{"Name": "core", "Soft": plan.core_bytes, "Hard": plan.core_bytes}],
            "LogConfig": {"Type": "none", "Config": {}},
            "RestartPolicy": {"Name": "no", "MaximumRetryCount": 0},
        },
    }


class AttachedChannel(wire.Channel):
    """The stream to a container; before each piece the daemon says whether it is output or error."""

    def __init__(self, sock: socket.socket) -> None:
        super().__init__(sock)
        self._raw = bytearray()
        self.words = bytearray()

    async def _receive(self, most: int) -> bytes:
        while True:
            while len(self._raw) >= 8:
                kind, size = struct.unpack_from(">BxxxI", self._raw)
                if len(self._raw) < 8 + size:
                    break
                piece = bytes(self._raw[8 : 8 + size])
                del self._raw[: 8 + size]
                if kind == OUT:
                    return piece
                self.words = (self.words + piece)[-WORDS:]
            more = await super()._receive(most)
            if not more:
                return b""
            self._raw += more


class DockerContainer:
    """A container of a daemon; see `Container`."""

    def __init__(self, api: Any, name: str, response: Any, channel: AttachedChannel, pid: int) -> None:
        self._api, self._name, self._response, self.channel, self._pid = api, name, response, channel, pid
        self._ended = False

    async def pid(self) -> int:
        """See `Container.pid`."""
        return self._pid

    async def last_words(self) -> str:
        """See `Container.last_words`."""
        with suppress(wire.Broken, TimeoutError):
            async with asyncio.timeout(1):
                await self.channel.exactly(1 << 30)
        return bytes(self.channel.words).decode("utf-8", "replace").strip()[-500:]

    async def end(self) -> None:
        """See `Container.end`."""
        if not self._ended:
            self._ended = True
            self.channel.close()
            await asyncio.to_thread(_remove, self._api, self._name)


class DockerRuntime:
    """A Docker daemon; see `Runtime`.

    Args:
        image: name of the image of all containers.
        runtime: as the daemon names it.
        host: address of the daemon, `None` for that of the environment.
        installation: workers of one remove what dead workers of the same left.
    """

    executor = "docker"
    user_namespace = False

    def __init__(
        self, image: str, runtime: str = "runc", host: str | None = None, installation: str = "default"
    ) -> None:
        self.name, self.image = runtime, ""
        self._image, self._host, self._installation = image, host, installation

    async def start(self) -> None:
        """See `Runtime.start`."""
        await asyncio.to_thread(self._start)

    def _start(self) -> None:
        import docker  # takes long to import

        try:
            _connect(self._host)
            self._api = docker.APIClient(base_url=self._host, version="auto", timeout=60)
            runtimes = self._api.info().get("Runtimes", {})
        except (docker.errors.DockerException, OSError) as error:
            raise ExecutorError("sandbox_start", f"no Docker daemon answers: {error}", retryable=False) from None
        try:
            self._find(runtimes)
            self._sweep()
        except BaseException:
            self._api.close()
            raise

    def _find(self, runtimes: dict[str, Any]) -> None:
        import docker

        if self.name not in runtimes:
            message = f"the Docker daemon has no runtime {self.name}: add it to daemon.json"
            raise ExecutorError("sandbox_start", message, retryable=False)
        try:
            self.image = "image-" + self._api.inspect_image(self._image)["Id"].removeprefix("sha256:")[:16]
        except docker.errors.ImageNotFound:
            message = f"the Docker daemon has no image {self._image}: make images"
            raise ExecutorError("sandbox_start", message, retryable=False) from None

    def _sweep(self) -> None:
        """Remove the containers of workers of this installation that are dead."""
        filters = {"label": f"{LABEL}.installation={self._installation}"}
        for found in self._api.containers(all=True, filters=filters):
            if not is_alive(found["Labels"].get(f"{LABEL}.owner", "")):
                _remove(self._api, found["Id"])

    @property
    def labels(self) -> dict[str, str]:
        """By which containers of this process are known."""
        return {f"{LABEL}.installation": self._installation, f"{LABEL}.owner": owner()}

    async def stop(self) -> None:
        """See `Runtime.stop`."""
        await asyncio.to_thread(self._api.close)

    async def run(self, plan: ContainerPlan) -> DockerContainer:
        """See `Runtime.run`."""
        return await asyncio.to_thread(self._run, plan)

    def _run(self, plan: ContainerPlan) -> DockerContainer:
        import docker

        try:
            self._api.create_container_from_config(docker_body(plan, self._image, self.name), plan.name)
            attached = self._api.attach_socket(plan.name, {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1})
            self._api.start(plan.name)
            pid = self._api.inspect_container(plan.name)["State"]["Pid"]
        except (docker.errors.DockerException, OSError) as error:
            _remove(self._api, plan.name)
            raise ExecutorError("sandbox_start", f"the container does not start: {error}") from None
        sock = attached._sock
        sock.setblocking(False)
        return DockerContainer(self._api, plan.name, attached, AttachedChannel(sock), pid)


def _connect(host: str | None) -> None:
    """See that a daemon on this host listens: the SDK leaves a socket open that it cannot connect."""
    kind, _, path = (host or DEFAULT_HOST).partition("://")
    if kind == "unix":
        with socket.socket(socket.AF_UNIX) as sock:
            sock.connect(path)


def _remove(api: Any, name: str) -> None:
    import docker

    with suppress(docker.errors.DockerException):
        api.remove_container(name, force=True, v=True)
