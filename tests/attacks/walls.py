"""Attacks on the other walls: what is wanted is the host, a neighbour, more than the limits give, or to stay."""

from __future__ import annotations

from tests.attacks.attack import Attack, Off
from tests.attacks.calls import USER

MIB = 1 << 20
PROC = Off(init=(("program", "        self._mask_proc()\n", ""),))


def reads(path: str) -> str:
    return f"print('REACHED' if open({path!r}, 'rb').read(1) else '')"


HOST = [
    Attack("how the host was started", "prowling", reads("/proc/cmdline"), PROC),
    Attack("what the host's disks do", "prowling", reads("/proc/diskstats"), PROC),
    Attack("when the host is interrupted", "prowling", reads("/proc/interrupts"), PROC),
    Attack("how the kernel was built", "prowling", "import os\n" + reads("/proc/kallsyms"), PROC),
    Attack(
        "the name of the host's control group",
        "prowling",
        "print('REACHED' if any(line.rstrip()[-2:] != ':/' for line in open('/proc/self/cgroup')) else '')",
        Off(init=(("program", "CLONE_NEWIPC | CLONE_NEWCGROUP", "CLONE_NEWIPC"),)),
    ),
    Attack(
        "a secret of the host",
        "host files",
        "print('REACHED' if open('{SECRET}').read() else '')",
        Off(seen=("{SECRET}",)),
    ),
    Attack(
        "a secret of the host, through a link",
        "host files",
        "import os\nos.symlink('{SECRET}', 'link')\nprint('REACHED' if open('link').read() else '')",
        Off(seen=("{SECRET}",)),
    ),
    Attack(
        "a port of the host",
        "network",
        "import socket\nsocket.create_connection(('127.0.0.1', {PORT}), 5)\nprint('REACHED')",
        Off(
            outer=(("--unshare-net",),),
            init=(("network", "        unshare(CLONE_NEWNET)\n        raise_loopback()\n", ""),),
        ),
    ),
    Attack(
        "a socket of the host without a name in the file system",
        "network",
        "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('\\0{NAME}')\nprint('REACHED')",
        Off(
            outer=(("--unshare-net",),),
            init=(("network", "        unshare(CLONE_NEWNET)\n        raise_loopback()\n", ""),),
        ),
    ),
]
SAME_USER = (USER,)
IDENTITY = [
    Attack(
        "a signal to who watches",
        "identity",
        "import os\nos.kill(1, 0)\nprint('REACHED')",
        Off(init=SAME_USER),
    ),
    Attack("another user", "identity", "import os\nos.setuid(0)\nprint('REACHED')", Off(init=SAME_USER)),
]
LEFT = [
    Attack(
        "shared memory for the next run",
        "staying",
        "print('REACHED' if len(open('/proc/sysvipc/shm').readlines()) > 1 else '')",
        Off(init=(("program", "CLONE_NEWUTS | CLONE_NEWIPC |", "CLONE_NEWUTS |"),)),
        before="import ctypes\nassert ctypes.CDLL(None).shmget(77, 4096, 0o1666) >= 0",
    ),
    Attack(
        "a file for the next run",
        "staying",
        "import os\nprint('REACHED' if os.path.exists('/dev/shm/note') else '')",
        Off(
            outer=(("--remount-ro", "/dev"),),
            init=(
                (
                    "program",
                    '        self._mount("/tmp/shm", "/dev/shm", "", MS_BIND)\n',
                    '        os.chmod("/dev/shm", 0o1777)\n',
                ),
            ),
        ),
        before="open('/dev/shm/note', 'w').write('x')",
    ),
]
MORE = [
    Attack(
        "more memory",
        "memory",
        "x = bytearray(300 << 20)\nprint('REACHED')",
        Off(limits={"memory_bytes": 1024 * MIB}),
        limits={"memory_bytes": 64 * MIB},
    ),
    Attack(
        "more memory, in files",
        "memory",
        "f = open('/dev/shm/x', 'wb')\nfor _ in range(300): f.write(bytes(1 << 20))\nprint('REACHED')",
        Off(limits={"memory_bytes": 1024 * MIB}),
        limits={"memory_bytes": 64 * MIB, "disk_bytes": 512 * MIB},
    ),
    Attack(
        "more memory, shared among children",
        "memory",
        "import os, time\nfor _ in range(4):\n"
        " if os.fork() == 0: x = bytearray(40 << 20); time.sleep(0.5); os._exit(0)\n"
        "if all(os.wait()[1] == 0 for _ in range(4)): print('REACHED')",
        Off(limits={"memory_bytes": 1024 * MIB}),
        limits={"memory_bytes": 80 * MIB},
    ),
    Attack(
        "more processes",
        "processes",
        "import os, time\nfor _ in range(50):\n if os.fork() == 0: time.sleep(100)\nprint('REACHED')",
        Off(limits={"processes": 100}),
        limits={"processes": 20},
    ),
    Attack(
        "more threads",
        "processes",
        "import threading\nfor _ in range(50):\n threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
        "print('REACHED')",
        Off(limits={"processes": 100}),
        limits={"processes": 20},
    ),
    Attack(
        "more disk",
        "disk",
        "open('x', 'wb').write(bytes(40 << 20))\nprint('REACHED')",
        Off(limits={"disk_bytes": 64 * MIB}),
        limits={"disk_bytes": 8 * MIB},
    ),
    Attack(
        "more disk, reserved and never written",
        "disk",
        "import os\nfd = os.open('/tmp/x', os.O_RDWR | os.O_CREAT)\n"
        "os.posix_fallocate(fd, 0, 40 << 20)\nprint('REACHED')",
        Off(limits={"disk_bytes": 64 * MIB}),
        limits={"disk_bytes": 8 * MIB},
    ),
    Attack(
        "more files",
        "disk",
        "for number in range(500): open(f'/tmp/{number}', 'w')\nprint('REACHED')",
        Off(limits={"inodes": 4096}),
        limits={"inodes": 100},
    ),
    Attack(
        "more time, of children that nobody waits for",
        "time",
        "import os, signal, time\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "for _ in range(10):\n if os.fork() == 0:\n"
        "  while time.process_time() < 0.1: pass\n  os._exit(0)\n"
        " try: os.wait()\n except ChildProcessError: pass\n"
        "print('REACHED')",
        Off(limits={"cpu_seconds": 10.0}),
        limits={"cpu_seconds": 0.3},
        long=True,
    ),
    Attack(
        "more time, asleep",
        "time",
        "import time\ntime.sleep(1.5)\nprint('REACHED')",
        Off(limits={"wall_seconds": 60.0}),
        limits={"wall_seconds": 0.5},
        long=True,
    ),
    Attack(
        "more output",
        "output",
        "print('x' * 100000)\nprint('REACHED')",
        Off(limits={"output_bytes": MIB}),
        limits={"output_bytes": 1000},
    ),
    Attack(
        "more open files",
        "open files",
        "held = [open('/dev/null') for _ in range(100)]\nprint('REACHED')",
        Off(limits={"open_files": 256}),
        limits={"open_files": 64},
    ),
]
FOLLOWED = (
    (
        "collect",
        "os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC,\n        0,",
        "os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC,\n        0,",
    ),
    ("collect", "RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,\n", "0,\n"),
    ("collect", "entry.is_file(follow_symlinks=False)", "entry.is_file()"),
    ("collect", "entry.is_dir(follow_symlinks=False)", "entry.is_dir()"),
)
HANDED_BACK = [
    Attack(
        "a link handed back as a file",
        "artifacts",
        "import os\nos.symlink('/etc/passwd', 'out.txt')",
        Off(init=FOLLOWED),
        collect=("out.txt",),
    ),
    Attack(
        "a folder that is a link",
        "artifacts",
        "import os\nos.symlink('/etc', 'out')",
        Off(init=FOLLOWED),
        collect=("out/passwd",),
    ),
]
ATTACKS = [*HOST, *IDENTITY, *LEFT, *MORE, *HANDED_BACK]
