"""Each limit: what is within it goes well, what is beyond it is told apart."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from tests.executor.place import MIB, Place

SPIN = "import time\nend = time.process_time() + {seconds}\nwhile time.process_time() < end: pass\n"
FOR_EVER = "while True: pass"


async def test_cpu_of_one_process(place: Place) -> None:
    outcome = await place.python(FOR_EVER, cpu_seconds=0.3)
    assert (outcome.killed_by, outcome.signal) == ("cpu", 9)
    assert outcome.cpu_seconds > 0.3


@pytest.mark.parametrize("start", ["os.fork()", "threading.Thread(target=spin).start()"], ids=["fork", "thread"])
async def test_cpu_of_several_at_once(place: Place, start: str) -> None:
    code = f"import os, threading\ndef spin():\n while True: pass\nfor _ in range(3): {start}\nspin()"
    outcome = await place.python(code, cpu_seconds=0.5)
    assert outcome.killed_by == "cpu"
    assert outcome.cpu_seconds > 0.5


async def test_cpu_of_an_orphan(place: Place) -> None:
    """It counts while the program waits, and is told after both are gone."""
    orphan = "(setsid bash -c 'while :; do :; done' &)\n"
    limited = await place.bash(orphan + "sleep 1000", cpu_seconds=0.3)
    assert limited.killed_by == "cpu"
    told = await place.bash(orphan + "sleep 0.5")
    assert (told.exit_code, told.killed_by) == (0, None)
    assert told.cpu_seconds > 0.1


async def test_cpu_of_those_who_have_ended(place: Place) -> None:
    child = SPIN.format(seconds=0.1).replace("\n", "\n    ")
    code = f"import os, sys\nfor _ in range(50):\n  if not os.fork():\n    {child}\n    os._exit(0)\n  os.wait()"
    outcome = await place.python(code, cpu_seconds=0.4)
    assert outcome.killed_by == "cpu"


async def test_cpu_within_the_limit(place: Place) -> None:
    outcome = await place.python(SPIN.format(seconds=0.3), cpu_seconds=5.0)
    assert (outcome.exit_code, outcome.killed_by) == (0, None)
    assert 0.3 <= outcome.cpu_seconds < 5


async def test_wall(place: Place) -> None:
    outcome = await place.python("import time; print('asleep', flush=True); time.sleep(1000)", wall_seconds=0.5)
    assert (outcome.killed_by, outcome.signal, outcome.stdout) == ("wall", 9, b"asleep\n")
    assert outcome.wall_seconds >= 0.5
    assert outcome.cpu_seconds < 0.5


MIBS = "for _ in range(size >> 20)"
MEMORY = {
    "heap": "x = b'x' * size",
    "many small": "x = [bytes([1]) * 1000 for _ in range(size // 1000)]",
    "memfd": f"import os; fd = os.memfd_create('x'); [os.write(fd, b'x' * (1 << 20)) {MIBS}]",
    "tmpfs": f"f = open('/tmp/x', 'wb'); [f.write(b'x' * (1 << 20)) {MIBS}]",
    "shared": "import mmap; m = mmap.mmap(-1, size); m.write(b'x' * size)",
    "children": """if True:
        import os, time
        for _ in range(10):
            if not os.fork():
                x = b'x' * (size // 10)
                time.sleep(1000)
        os.wait()
        os.abort()
    """,
}


@pytest.mark.parametrize("code", MEMORY.values(), ids=MEMORY)
async def test_memory(place: Place, code: str) -> None:
    place.needs("memory")
    beyond = await place.python(f"size = {200 * MIB}\n{code}", memory_bytes=100 * MIB, disk_bytes=1 << 30)
    assert beyond.out_of_memory, beyond
    assert beyond.exit_code != 0
    assert beyond.memory_bytes is not None
    assert beyond.memory_bytes <= 100 * MIB


async def test_memory_within_the_limit(place: Place) -> None:
    code = f"""if True:
        import mmap
        x = b"x" * {150 * MIB}
        reserved = mmap.mmap(-1, 1 << 40, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=0)
    """
    outcome = await place.python(code, memory_bytes=200 * MIB)
    assert (outcome.exit_code, outcome.out_of_memory) == (0, False), outcome
    if "memory" not in place.sandbox.isolation.degraded:
        assert outcome.memory_bytes is not None
        assert 150 * MIB < outcome.memory_bytes < 200 * MIB


async def test_too_little_memory_to_start(place: Place) -> None:
    place.needs("memory")
    outcome = await place.python("pass", memory_bytes=1 << 18)
    assert (outcome.out_of_memory, outcome.exit_code) == (True, None)


async def test_what_sockets_hold(place: Place) -> None:
    """Not in the counter of memory everywhere, but never more than the limit again."""
    place.needs("memory")
    code = """if True:
        import socket
        listener = socket.create_server(("127.0.0.1", 0))
        keep = []
        for _ in range(100):
            a = socket.create_connection(listener.getsockname())
            b, _ = listener.accept()
            for end in (a, b):
                end.setblocking(False)
                keep.append(end)
                try:
                    while True:
                        end.send(b"x" * 100000)
                except BlockingIOError:
                    pass
        for line in open("/proc/net/sockstat"):
            if line.startswith("TCP"):
                print(line.split("mem ")[1])
    """
    free = await place.python(code, memory_bytes=1 << 30)
    held = await place.python(code, memory_bytes=64 * MIB)
    assert held.exit_code != 0 or int(held.stdout) < int(free.stdout) / 2


FORKS = """
#include <stdio.h>
#include <unistd.h>
int main() {
    int n = 1, pid;
    while ((pid = fork()) >= 0) { if (pid == 0) pause(); n++; }
    printf("%d", n);
}
"""
THREADS = """
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
void *wait_(void *x) { pause(); return 0; }
int main() {
    pthread_attr_t small; pthread_attr_init(&small); pthread_attr_setstacksize(&small, 65536);
    int n = 1; pthread_t t; while (!pthread_create(&t, &small, wait_, 0)) n++;
    printf("%d", n); fflush(stdout); _exit(0);
}
"""


@pytest.mark.parametrize("source", [FORKS, THREADS], ids=["forks", "threads"])
@pytest.mark.parametrize("limit", [1, 20])
async def test_processes(place: Place, source: str, limit: int) -> None:
    outcome = await place.c(source, processes=limit)
    assert (outcome.exit_code, int(outcome.stdout)) == (0, limit)
    if "processes" not in place.sandbox.isolation.degraded:
        assert outcome.processes_peak == limit


async def test_fork_bomb(place: Place) -> None:
    outcome = await place.bash(
        "bomb() { bomb | bomb & }; bomb; sleep 1000", cpu_seconds=1.0, wall_seconds=2.0, processes=30
    )
    assert outcome.killed_by in ("cpu", "wall", "output")


async def test_disk(place: Place) -> None:
    """One quota for all that can be written to; what the program came with is not in it."""
    code = """if True:
        import os
        written = 0
        for folder in (".", "/tmp", "/dev/shm"):
            try:
                with open(folder + "/x", "wb", buffering=0) as file:
                    for _ in range(3 << 20 >> 16 if folder != "/dev/shm" else 10000):
                        written += file.write(b"x" * (1 << 16))
            except OSError as error:
                print(error.errno, folder, written)
    """
    brought = {"big": b"x" * 5 * MIB}
    outcome = await place.python(code, files=brought, disk_bytes=10 * MIB)
    number, folder, written = outcome.stdout.split()
    assert (number, folder) == (b"28", b"/dev/shm")
    assert 9 * MIB <= int(written) <= 11 * MIB


async def test_inodes(place: Place) -> None:
    place.needs("inodes")
    code = """if True:
        import os
        made = 0
        try:
            while True:
                for folder, make in ((".", os.mkdir), ("/tmp", os.mkfifo), ("/dev/shm", lambda p: os.symlink("x", p))):
                    make(f"{folder}/{made}")
                    made += 1
        except OSError as error:
            print(error.errno, made)
    """
    outcome = await place.python(code, inodes=100, files={f"b{number}": b"" for number in range(50)})
    number, made = outcome.stdout.split()
    assert number == b"28"
    assert 90 <= int(made) <= 110


async def test_terminals(place: Place) -> None:
    """There are some; the host's, of which it has but a few thousand for everyone, are not used up."""
    code = "import os\nheld = []\ntry:\n  while True: held.append(os.openpty())\nexcept OSError: print(len(held))"
    assert 1 <= int(await place.seen(code, open_files=1024)) <= 64


@pytest.mark.parametrize("most", [16, 50])
async def test_open_files(place: Place, most: int) -> None:
    code = "import os, sys\nn = 3\ntry:\n  while True: os.dup(1); n += 1\nexcept OSError as e: print(e.errno, n)"
    outcome = await place.python(code, open_files=most)
    assert outcome.stdout == b"24 %d\n" % most


RECURSION = """
#include <stdio.h>
int deep(long left) { volatile char frame[1024]; frame[0] = left; return left ? deep(left - 1) + frame[0] * 0 : 1; }
int main(int argc, char **argv) { printf("%d", deep(atol(argv[1]) << 10)); return 0; }
"""


async def test_stack(place: Place) -> None:
    """As deep as memory allows where nothing else is said; without a memory group a part of that."""
    megabytes = b"70" if "memory" in place.sandbox.isolation.degraded else b"200"
    deep = await place.c(RECURSION, megabytes, memory_bytes=400 * MIB, stack_bytes=400 * MIB)
    assert (deep.exit_code, deep.stdout) == (0, b"1")
    too_deep = await place.c(RECURSION, megabytes, memory_bytes=400 * MIB, stack_bytes=8 * MIB)
    assert too_deep.signal == 11


async def test_limits_cannot_be_raised(place: Place) -> None:
    code = """if True:
        import resource
        for name in ("NOFILE", "STACK", "CORE", "MEMLOCK"):
            number = getattr(resource, "RLIMIT_" + name)
            soft, hard = resource.getrlimit(number)
            try:
                resource.setrlimit(number, (soft, hard + 1))
            except (ValueError, PermissionError):
                pass
            if resource.getrlimit(number) != (soft, hard):
                print(name, "raised from", hard)
    """
    assert await place.seen(code) == ""


async def test_no_core_file(place: Place) -> None:
    outcome = await place.bash("ulimit -c unlimited 2>/dev/null; kill -SEGV $$", collect=("*",))
    assert outcome.signal == 11
    assert list(outcome.files) == ["main.sh"]


CROWD = """
#include <unistd.h>
int main() { for (int i = 1; i < 60; i++) if (!fork()) { setsid(); for (;;); } for (;;); }
"""


async def test_a_crowd_does_not_starve_its_neighbour(place: Place) -> None:
    """Two runs of the same work get the same of the machine, whoever has more processes."""
    if not share_is_had():
        pytest.skip("no control group of the cpu controller")
    other = Place(place.executor, await place.executor.open(), place.programs)
    await place.compiled(CROWD)
    crowd = asyncio.create_task(place.c(CROWD, cpu_seconds=1.5 * (os.cpu_count() or 1)))
    alone = await other.python(SPIN.format(seconds=0.5))
    ended = crowd.done()
    outcome = await crowd
    await other.sandbox.close()
    assert outcome.killed_by == "cpu"
    assert alone.exit_code == 0
    assert not ended, "the crowd used all that it may while its neighbour waited"


def share_is_had() -> bool:
    return any((path / "cpu.shares").exists() for path in Path("/sys/fs/cgroup").glob(f"*/**/*-{os.getpid()}"))


async def test_nothing_is_gained_by_priority(place: Place) -> None:
    code = """if True:
        import os
        for attempt in (
            lambda: os.nice(-1),
            lambda: os.setpriority(os.PRIO_PGRP, 0, -5),
            lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
            lambda: open("/proc/1/oom_score_adj", "w").write("1000"),
            lambda: os.sched_setaffinity(1, {0}),
        ):
            try:
                attempt()
                print("done")
            except PermissionError:
                pass
    """
    assert await place.seen(code) == ""
