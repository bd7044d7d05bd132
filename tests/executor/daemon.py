"""A Docker daemon of the tests' own, with nothing that a machine's own daemon has."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import docker

SECONDS = 60.0
IMAGE = "sandbox-service-test"
RUNTIMES = {"runsc": {"path": "/usr/bin/runsc", "runtimeArgs": ["--network=none", "--platform=ptrace"]}}


@contextmanager
def docker_daemon(root: Path, within: str = "/var/tmp") -> Iterator[str]:
    """Start a daemon that has the folder as its only image, its data within another folder; gives its address."""
    folder = Path(tempfile.mkdtemp(prefix="dockerd-", dir=within))  # overlays want a real file system
    address = f"unix://{folder}/sock"
    (folder / "daemon.json").write_text(json.dumps({"runtimes": RUNTIMES}))
    places = [f"--{name}={folder}/{name}" for name in ("data-root", "exec-root", "pidfile")]
    quiet = ["--bridge=none", "--iptables=false", "--ip-forward=false", "--ip-masq=false"]
    with (folder / "log").open("wb") as log:
        command = ["dockerd", f"--config-file={folder}/daemon.json", f"--host={address}", *places, *quiet]
        daemon = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        _wait(address, daemon, folder / "log")
        _import(address, root)
        yield address
    finally:
        daemon.terminate()
        with suppress(subprocess.TimeoutExpired):
            daemon.wait(SECONDS)
        daemon.kill()
        _remove(folder)


def client(address: str) -> Any:
    return docker.APIClient(base_url=address, version="auto", timeout=60)


def _import(address: str, root: Path) -> None:
    pack = subprocess.Popen(["tar", "-C", root, "-c", "."], stdout=subprocess.PIPE)
    command = ["docker", "--host", address, "import", "-", IMAGE]
    subprocess.run(command, stdin=pack.stdout, check=True, stdout=subprocess.DEVNULL)
    assert pack.stdout is not None
    pack.stdout.close()
    assert pack.wait() == 0


def _wait(address: str, daemon: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + SECONDS
    while not _answers(address):
        assert daemon.poll() is None, log.read_text()[-2000:]
        assert time.monotonic() < end
        time.sleep(0.05)


def _answers(address: str) -> bool:
    with socket.socket(socket.AF_UNIX) as sock, suppress(OSError):
        sock.settimeout(SECONDS)
        sock.connect(address.removeprefix("unix://"))
        sock.sendall(b"GET /_ping HTTP/1.0\r\n\r\n")
        return b"200 OK" in sock.recv(4096)
    return False


def _remove(folder: Path) -> None:
    mounted = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    for path in reversed([path for path in mounted if path.startswith(f"{folder}/")]):
        subprocess.run(["umount", "--lazy", path], check=False)
    shutil.rmtree(folder, ignore_errors=True)
