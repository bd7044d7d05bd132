"""Containers of runtimes of the OCI specification, without any daemon: runc, runsc, crun."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

from sandbox_service.executor import image, wire
from sandbox_service.executor.container.plan import ContainerPlan
from sandbox_service.executor.container.runtime import is_alive, is_gvisor, owner
from sandbox_service.executor.protocol import ExecutorError
from sandbox_service.executor.userns import FIRST_HOST_ID, RANGE

STATE = Path("/run/sandbox-service/oci")
END_SECONDS = 10.0
NAMESPACES = ("pid", "network", "ipc", "uts", "mount", "cgroup")
GVISOR_FLAGS = ("--network=none", "--platform=ptrace")
"""What works on any machine; gVisor's other platforms want the kernel's virtual machines or a newer release."""


def oci_config(plan: ContainerPlan, root: Path, *, user_namespace: bool) -> dict[str, Any]:
    """A plan as the `config.json` of a bundle."""
    capabilities = [f"CAP_{name}" for name in plan.capabilities]
    namespaces = [{"type": kind} for kind in (*NAMESPACES, *(["user"] if user_namespace else []))]
    ids = [{"containerID": 0, "hostID": FIRST_HOST_ID, "size": RANGE}]
    return {
        "ociVersion": "1.0.2",
        "hostname": plan.hostname,
        "root": {"path": str(root), "readonly": True},
        "process": {
            "terminal": False,
            "user": {"uid": 0, "gid": 0},
            "args": list(plan.command),
            "env": [f"{name}={value}" for name, value in plan.environment.items()],
            "cwd": "/",
            "noNewPrivileges": True,
            "capabilities": dict.fromkeys(("bounding", "effective", "permitted"), capabilities),
            "rlimits": [{"type": "RLIMIT_CORE", "soft": plan.core_bytes, "hard": plan.core_bytes}],
        },
        "mounts": [*_mounts(), *(_bind(str(bind.source), bind.target) for bind in plan.binds)],
        "annotations": dict(plan.labels),
        "linux": {
            "namespaces": namespaces,
            **({"uidMappings": ids, "gidMappings": ids} if user_namespace else {}),
            "cgroupsPath": f"/sandbox-service-oci/{plan.name}",
            "resources": {
                "devices": [{"allow": False, "access": "rwm"}],
                "memory": {"limit": plan.memory_bytes, "swap": plan.memory_bytes},
                "pids": {"limit": plan.processes},
            },
            "seccomp": dict(plan.seccomp),
            "maskedPaths": [path for path in plan.masked if path not in ("/dev/mqueue", "/sys")],
            "readonlyPaths": list(plan.read_only),
        },
    }


def _mounts() -> list[dict[str, Any]]:
    """Those of a container: not /sys, nor queues of messages, which no program needs."""
    terminals = ["nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620"]
    return [
        {"destination": "/proc", "type": "proc", "source": "proc", "options": ["nosuid", "noexec", "nodev"]},
        {
            "destination": "/dev",
            "type": "tmpfs",
            "source": "tmpfs",
            "options": ["nosuid", "strictatime", "mode=755", "size=64k"],
        },
        {"destination": "/dev/pts", "type": "devpts", "source": "devpts", "options": terminals},
    ]


def _bind(source: str, target: str) -> dict[str, Any]:
    return {"destination": target, "type": "bind", "source": source, "options": ["bind", "nosuid", "nodev", "rw"]}


class OciContainer:
    """A container that a runtime runs as a child of ours; see `Container`."""

    def __init__(
        self, runtime: OciRuntime, name: str, process: asyncio.subprocess.Process, channel: wire.Channel
    ) -> None:
        self._runtime, self._name, self._process, self.channel = runtime, name, process, channel
        self._ended = False

    async def pid(self) -> int:
        """See `Container.pid`; the runtime may write it down a moment after the first process says something."""
        while not (text := self._runtime.read(self._name, "pid")):  # noqa: ASYNC110 - it is a file
            await asyncio.sleep(0.001)
        return int(text)

    async def last_words(self) -> str:
        """See `Container.last_words`."""
        return self._runtime.read(self._name, "words")

    async def end(self) -> None:
        """See `Container.end`."""
        if not self._ended:
            self._ended = True
            self.channel.close()
            await self._runtime.delete(self._name)
            with suppress(TimeoutError):
                async with asyncio.timeout(END_SECONDS):
                    await self._process.wait()
            self._runtime.forget(self._name)


class OciRuntime:
    """A runtime of the OCI specification; see `Runtime`.

    Args:
        root: folder with the root file system of all containers; an image's, unpacked.
        runtime: name of the program.
    """

    executor = "oci"

    def __init__(self, root: Path, runtime: str = "runc") -> None:
        self.name, self.image, self.user_namespace = runtime, "", not is_gvisor(runtime)
        self._root = root

    async def start(self) -> None:
        """See `Runtime.start`."""
        program = shutil.which(self.name, path="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
        if not program:
            message = f"there is no {self.name}: apt-get install {self.name}"
            raise ExecutorError("sandbox_start", message, retryable=False)
        if not (self._root / "usr/bin/python3").exists():
            message = (
                f"{self._root} is no root file system with /usr/bin/python3: make images, then runner_images/export.sh"
            )
            raise ExecutorError("sandbox_start", message, retryable=False)
        (self._root / "work").mkdir(exist_ok=True)  # nothing can be mounted where there is no folder
        self._program, self.image = program, image.digest(self._root)
        self._state = STATE / owner() / self.name
        await self._sweep()
        (self._state / "bundles").mkdir(parents=True, exist_ok=True)

    async def _sweep(self) -> None:
        """Remove the containers of workers that are dead."""
        for folder in STATE.glob("*"):  # noqa: ASYNC240 - before anything runs
            if not is_alive(folder.name):
                for bundle in folder.glob("*/bundles/*"):
                    await self._delete(bundle.parent.parent, bundle.parent.parent.name, bundle.name)
                shutil.rmtree(folder, ignore_errors=True)

    @property
    def labels(self) -> dict[str, str]:
        """By which containers of this process are known."""
        return {"sandbox-service.owner": owner()}

    async def stop(self) -> None:
        """See `Runtime.stop`."""
        shutil.rmtree(self._state, ignore_errors=True)
        with suppress(OSError):
            self._state.parent.rmdir()

    async def run(self, plan: ContainerPlan) -> OciContainer:
        """See `Runtime.run`."""
        bundle = self._state / "bundles" / plan.name
        bundle.mkdir()
        config = oci_config(plan, self._root, user_namespace=self.user_namespace)
        (bundle / "config.json").write_text(json.dumps(config))
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        command = [*self._command(self._state), "run", "--bundle", str(bundle), "--pid-file", str(bundle / "pid")]
        with theirs, (bundle / "words").open("wb") as words:
            process = await asyncio.create_subprocess_exec(
                *command, plan.name, stdin=theirs.fileno(), stdout=theirs.fileno(), stderr=words, start_new_session=True
            )
        return OciContainer(self, plan.name, process, wire.Channel(ours))

    def _command(self, state: Path, name: str | None = None) -> list[str]:
        flags = GVISOR_FLAGS if is_gvisor(name or self.name) else ()
        program = self._program if name is None else name
        return [program, "--root", str(state / "state"), *flags]

    def read(self, name: str, file: str) -> str:
        """What is written in a file of a container's bundle: `pid`, or the `words` of it and its runtime."""
        with suppress(OSError):
            return (self._state / "bundles" / name / file).read_text(errors="replace").strip()[-500:]
        return ""

    async def delete(self, name: str) -> None:
        """End a container."""
        await self._delete(self._state, None, name)

    async def _delete(self, state: Path, runtime: str | None, name: str) -> None:
        with suppress(OSError):
            process = await asyncio.create_subprocess_exec(
                *self._command(state, runtime), "delete", "--force", name,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            await process.wait()

    def forget(self, name: str) -> None:
        """Remove what was kept of a container."""
        shutil.rmtree(self._state / "bundles" / name, ignore_errors=True)
