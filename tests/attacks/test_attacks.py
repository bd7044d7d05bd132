"""Attacks of our own: each fails, and succeeds with the layer off that is there against it."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import File, RunRequest
from sandbox_service.executor import NamespaceExecutor
from tests.attacks import calls, walls
from tests.attacks.attack import REACHED, Attack, Off, weakened
from tests.executor.conftest import executor as executor
from tests.executor.filters import OPEN
from tests.executor.place import LIMITS, PYTHON

ATTACKS = [*calls.ATTACKS, *walls.ATTACKS]
NOTHING = Off()
RESTS_ON = {
    "memory": "memory",
    "processes": "processes",
    "time": "cpu",
    "identity": "uid_per_run",
    "keys": "uid_per_run",
}
"""By kind of attack: what the host must enforce."""


@pytest.fixture(params=ATTACKS, ids=lambda attack: attack.name)
def attack(request: pytest.FixtureRequest, executor: NamespaceExecutor) -> Attack:
    attack: Attack = request.param
    if (part := RESTS_ON.get(attack.kind)) in executor.isolation.degraded:
        pytest.skip(f"not enforced here: {part}")
    return attack


@pytest.fixture(scope="module")
def secret() -> Iterator[Path]:
    path = Path("/var/tmp") / f"sandbox-secret-{secrets.token_hex(8)}"  # where all may read
    path.write_text("secret")
    path.chmod(0o644)
    yield path
    path.unlink()


@pytest.fixture(scope="module")
def words(secret: Path) -> Iterator[dict[str, str]]:
    """What the host has that a program might want."""
    name = f"sandbox-{secrets.token_hex(8)}"
    with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as unix:
        unix.bind(f"\0{name}")
        unix.listen()
        yield {"{SECRET}": str(secret), "{PORT}": str(port.getsockname()[1]), "{NAME}": name}


def filled(text: str, words: dict[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(word, value)
    return text


async def tried(executor: NamespaceExecutor, attack: Attack, off: Off, words: dict[str, str]) -> list[Outcome]:
    """What the attack, and what went before it, come to."""
    limits = LIMITS.model_copy(update=attack.limits | off.limits)
    sandbox = await executor.open()
    outcomes = []
    try:
        for code in filter(None, [attack.before, attack.code]):
            files = {"main.py": File(filled(code, words).encode())}
            request = RunRequest([PYTHON, b"main.py"], limits, files, collect=attack.collect)
            outcomes.append(await sandbox.run(replace(request, seccomp=OPEN) if off.seccomp else request))
    finally:
        await sandbox.close()
    return outcomes


def succeeded(outcome: Outcome) -> bool:
    return REACHED in outcome.stdout or bool(outcome.files)


async def test_it_fails(executor: NamespaceExecutor, attack: Attack, words: dict[str, str]) -> None:
    for outcome in await tried(executor, attack, NOTHING, words):
        assert not succeeded(outcome), outcome


async def test_without_its_layer_it_succeeds(
    executor: NamespaceExecutor, attack: Attack, words: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tuple(filled(path, words) for path in attack.off.seen)
    async with weakened(executor, attack.off, monkeypatch, seen) as weak:
        *_, outcome = await tried(weak, attack, attack.off, words)
        if b"ENOSYS" in outcome.stdout:
            pytest.skip("this kernel has no such call")
        assert succeeded(outcome), outcome


def test_there_are_many_of_many_kinds() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS) >= 40
    assert len({attack.kind for attack in ATTACKS}) >= 12
