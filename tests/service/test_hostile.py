"""One hostile program of each kind: it gets its verdict and no reward, leaves nothing, and the next job passes.

Programs that look for something print what they found, and what they look for is the expected output: an attack that
worked would be accepted.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from tests.service import host
from tests.service.conftest import Target

MIB = 1 << 20
LIMITS = {"cpu_seconds": 2.0, "wall_seconds": 20.0, "memory_bytes": 128 * MIB, "processes": 32, "disk_bytes": 16 * MIB}

FORK_BOMB = "#include <unistd.h>\nint main() { for (;;) fork(); }"
MEMORY_BOMB = "held = []\nwhile True: held.append(b'x' * (1 << 20))"
FLOOD = '#include <stdio.h>\nint main() { for (;;) puts("flood"); }'
DISK = "i = 0\nwhile True:\n    open(f'/tmp/{i}', 'wb').write(b'x' * (1 << 20)); i += 1"
INODES = "i = 0\nwhile True:\n    open(f'/dev/shm/{i}', 'wb').close(); i += 1"
SLEEP = "import time\nwhile True: time.sleep(1000)"
DAEMON = """
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main() {
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            for (int i = 1; i < 65; i++) signal(i, SIG_IGN);
            open("/tmp/daemon", O_CREAT | O_WRONLY, 0666);
            for (;;) { sleep(1000); }
        }
        _exit(0);
    }
    puts("parent done");
    return 0;
}
"""


@pytest.mark.parametrize(
    ("language", "code", "limits", "verdict", "lacking"),
    [
        ("c", FORK_BOMB, {"cpu_seconds": 0.5}, "time_limit_exceeded", None),
        ("python", MEMORY_BOMB, {}, "memory_limit_exceeded", "memory"),
        ("c", FLOOD, {}, "output_limit_exceeded", None),
        ("python", DISK, {}, "runtime_error", None),
        ("python", INODES, {}, "runtime_error", None),
        ("python", SLEEP, {"wall_seconds": 1.0}, "time_limit_exceeded", None),
        ("c", DAEMON, {}, "wrong_answer", None),
    ],
    ids=["fork bomb", "memory bomb", "output flood", "disk fill", "inode fill", "endless sleep", "daemon"],
)
def test_bombs(
    target: Target, language: str, code: str, limits: dict[str, Any], verdict: str, lacking: str | None
) -> None:
    before = settled(target)
    result = target.client.run(code, language=language, limits={**LIMITS, **limits}, task=expecting("done"))
    assert result.isolation is not None
    if lacking in result.isolation.degraded:
        verdict = "runtime_error"
    assert (result.state, result.verdict, result.reward) == ("finished", verdict, 0.0), result
    unharmed(target, before)


NETWORK = """if True:
    import socket
    def reached(family, kind, address):
        try:
            with socket.socket(family, kind) as s:
                s.settimeout(1)
                s.connect(address)
            return True
        except OSError:
            return False
    INET, INET6, STREAM, DATAGRAM = socket.AF_INET, socket.AF_INET6, socket.SOCK_STREAM, socket.SOCK_DGRAM
    attempts = [(INET, STREAM, (host, port)) for host in ("127.0.0.1", "localhost") for port in (PORT, TRAP)]
    attempts += [(INET6, STREAM, ("::1", PORT)), (socket.AF_UNIX, STREAM, "\\0redis")]
    # Connected datagram sockets ask for a route, and send nothing.
    attempts += [(INET, DATAGRAM, ("192.0.2.1", 53)), (INET6, DATAGRAM, ("2001:db8::1", 53))]
    print("reached" if any(reached(*attempt) for attempt in attempts) else "nothing")
"""

LOOK = """if True:
    import glob, os, re
    PATTERN = re.compile(b"(?:HALF)([0-9a-f]{16})")
    def search(data):
        for found in PATTERN.finditer(data):
            print("HALF" + found[1].decode(), flush=True)
            os._exit(0)
    def look(path):
        try:
            fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            return
        try:
            search(os.read(fd, 1 << 22))
        except OSError:
            pass
        finally:
            os.close(fd)
"""
ENVIRONMENT = """
    search(repr(os.environ).encode())
    for path in glob.glob("/proc/*/environ") + glob.glob("/proc/*/task/*/environ") + glob.glob("/proc/*/cmdline"):
        look(path)
    print("nothing")
"""
SECRET = """
    for prefix in ("", "/proc/1/root", "/proc/self/root", "/proc/1/cwd", "/work/../..", "/newroot", "/oldroot"):
        look(prefix + PATH)
    os.symlink(PATH, "link"); look("link")
    try:
        os.link(PATH, "hard"); look("hard")
    except OSError:
        pass
    for folder in ("/", "/root", "/home", "/tmp", "/var", "/run", "/mnt", "/proc/1/root"):
        try:
            for name in os.listdir(folder):
                look(os.path.join(folder, name))
        except OSError:
            pass
    print("nothing")
"""
DESCRIPTORS = """
    for fd in range(3, 1024):
        try:
            search(os.read(fd, 1 << 20))
        except OSError:
            pass
        for name in ("", "/..", "/../..", PATH):
            look(f"/proc/self/fd/{fd}{name}")
    for pid in [name for name in os.listdir("/proc") if name.isdigit()]:
        for path in glob.glob(f"/proc/{pid}/fd/*") + glob.glob(f"/proc/{pid}/map_files/*") + [f"/proc/{pid}/mem"]:
            look(path)
        look(f"/proc/{pid}/root{PATH}")
        look(f"/proc/{pid}/cwd/..{PATH}")
    print("nothing")
"""
# Everything a program can see but the programs of the host; what it was given must not be there, in whatever form.
EVERYTHING = """
    UNREADABLE = ("kmsg", "mem", "kcore", "clear_refs", "sysrq-trigger")
    search(repr(os.environ).encode())
    for top, folders, files in os.walk("/"):
        folders[:] = [name for name in folders if top != "/" or name not in ("usr", "bin", "sbin", "lib", "lib64")]
        for name in files:
            if (top, name) != ("/work", "main.py") and name not in UNREADABLE:
                look(os.path.join(top, name))
    with open("/proc/self/mem", "rb", buffering=0) as memory:
        for line in open("/proc/self/maps"):
            start, end = (int(word, 16) for word in line.split()[0].split("-"))
            if line.split()[1].startswith("r") and end - start < 1 << 28:
                try:
                    memory.seek(start)
                    search(memory.read(end - start))
                except (OSError, ValueError, OverflowError):
                    pass
    print("nothing")
"""


@pytest.mark.parametrize(
    "code",
    [NETWORK, LOOK + ENVIRONMENT, LOOK + SECRET, LOOK + DESCRIPTORS, LOOK + EVERYTHING],
    ids=["network", "environment", "secret file", "descriptors", "expected output"],
)
def test_prowlers(target: Target, code: str) -> None:
    before = settled(target)
    for name, value in (
        ("HALF", target.token[:16]),
        ("PATH", repr(str(target.secret))),
        ("PORT", str(target.port)),
        ("TRAP", str(target.trap.port)),
    ):
        code = re.sub(rf"\b{name}\b", lambda _, value=value: value, code)  # type: ignore[misc]
    expected = "reached" if "reached" in code else target.token
    result = target.client.run(code, task=expecting(expected), limits={**LIMITS, "cpu_seconds": 10.0})
    assert (result.state, result.verdict, result.reward) == ("finished", "wrong_answer", 0.0), result
    assert result.cases[0].stdout == "nothing\n", "the attack did not get as far as it should"
    assert target.token not in result.model_dump_json()
    assert target.trap.visits == []
    unharmed(target, before)


def test_the_prowler_would_find_it(target: Target) -> None:
    """Given what it looks for, each of them finds it; else the test above would show nothing."""
    look = LOOK.replace("HALF", target.token[:16])
    for place, hide in {
        ENVIRONMENT: f"os.putenv('X', '{target.token}'); os.execv('/usr/bin/python3', ['python3', '-c', rest])",
        EVERYTHING: f"open('/tmp/x', 'w').write('{target.token}'); exec(rest)",
    }.items():
        code = f"import os\nrest = {look + place!r}\n{hide}"
        result = target.client.run(code, task=expecting(target.token))
        assert result.verdict == "accepted", result


def expecting(text: str) -> dict[str, Any]:
    return {"type": "stdio", "cases": [{"expected": text}]}


def settled(target: Target) -> Counter[str]:
    """The state of the host while nothing runs, once there is a sandbox in the pool."""
    honest(target)
    return host.state(target.up)


def honest(target: Target) -> None:
    result = target.client.run(
        "print(input()[::-1])", task={"type": "stdio", "cases": [{"stdin": "abc", "expected": "cba"}]}
    )
    assert (result.verdict, result.reward) == ("accepted", 1.0), result


def unharmed(target: Target, before: Counter[str]) -> None:
    """Nothing is left, and the next honest job passes."""
    honest(target)
    host.wait_until_no_more(target.up, before)
    assert target.secret.read_text() == target.token
