"""The gateway's settings. They are passed in; nothing is read from the environment here."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path

from sandbox_service.contract.data import data_dir
from sandbox_service.queue import QueueSettings

MIB = 1024 * 1024
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class GatewaySettings:
    """How a gateway listens and what it accepts.

    Attributes:
        host: the address to listen on; without keys only a loopback one.
        port: TCP port.
        redis_url: `redis://`, `rediss://` or `unix://`.
        keys_file: YAML list of `{tenant, key_sha256, scopes}`, with the tenant's `weight` and `domain_weights` where
            it gets another share than others; `None`: everyone is tenant `default`.
        allowed_hosts: names, besides the loopback ones, that may stand in a Host header; `*` allows any.
        queue: settings shared with the workers.
        body_bytes: the largest request body.
        body_idle_seconds: how long a body may pause before the request is refused.
        blank_line_seconds: how often an idle stream of batch results says that it is alive.
        drain_seconds: how long requests may take to end after SIGTERM.
        policies: folder of policies.
        languages: folder of the language registry.
    """

    redis_url: str
    host: str = "127.0.0.1"
    port: int = 8000
    keys_file: Path | None = None
    allowed_hosts: tuple[str, ...] = ()
    queue: QueueSettings = field(default_factory=QueueSettings)
    body_bytes: int = 160 * MIB
    body_idle_seconds: float = 30.0
    blank_line_seconds: float = 10.0
    drain_seconds: int = 30
    policies: Path = field(default_factory=lambda: data_dir("policies"))
    languages: Path = field(default_factory=lambda: data_dir("runner_images"))


def host_names(settings: GatewaySettings) -> frozenset[str] | None:
    """The names that a Host header may have; `None` allows any."""
    if "*" in settings.allowed_hosts:
        return None
    own = f"[{settings.host}]" if ":" in settings.host else settings.host
    return frozenset(name.lower() for name in (*LOOPBACK_NAMES, own, *settings.allowed_hosts))


def check_bind(settings: GatewaySettings) -> None:
    """Refuse to offer code execution to a network without keys.

    Raises:
        ValueError: saying how to mend it.
    """
    if settings.keys_file is None and not _is_loopback(settings.host):
        raise ValueError(
            f"without keys the gateway listens on loopback only, not on {settings.host}: "
            "give a keys file (a YAML list of {tenant, key_sha256, scopes}), or listen on 127.0.0.1"
        )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
