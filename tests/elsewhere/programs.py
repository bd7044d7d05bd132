"""What hostile programs try; each prints what it got."""

from __future__ import annotations

from typing import Any

PROCESSES, MIB = 20, 1 << 20

IDS = """
import os
print(os.getresuid()[0] > 0, len(set(os.getresuid())), len(set(os.getresgid())), os.getresgid()[0] > 0)
print([line for line in open("/proc/self/status") if line.startswith("Cap") and int(line.split()[1], 16)])
"""
FORKS = """
import os, time
forked = 0
try:
    while True:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        forked += 1
except BlockingIOError:
    print(forked)
time.sleep(0.5)  # as long as a copy beside it needs
"""
THREADS = """
import threading, time
threading.stack_size(65536)
started = 0
try:
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        started += 1
except RuntimeError:
    print(started, flush=True)
import os
os._exit(0)
"""
MEMORY = """
kept = []
try:
    while True:
        kept.append(bytearray(1 << 20))
        print(len(kept), flush=True)
except MemoryError:
    raise SystemExit(3)
"""
SHARED_MEMORY = """
import mmap
kept = mmap.mmap(-1, 256 << 20)
for start in range(0, len(kept), 4096):
    kept[start] = 1
print("all of it")
"""
DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            pass
    os._exit(0)
time.sleep(30)
"""
RELAY = """
import os, time
while True:  # each burns a little, is nobody's child, and is gone when the next one comes
    end, other = os.pipe()
    if os.fork() == 0:
        if os.fork() == 0:
            until = time.process_time() + 0.05
            while time.process_time() < until:
                pass
        os._exit(0)
    os.close(other)
    os.wait()
    os.read(end, 1)
    os.close(end)
"""
UNWAITED = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the time of such children is added to nobody's
while True:
    if os.fork() == 0:
        end = time.process_time() + 0.1
        while time.process_time() < end:
            pass
        os._exit(0)
    time.sleep(0.1)
"""
SHARES = """
import ctypes, os, signal, time
libc = ctypes.CDLL(None)
signal.pthread_sigmask(signal.SIG_BLOCK, [40])
watches = signals = 0
while watches < 1000 and libc.inotify_init1(0) >= 0:
    watches += 1
while signals < 10000 and libc.sigqueue(os.getpid(), 40, None) == 0:
    signals += 1
time.sleep(0.5)  # as long as a copy beside it needs
print(watches, signals)
"""
IN_FLIGHT = """
import array, os, socket, time
sent, held = 0, []
rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0] * 250))]
try:
    while sent < 4000:
        pair = socket.socketpair()
        pair[0].setblocking(False)
        held.append(pair)
        try:
            while True:
                pair[0].sendmsg([b"x"], rights)
                sent += 250
        except BlockingIOError:
            pass
except OSError:
    pass
time.sleep(1)  # as long as those beside it need to start
print("done")
"""
DAEMONS = """
import os, signal, time
for number in range(5):
    if os.fork() == 0:
        os.setsid()
        for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(name, signal.SIG_IGN)
        time.sleep(60)
print(sum(name.isdigit() for name in os.listdir("/proc")))
"""
REAPER = """
import ctypes, os, resource, signal
libc = ctypes.CDLL(None, use_errno=True)
done = []
def attempt(name, call, *arguments):
    try:
        if call(*arguments) != -1:
            done.append(name)
    except OSError:
        pass
for number in signal.valid_signals():
    attempt("kill %d" % number, os.kill, 1, number)
    attempt("tgkill %d" % number, libc.syscall, {"x86_64": 234, "aarch64": 131}[os.uname().machine], 1, 1, number)
for process in (os.pidfd_open(1), os.open("/proc/1", os.O_RDONLY)):
    attempt("signal by descriptor", signal.pidfd_send_signal, process, signal.SIGTERM)
attempt("idle storage", libc.syscall, {"x86_64": 251, "aarch64": 30}[os.uname().machine], 1, 1, 3 << 13)
for name in dir(resource):
    if name.startswith("RLIMIT_") and name != "RLIMIT_CORE":  # which is answered as if it were done
        attempt(name, resource.prlimit, 1, getattr(resource, name), (0, 0))
attempt("idle", os.sched_setscheduler, 1, os.SCHED_IDLE, os.sched_param(0))
attempt("affinity", os.sched_setaffinity, 1, {0})
attempt("nice", os.setpriority, os.PRIO_PROCESS, 1, 19)
try:
    os.setpriority(os.PRIO_USER, 0, 19)  # of all processes of its own user
except OSError:
    pass
if os.getpriority(os.PRIO_PROCESS, 1):
    done.append("nice user")
attempt("attach", libc.ptrace, 16, 1, 0, 0)
attempt("seize", libc.ptrace, 0x4206, 1, 0, 0)
attempt("descriptor", libc.syscall, 438, os.pidfd_open(1), 0, 0)
for name in ("environ", "mem", "maps", "auxv", "io", "syscall", "stack"):
    attempt(name, lambda: open("/proc/1/" + name, "rb").read(1))
for name in ("root", "cwd", "exe", "fd/0"):
    attempt(name, os.readlink, "/proc/1/" + name)
for name in ("oom_score_adj", "coredump_filter", "clear_refs"):
    attempt(name, open, "/proc/1/" + name, "w")
attempt("user namespace", libc.unshare, 0x10000000)
print(done)
"""
# Everything that outlives a process, wherever it is allowed.
LEAVE = """
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)
for root, folders, files in os.walk("/"):
    if root in ("/proc", "/usr"):
        folders.clear()
        continue
    for path in [root] + [os.path.join(root, name) for name in folders + files]:
        for change in (lambda: os.chmod(path, 0o777), lambda: os.utime(path), lambda: os.utime(path, (1, 1)),
                       lambda: os.setxattr(path, "user.left", b"left")):
            try:
                change()
            except OSError:
                pass
    try:
        open(os.path.join(root, "left"), "w").close()
    except OSError:
        pass
print(libc.shmget(4711, 4096, 0o1600) != -1, libc.msgget(4711, 0o1600) != -1)
print(libc.syscall({"x86_64": 248, "aarch64": 217}[os.uname().machine], b"user", b"left", b"left", 4, -3) != -1)
"""
LOOK = """
import os
for root, folders, files in os.walk("/"):
    if root in ("/proc", "/usr"):
        folders.clear()
        continue
    for path in sorted([root] + [os.path.join(root, name) for name in folders + files]):
        status = os.lstat(path)
        own = path in ("/tmp", "/work", "/dev/shm", "/proc")  # made for each run
        facts = None if own else (status.st_uid, status.st_mtime_ns, os.listxattr(path, follow_symlinks=False))
        print(path, oct(status.st_mode), facts)
for name in ("sysvipc/shm", "sysvipc/msg", "sysvipc/sem", "net/unix"):
    print(open("/proc/" + name).read())
if os.path.exists("/proc/keys"):  # the kernel removes the empty ring of a run some time after its end
    print([line.split()[7:] for line in open("/proc/keys") if line.split()[7:] != ["keyring", "_ses:", "empty"]])
"""


def python(name: str, code: str, **more: Any) -> dict[str, Any]:
    """A run of the driver."""
    return {"name": name, "command": ["/usr/bin/python3", "-c", code], **more}


def runs(*, warm: bool) -> list[dict[str, Any]]:
    """All of them, in a Python of their own or in one that had started already."""
    return [run | {"warm": warm} for run in RUNS]


RUNS = [
    python("ids", IDS),
    python("forks", FORKS, copies=2),
    python("threads", THREADS),
    python("shares", SHARES, copies=2),
    python("in flight", IN_FLIGHT, copies=4, limits={"open_files": 256}),
    python("memory", MEMORY),
    python("shared memory", SHARED_MEMORY),
    python("loop", "while True: pass", limits={"cpu_seconds": 0.5}),
    python("sleep", "import time; time.sleep(60)", limits={"wall_seconds": 0.5}),
    python("daemon", DAEMON, limits={"cpu_seconds": 0.5}),
    python("relay", RELAY, limits={"cpu_seconds": 0.5, "wall_seconds": 20.0}),
    python("unwaited", UNWAITED, limits={"cpu_seconds": 0.5, "wall_seconds": 3.0}),
    python("daemons", DAEMONS),
    python("reaper", REAPER),
    python("before", LOOK),
    python("leave", LEAVE),
    python("after", LOOK),
]
