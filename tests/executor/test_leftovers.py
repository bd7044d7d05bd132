"""A run finds nothing of the one before it in the same sandbox."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from sandbox_service.contract.run import RunRequest
from sandbox_service.executor import NamespaceExecutor
from tests.executor.place import LIMITS, MIB, Place

LIBC = """
import ctypes, os, socket, time
libc = ctypes.CDLL(None, use_errno=True)
add_key = {"x86_64": 248}.get(os.uname().machine, 217)
"""
LISTEN = 's = socket.create_server(("127.0.0.1", 34567))'
STAY = "if not os.fork():\n    os.setsid(); time.sleep(1000)\ntime.sleep(0.05)"
PLACES = "('/', '/tmp', '/dev/shm', '/dev/null', '/usr')"

# What one program leaves, and how the next one looks for it; it prints what it finds.
TRACES = {
    "files": (
        "for f in ('/work/x', '/tmp/x', '/dev/shm/x', '/tmp/.x'): open(f, 'w').write('x')",
        "print(*[f for f in os.listdir('/work') + os.listdir('/tmp') + os.listdir('/dev/shm') if f != 'main.py'])",
    ),
    "processes": (
        STAY,
        "print(*[p for p in os.listdir('/proc') if p.isdigit() and int(p) not in (1, os.getpid())])",
    ),
    "shared memory of system V": (
        "assert libc.shmget(4711, 4096, 0o1666) >= 0",
        "print('' if libc.shmget(4711, 4096, 0) < 0 else 'there', *open('/proc/sysvipc/shm').readlines()[1:])",
    ),
    "semaphores of system V": (
        "assert libc.semget(4711, 1, 0o1666) >= 0",
        "print('' if libc.semget(4711, 1, 0) < 0 else 'there')",
    ),
    "messages of system V": (
        "assert libc.msgget(4711, 0o1666) >= 0",
        "print('' if libc.msgget(4711, 0) < 0 else 'there')",
    ),
    "queues of POSIX": (
        "libc.mq_open(b'/x', os.O_CREAT | os.O_RDWR, 0o666, None)",
        "print('' if libc.mq_open(b'/x', os.O_RDWR) < 0 else 'there')",
    ),
    "abstract sockets": (
        f"s = socket.socket(socket.AF_UNIX); s.bind('\\0x'); s.listen()\n{STAY}",
        "s = socket.socket(socket.AF_UNIX); print('' if s.connect_ex('\\0x') else 'there')",
    ),
    "listening ports": (
        f"{LISTEN}\n{STAY}",
        "print('' if socket.socket().connect_ex(('127.0.0.1', 34567)) else 'there')",
    ),
    "closed connections": (
        f"{LISTEN}; c = socket.create_connection(s.getsockname()); a, _ = s.accept(); a.close(); c.close()",
        "print(*open('/proc/net/tcp').readlines()[1:]); s = socket.socket(); s.bind(('127.0.0.1', 34567))",
    ),
    "keys": (
        "for ring in (-3, -4, -5): libc.syscall(add_key, b'user', b'x', b'secret', 6, ring)",
        "print('' if libc.syscall(add_key + 1, b'user', b'x', 0, 0) < 0 else 'there')",
    ),
    "terminals": (
        f"import pty; m, s = pty.openpty()\n{STAY}",
        "print(*[name for name in os.listdir('/dev/pts') if name != 'ptmx'])",
    ),
    "the host's name": (
        "libc.sethostname(b'other', 5)",
        "print('' if os.uname().nodename == 'sandbox' else 'there')",
    ),
    "time stamps": (
        f"for p in {PLACES}: os.system(f'touch -t 200001010000 {{p}} 2>&1')",
        f"print(*[p for p in {PLACES} if time.localtime(os.stat(p).st_mtime).tm_year == 2000])",
    ),
    "modes": (
        f"for p in ('/work', *{PLACES}): os.system(f'chmod 0 {{p}} 2>&1')",
        f"print(*[p for p in {PLACES} if os.stat(p).st_mode & 0o600 != 0o600])",
    ),
    "locks": (
        f"import fcntl; f = open('/usr/bin/python3'); fcntl.flock(f, fcntl.LOCK_EX)\n{STAY}",
        "import fcntl; print(os.system('flock -n /usr/bin/python3 true') or '')",
    ),
}
NOT_TO_BE_HAD = {"queues of POSIX", "keys", "the host's name", "time stamps", "modes"}
"""Refused in the first place, or by some kernels."""


@pytest.mark.parametrize(("leave", "look"), TRACES.values(), ids=TRACES)
async def test_no_trace(place: Place, leave: str, look: str) -> None:
    left = await place.python(f"{LIBC}{leave}\nprint('left')")
    assert left.stdout.endswith(b"left\n"), left
    assert (await place.seen(LIBC + look)).strip() == ""


@pytest.mark.namespaces
async def test_what_is_in_flight_is_freed(place: Place) -> None:
    """A file sent into a socket that is on its way into itself: nobody can get at it, and it holds its file system."""
    code = """if True:
        import array, os, socket, time
        file = open("/tmp/x", "wb", buffering=0)
        file.write(bytes(40 << 20))
        a, b = socket.socketpair()
        b.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [a.fileno(), file.fileno()]))])
        b.close()
        time.sleep(0.1)
        os._exit(0)
    """
    before = shared_memory()
    for _ in range(8):
        assert (await place.python(code)).exit_code == 0
    end = time.monotonic() + 20
    while shared_memory() - before > 100 * MIB:
        assert time.monotonic() < end
        await asyncio.sleep(0.05)


def shared_memory() -> int:
    """Bytes of the host's memory in file systems."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("Shmem:"))


@pytest.mark.parametrize(("leave", "look"), [TRACES[name] for name in TRACES if name not in NOT_TO_BE_HAD])
async def test_the_look_finds_it_within_one_run(place: Place, leave: str, look: str) -> None:
    """Else the test above would show nothing."""
    outcome = await place.python(f"{LIBC}{leave}\n{look}")
    assert outcome.exit_code != 0 or outcome.stdout.strip(), outcome


async def test_a_user_of_its_own_for_each_run(place: Place) -> None:
    place.needs("uid_per_run")
    code = "import os; print(os.getresuid(), os.getresgid(), os.getgroups())"
    seen = [await place.seen(code) for _ in range(3)]
    assert len(set(seen)) == 3
    assert not any("(0," in text or " 0" in text for text in seen)


async def test_nothing_of_one_sandbox_in_another(place: Place) -> None:
    """Two at once: not the same user, no process, file or socket of each other's."""
    other = Place(place.executor, await place.executor.open(), place.programs)
    sleeper = "import socket, time; s = socket.socket(socket.AF_UNIX); s.bind(chr(0) + 'x'); time.sleep(9)"
    leave = f'(setsid python3 -c "{sleeper}" &); touch /tmp/x; sleep 0.5'
    look = "grep -c @x /proc/net/unix; ls /tmp; id -u"
    first = asyncio.create_task(place.bash(f"{leave}; {look}"))
    second = asyncio.create_task(other.bash(f"sleep 0.3; {look}"))
    mine, theirs = (await first).stdout.split(), (await second).stdout.split()
    await other.sandbox.close()
    assert mine[:2] == [b"1", b"x"]
    assert theirs[0] == b"0"
    assert len(theirs) == 2
    if "uid_per_run" not in place.sandbox.isolation.degraded:
        assert mine[2] != theirs[1]


@pytest.mark.namespaces
async def test_a_sandbox_that_is_used_once(executor: NamespaceExecutor) -> None:
    sandbox = await executor.open()
    assert (await sandbox.run(RunRequest([b"/bin/true"], LIMITS))).exit_code == 0
    await sandbox.close(reuse=False)
    assert not sandbox.alive
    other = await executor.open()
    assert other is not sandbox
    await other.close()
    assert await executor.open() is other
    await other.close()
