"""A sandbox keeps its control group, network and zygote: what one run did to them, the next does not feel."""

from __future__ import annotations

import asyncio

import pytest

from sandbox_service.contract.run import RunRequest
from sandbox_service.executor import NamespaceExecutor
from tests.executor.place import LIMITS, MIB, PYTHON, Place

HELLO = "print('hello')"
SPIN = "import time\nend = time.process_time() + 0.4\nwhile time.process_time() < end: pass\n"
HOLD = "x = bytearray(b'x') * ({size} << 20)\nprint(len(x) >> 20)"
SPARED = "import os\nopen('/proc/self/oom_score_adj', 'w').write('0')\n"
FILL = "f = open('/dev/shm/x', 'wb', buffering=0)\nfor _ in range(200): f.write(bytes(1 << 20))\n"
FAMILY = "import os, time\nfor _ in range(9):\n if not os.fork(): time.sleep(9)\n"


async def test_the_peak_of_memory_is_the_runs_own(place: Place) -> None:
    place.needs("memory")
    small = await place.python(HELLO)
    big = await place.python(HOLD.format(size=100))
    after = await place.python(HELLO)
    assert small.memory_bytes is not None
    assert big.memory_bytes is not None
    assert after.memory_bytes is not None
    assert big.memory_bytes > 100 * MIB
    assert after.memory_bytes < small.memory_bytes + 4 * MIB


async def test_files_of_a_run_are_charged_to_no_other(place: Place) -> None:
    place.needs("memory")
    filled = await place.python("open('/tmp/x', 'wb').write(bytes(50 << 20))")
    after = await place.python(HELLO)
    assert filled.memory_bytes is not None
    assert filled.memory_bytes > 50 * MIB
    assert after.memory_bytes is not None
    assert after.memory_bytes < 20 * MIB


async def test_the_limit_of_memory_changes_between_runs(place: Place) -> None:
    place.needs("memory")
    for limit in (200, 50, 300, 20, 200):
        outcome = await place.python(HOLD.format(size=100), memory_bytes=limit * MIB)
        assert outcome.out_of_memory == (limit < 100), limit
        assert outcome.stdout == (b"" if limit < 100 else b"100\n")


async def test_out_of_memory_is_the_runs_own(place: Place) -> None:
    place.needs("memory")
    for _ in range(3):
        beyond = await place.python(HOLD.format(size=300), memory_bytes=50 * MIB)
        assert beyond.out_of_memory
        within = await place.python(HELLO, memory_bytes=50 * MIB)
        assert (within.stdout, within.out_of_memory) == (b"hello\n", False)


@pytest.mark.parametrize("before", ["", FAMILY], ids=["alone", "with a family"])
async def test_who_makes_itself_the_least_to_be_killed(place: Place, before: str) -> None:
    """Then the kernel may kill who bears the programs instead: that is a verdict, and no failure of ours."""
    place.needs("memory")
    code = f"{SPARED}{before}{FILL}print('never')"
    outcome = await place.python(code, memory_bytes=100 * MIB, disk_bytes=1 << 30)
    assert (outcome.out_of_memory, outcome.exit_code) == (True, None)
    assert outcome.stdout == b""


async def test_cpu_time_is_the_runs_own(place: Place) -> None:
    spun = await place.python(SPIN)
    after = await place.python(HELLO)
    assert spun.cpu_seconds >= 0.4
    assert after.cpu_seconds < 0.4
    assert (await place.python("while True: pass", cpu_seconds=0.6)).cpu_seconds >= 0.6


async def test_cpu_time_of_orphans(place: Place) -> None:
    """Also of those who ended long before the run, and of whom nobody but the kernel knows."""
    code = f"import os\nif not os.fork():\n if os.fork(): os._exit(0)\n exec({SPIN!r})\n os._exit(0)\nos.wait()\n"
    outcome = await place.python(code + "time = __import__('time')\ntime.sleep(1.5)")
    assert outcome.cpu_seconds >= 0.4


async def test_the_peak_of_processes_is_the_runs_own(place: Place) -> None:
    place.needs("processes")
    for code, peak in ((HELLO, 1), (FAMILY, 10), (HELLO, 1), (HELLO, 1)):
        assert (await place.python(code)).processes_peak == peak


async def test_the_limit_of_processes_changes_between_runs(place: Place) -> None:
    code = """if True:
        import os, time
        n = 1
        try:
            while True:
                if not os.fork():
                    time.sleep(9)
                n += 1
        except OSError:
            print(n)
    """
    for limit in (10, 3, 20, 1):
        assert await place.seen(code, processes=limit) == f"{limit}\n"


async def test_it_is_the_same_sandbox(place: Place) -> None:
    """After all that programs do to each other."""
    sandbox = place.sandbox
    assert await place.seen(FAMILY) == ""
    await place.sandbox.close()
    place.sandbox = await place.executor.open()
    assert place.sandbox is sandbox


NETWORK = """
import os, socket
print(os.stat("/proc/self/ns/net").st_ino)
"""
TRAFFIC = {
    "a connection": 's = socket.create_server(("127.0.0.1", 0)); socket.create_connection(s.getsockname())',
    "a refused one": 'socket.socket().connect_ex(("127.0.0.1", 9))',
    "a packet": 'socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9))',
    "nowhere to": 'socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect_ex(("192.0.2.1", 9))',
    "nowhere to, the new way": 'socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).connect_ex(("2001:db8::1", 9))',
    "one in flight": """if True:
        import array
        s = socket.create_server(("127.0.0.1", 34567))
        a, b = socket.socketpair()
        b.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [a.fileno(), s.fileno()]))])
        b.close()
        os._exit(0)
    """,
}
COUNTERS = "print(*[open('/proc/net/' + name).read() for name in ('dev', 'snmp', 'snmp6', 'tcp', 'udp', 'unix')])"


async def test_a_network_that_nobody_used_is_kept(place: Place) -> None:
    bound = 's = socket.socket(); s.bind(("127.0.0.1", 34567)); s.listen(); socket.socket(socket.AF_UNIX).bind("x")'
    seen = [await place.seen(NETWORK + bound) for _ in range(3)]
    assert len(set(seen)) == 1


@pytest.mark.parametrize("use", TRAFFIC.values(), ids=TRAFFIC)
async def test_one_that_was_used_is_not(place: Place, use: str) -> None:
    await place.seen("pass")
    before = await place.seen(COUNTERS)
    await place.seen(NETWORK + use)
    assert await place.seen(COUNTERS) == before
    assert await place.seen('import socket; socket.create_server(("127.0.0.1", 34567)); print("free")') == "free\n"


USE = """
import socket
with open("/proc/net/dev") as file: print(file.read().split("lo:")[1].split()[1])
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s: s.sendto(b"x", ("127.0.0.1", 9))
"""


async def test_a_strict_one_has_what_nobody_else_has_had(executor: NamespaceExecutor) -> None:
    request = RunRequest([PYTHON, b"-c", USE.encode()], LIMITS, warm=True)
    sandboxes, groups = set(), set()
    for _ in range(6):
        sandbox = await executor.open(strict=True)
        sandboxes.add(sandbox)
        groups.add(sandbox._group)
        for _ in range(2):
            outcome = await sandbox.run(request)
            assert (outcome.stdout, outcome.warm, sandbox.isolation.warm) == (b"0\n", False, False)
        await sandbox.close()
        await asyncio.wait(executor._returning)
    assert len(sandboxes) < 6
    assert len(groups) == 6


async def test_a_strict_one_comes_back_while_others_run(executor: NamespaceExecutor) -> None:
    request = RunRequest([PYTHON, b"-c", b"print(1)"], LIMITS)
    for _ in range(5):
        opened = [await executor.open(strict=True) for _ in range(3)]
        assert len(set(opened)) == 3
        outcomes = await asyncio.gather(*(sandbox.run(request) for sandbox in opened))
        assert [outcome.stdout for outcome in outcomes] == [b"1\n"] * 3
        for sandbox in opened:
            await sandbox.close()
    await asyncio.wait(executor._returning)
