"""Attacks by mere quantity: of memory that is nobody's, of processes, of time, and of what all of a host share."""

from __future__ import annotations

from tests.attacks.attack import Attack, Off
from tests.attacks.calls import by_call, higher

MIB = 1 << 20
ROOMY = Off(limits={"memory_bytes": 1024 * MIB})
TIGHT = {"memory_bytes": 64 * MIB, "open_files": 1024}


def loose(limit: str, value: int) -> Off:
    """A resource limit that is as good as none."""
    return Off(init=(higher(limit, value),))


PAGE_TABLES = """
#include <stdio.h>
#include <sys/mman.h>
int main(void) {
    unsigned long span = 96UL << 30, sum = 0;
    volatile char *p = mmap(0, span, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return 1;
    madvise((void *) p, span, MADV_NOHUGEPAGE);
    for (unsigned long at = 0; at < span; at += 2UL << 20) sum += p[at];
    puts("REACHED");
    return sum != 0;
}
"""
MAPPINGS = """
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include <sys/wait.h>
int main(void) {
    char *p = mmap(0, 400UL << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (int at = 0; at < 30000; at++)
        if (mprotect(p + 8192UL * at, 4096, PROT_READ | PROT_WRITE)) return 1;
    for (int n = 0; n < 12; n++) if (fork() == 0) { pause(); _exit(0); }
    puts("REACHED");
    fflush(stdout);
    kill(0, 9);
}
"""
MEMORY = [
    Attack("memory in page tables alone", "memory", PAGE_TABLES, ROOMY, limits=TIGHT, language="c"),
    Attack("memory in the kernel's list of mappings", "memory", MAPPINGS, ROOMY, limits=TIGHT, language="c", long=True),
    Attack(
        "memory in pipes",
        "memory",
        "import fcntl, os\nheld = []\nfor _ in range(48):\n ends = os.pipe()\n os.set_blocking(ends[1], False)\n"
        " fcntl.fcntl(ends[1], 1031, 1 << 20)\n held.append(os.write(ends[1], bytes(1 << 20)))\n"
        "if sum(held) > 40 << 20: print('REACHED')",
        ROOMY,
        limits={"memory_bytes": 32 * MIB},
    ),
    Attack(
        "memory in files without a name",
        "memory",
        "import os\nheld = [os.memfd_create('x') for _ in range(100)]\nfor fd in held: os.write(fd, bytes(1 << 20))\n"
        "print('REACHED')",
        ROOMY,
        limits=TIGHT,
    ),
    Attack(
        "memory between unix sockets",
        "memory",
        "import socket\nheld, sent = [], 0\nfor _ in range(450):\n pair = socket.socketpair()\n held.append(pair)\n"
        " for end in pair:\n  end.setblocking(False)\n"
        "  try:\n   while True: sent += end.send(bytes(1 << 16))\n  except BlockingIOError: pass\n"
        "if sent > 100 << 20: print('REACHED')",
        ROOMY,
        limits=TIGHT,
    ),
    Attack(
        "memory in connections",
        "memory",
        "import socket\nserver = socket.create_server(('127.0.0.1', 0))\nheld, sent = [], 0\n"
        "while sent < 100 << 20 and len(held) < 240:\n"
        " ends = socket.create_connection(server.getsockname()), server.accept()[0]\n held.append(ends)\n"
        " for end in ends:\n  end.setblocking(False)\n"
        "  try:\n   while True: sent += end.send(bytes(1 << 18))\n  except BlockingIOError: pass\n"
        "if sent > 100 << 20: print('REACHED')",
        ROOMY,
        limits=TIGHT,
    ),
    by_call(
        "memory that cannot be moved",
        "locked memory",
        "area = mmap.mmap(-1, 1 << 20)\nreached(libc.mlock(ctypes.byref(ctypes.c_char.from_buffer(area)), 1 << 20))",
        loose("MEMLOCK", 1 << 23),
    ),
    by_call(
        "a queue in the kernel",
        "locked memory",
        "librt = ctypes.CDLL('librt.so.1', use_errno=True)\n"
        "reached(librt.mq_open(b'/queue', os.O_CREAT | os.O_RDWR, 0o600, None))",
        loose("MSGQUEUE", 1 << 19),
    ),
]
PROCESSES = [
    Attack(
        "more processes, dead and never waited for",
        "processes",
        "import os\nfor _ in range(50):\n if os.fork() == 0: os._exit(0)\nprint('REACHED')",
        Off(limits={"processes": 100}),
        limits={"processes": 20},
    ),
    Attack(
        "more processes, of node",
        "processes",
        "const { spawn } = require('child_process')\nlet up = 0\nfor (let i = 0; i < 40; i++) {\n"
        "  const child = spawn('/bin/sleep', ['100'])\n  child.on('error', () => process.exit(1))\n"
        "  child.on('spawn', () => { if (++up == 40) { console.log('REACHED'); process.exit() } })\n}\n",
        Off(limits={"processes": 64}),
        limits={"processes": 20},
        language="javascript",
    ),
    Attack(
        "more threads, of node",
        "processes",
        "const { Worker } = require('worker_threads')\nlet up = 0\n"
        "for (let i = 0; i < 12; i++) {\n"
        "  const worker = new Worker('setTimeout(() => {}, 1e6)', { eval: true })\n"
        "  worker.on('online', () => { if (++up == 12) { console.log('REACHED'); process.exit() } })\n"
        "  worker.on('error', () => process.exit(1))\n}\n",
        Off(limits={"processes": 64}),
        limits={"processes": 12, "memory_bytes": 1024 * MIB},
        language="javascript",
    ),
]
DISK = [
    Attack(
        "more names for one file",
        "disk",
        "import os\nopen('/tmp/x', 'w').close()\n"
        "for number in range(500): os.link('/tmp/x', f'/tmp/{number}')\nprint('REACHED')",
        Off(limits={"inodes": 4096}),
        limits={"inodes": 100},
    ),
    Attack(
        "more output, without writing it",
        "output",
        "import os\nfd = os.memfd_create('x')\nos.write(fd, bytes(1 << 20) + b'REACHED')\nat = 0\n"
        "while sent := os.sendfile(1, fd, at, 1 << 20): at += sent",
        Off(limits={"output_bytes": 4 * MIB}),
        limits={"output_bytes": 1000},
    ),
    by_call(
        "a larger core than none",
        "limits",
        "import resource\n"
        "try: resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20))\n"
        "except (OSError, ValueError): pass\n"
        "reached(resource.getrlimit(resource.RLIMIT_CORE)[0] > 1)",
        loose("CORE", 1 << 30),
    ),
    Attack(
        "more open files than it was given",
        "limits",
        "ulimit -n 200 && echo REACHED",
        Off(limits={"open_files": 256}),
        limits={"open_files": 64},
        language="bash",
    ),
]
RELAY = """
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static long used(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_nsec; }
int main(void) {
    int ends[2];
    char none;
    pipe(ends);
    if (fork() == 0)
        for (int left = 400;; left--) {
            while (used() < 3000000);
            if (left == 0 || fork() != 0) _exit(0);
        }
    close(ends[1]);
    read(ends[0], &none, 1);
    puts("REACHED");
}
"""
SLEEPER = """
#include <stdio.h>
#include <unistd.h>
int main(void) {
    if (vfork() == 0) { sleep(2); _exit(0); }
    puts("REACHED");
}
"""
TIME = [
    Attack(
        "more time, handed from child to child",
        "time",
        RELAY,
        Off(limits={"cpu_seconds": 10.0}),
        limits={"cpu_seconds": 0.4},
        language="c",
        long=True,
    ),
    Attack(
        "more time, all of it the kernel's",
        "time",
        "import os, time\nfile, space = open('/dev/zero', 'rb', buffering=0), bytearray(1 << 20)\n"
        "while time.process_time() < 1: file.readinto(space)\nprint('REACHED')",
        Off(limits={"cpu_seconds": 10.0}),
        limits={"cpu_seconds": 0.3},
        long=True,
    ),
    Attack(
        "more time, in a sleep that no signal ends",
        "time",
        SLEEPER,
        Off(limits={"wall_seconds": 60.0}),
        limits={"wall_seconds": 0.5},
        language="c",
        long=True,
    ),
]
SHARED = [
    by_call(
        "all watches of files that a user of the host may have",
        "what all share",
        "got = 0\nwhile got < 100 and libc.inotify_init1(0) >= 0: got += 1\nreached(got == 100)",
        Off(init=(("kernel", '    "max_inotify_instances": 8,\n', ""),)),
    ),
    by_call(
        "all signals that may wait on the host",
        "what all share",
        "signal.pthread_sigmask(signal.SIG_BLOCK, [40])\nsent = 0\n"
        "while sent < 5000 and libc.sigqueue(os.getpid(), 40, None) == 0: sent += 1\nreached(sent == 5000)",
        loose("SIGPENDING", 10000),
    ),
]
ATTACKS = [*MEMORY, *PROCESSES, *DISK, *TIME, *SHARED]
