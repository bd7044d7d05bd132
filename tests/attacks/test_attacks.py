"""Attacks of our own: each fails, and succeeds with the layer off that is there against it."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import File, RunRequest
from sandbox_service.executor import ExecutorError, NamespaceExecutor, Sandbox
from tests.attacks.attack import REACHED, Attack, Off
from tests.attacks.catalogue import ATTACKS, filled
from tests.executor.filters import OPEN
from tests.executor.place import BASH, LIMITS, PYTHON

NOTHING = Off()
RESTS_ON = {
    "memory": "memory",
    "processes": "processes",
    "time": "cpu",
    "identity": "uid_per_run",
    "keys": "uid_per_run",
    "mounts": "uid_per_run",
    "namespaces of others": "uid_per_run",
    "processes of who watches": "uid_per_run",
    "rights": "uid_per_run",
}
"""By kind of attack: what the host must enforce."""
COMMANDS = {
    "python": [PYTHON, b"main.py"],
    "warm python": [PYTHON, b"main.py"],
    "bash": [BASH, b"main.sh"],
    "javascript": [b"/usr/bin/node", b"main.js"],
    "c": [b"./program"],
    "cpp": [b"./program"],
}
COMPILERS = {"c": [b"/usr/bin/gcc", b"-x", b"c"], "cpp": [b"/usr/bin/g++", b"-x", b"c++"]}


EACH = [pytest.param(attack, id=attack.name) for attack in ATTACKS]
EACH_SHORT = [
    pytest.param(attack, id=attack.name, marks=[pytest.mark.full] if attack.long else []) for attack in ATTACKS
]


@pytest.fixture
def attack(request: pytest.FixtureRequest, executor: NamespaceExecutor) -> Attack:
    attack: Attack = request.param
    if (part := RESTS_ON.get(attack.kind)) in executor.isolation.degraded:
        pytest.skip(f"not enforced here: {part}")
    if attack.language == "javascript" and not Path("/usr/bin/node").exists():
        pytest.skip("needs node")
    return attack


@pytest.fixture(scope="module")
def secret() -> Iterator[Path]:
    path = Path("/var/tmp") / f"sandbox-secret-{secrets.token_hex(8)}"  # where all may read
    path.write_text("#error REACHED\n")
    path.chmod(0o644)
    yield path
    path.unlink()


@pytest.fixture(scope="module")
def words(secret: Path) -> Iterator[dict[str, str]]:
    """What the host has that a program might want."""
    name, place = f"sandbox-{secrets.token_hex(8)}", secret.with_suffix(".sock")
    with (
        socket.create_server(("127.0.0.1", 0)) as port,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX) as unix,
    ):
        abstract.bind(f"\0{name}")
        unix.bind(str(place))
        place.chmod(0o666)
        for listener in (abstract, unix):
            listener.listen()
        found = {"{SECRET}": secret, "{SOCKET}": place, "{PORT}": port.getsockname()[1], "{NAME}": name}
        yield {word: str(value) for word, value in found.items()}
        place.unlink()


async def tried(executor: NamespaceExecutor, attack: Attack, off: Off, words: dict[str, str]) -> list[Outcome]:
    """What the attack, and what went before it, come to."""
    sandbox = await executor.open()
    outcomes = []
    try:
        for code in filter(None, [attack.before, attack.code]):
            outcomes.append(await run(sandbox, attack, filled(code, words), off))
    finally:
        await sandbox.close()
    return outcomes


async def run(sandbox: Sandbox, attack: Attack, code: str, off: Off) -> Outcome:
    """A program's run; where its compiler fails, the compiler's."""
    limits = LIMITS.model_copy(update=attack.limits | off.limits)
    *_, text = command = COMMANDS[attack.language]
    files = {text.decode(): File(code.encode())}
    if compiler := COMPILERS.get(attack.language):
        order = [*compiler, b"-O1", b"-w", b"-pthread", b"-o", b"program", b"main"]
        compiled = await sandbox.run(
            RunRequest(
                order,
                limits,
                {"main": File(code.encode())},
                collect=("program",),
                collect_each=1 << 30,
                collect_total=1 << 30,
            )
        )
        if compiled.exit_code != 0:  # its words quote the program
            return replace(compiled, stdout=b"" if REACHED in code.encode() else compiled.stderr, files={})
        files = {"program": File(compiled.files["program"], executable=True)}
    request = RunRequest(command, limits, files, collect=attack.collect, warm=attack.language == "warm python")
    return await sandbox.run(replace(request, seccomp=OPEN) if off.seccomp else request)


def succeeded(outcome: Outcome) -> bool:
    return REACHED in outcome.stdout or bool(outcome.files)


@pytest.mark.parametrize("attack", EACH, indirect=True)
async def test_it_fails(executor: NamespaceExecutor, attack: Attack, words: dict[str, str]) -> None:
    for outcome in await tried(executor, attack, NOTHING, words):
        assert not succeeded(outcome), outcome


@pytest.mark.parametrize("attack", EACH_SHORT, indirect=True)
async def test_without_its_layer_it_succeeds(
    attack: Attack, words: dict[str, str], weak: Callable[[Off], NamespaceExecutor]
) -> None:
    off = replace(attack.off, seen=tuple(filled(path, words) for path in attack.off.seen))
    if attack.fails_us:
        with pytest.raises(ExecutorError):
            await tried(weak(off), attack, off, words)
        return
    *_, outcome = await tried(weak(off), attack, off, words)
    if b"ENOSYS" in outcome.stdout and not succeeded(outcome):
        pytest.skip("this kernel has no such call")
    assert succeeded(outcome), outcome


def test_there_are_many_of_many_kinds() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS) >= 110
    assert len({attack.kind for attack in ATTACKS}) >= 25
