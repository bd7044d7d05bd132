"""Several hosts: network namespaces joined by a bridge in a further one. Nothing of it is seen outside of them."""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

CLONE_NEWNET = 0x40000000
TOOLS = ("ip", "nsenter")
OUTSIDE = 254


@dataclass(frozen=True)
class Host:
    """One network namespace."""

    namespace: str
    address: str

    @property
    def path(self) -> Path:
        return Path("/run/netns") / self.namespace

    def command(self, *command: str) -> list[str]:
        """A command as it runs here. Unlike `ip netns exec` it sees the machine's /sys, with the control groups."""
        return ["nsenter", f"--net={self.path}", *command]

    @contextmanager
    def thread(self) -> Iterator[ThreadPoolExecutor]:
        """A thread whose connections start here."""
        with ThreadPoolExecutor(1, initializer=self._enter) as executor:
            yield executor

    def _enter(self) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        with self.path.open() as file:
            if libc.setns(file.fileno(), CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), f"cannot enter {self.namespace}")


def lacking() -> str | None:
    """Why there can be no such hosts here; `None` if there can."""
    if os.geteuid() != 0:
        return "makes network namespaces: needs root"
    if missing := [tool for tool in TOOLS if not shutil.which(tool)]:
        return f"makes network namespaces: needs {', '.join(missing)}"
    if subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode:
        return "makes network namespaces, which this root may not"
    return None


@contextmanager
def hosts(count: int) -> Iterator[list[Host]]:
    """So many hosts, and as the last one the bridge between them, which has an address too."""
    name = f"sandbox-{secrets.token_hex(3)}"
    subnet = f"10.{secrets.randbelow(200) + 20}.{secrets.randbelow(250)}"
    with ExitStack() as stack:
        bridge = _host(stack, f"{name}-bridge", f"{subnet}.{OUTSIDE}")
        _ip(bridge, "link add eth0 type bridge")
        _up(bridge)
        made = []
        for number in range(1, count + 1):
            host = _host(stack, f"{name}-{number}", f"{subnet}.{number}")
            _ip(host, f"link add eth0 type veth peer name port{number} netns {bridge.namespace}")
            _ip(bridge, f"link set port{number} master eth0 up")
            _up(host)
            made.append(host)
        yield [*made, bridge]


def _host(stack: ExitStack, namespace: str, address: str) -> Host:
    _run("ip", "netns", "add", namespace)
    stack.callback(_run, "ip", "netns", "delete", namespace)
    return Host(namespace, address)


def _up(host: Host) -> None:
    _ip(host, "link set lo up")
    _ip(host, f"address add {host.address}/24 dev eth0")
    _ip(host, "link set eth0 up")


def _ip(host: Host, command: str) -> None:
    _run("ip", "-n", host.namespace, *command.split())


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
