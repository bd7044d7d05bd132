"""The reaper: PID 1 of a run. Sets it up, starts the program, and leaves nothing alive."""

import fcntl
import json
import os
import resource
import signal
import socket
import struct
import time

from .collect import collect, send_file
from .kernel import (
    MS_BIND,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_RDONLY,
    MS_REC,
    PAGE,
    WORK,
    check,
    libc,
    mount,
    write_all,
)
from .program import become_program

PR_SET_PDEATHSIG = 1
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
MASKED = (
    "cmdline",
    "config.gz",
    "diskstats",
    "interrupts",
    "kallsyms",
    "kcore",
    "key-users",
    "keys",
    "modules",
    "partitions",
    "sched_debug",
    "softirqs",
    "sysrq-trigger",
    "timer_list",
)
# Words to init: the program runs (and what its process had used before, in CPU seconds); nobody of the run is alive.
STARTED, OVER = b"S", b"O"


def reap_run(request, files, streams, channel, groups, report, teller):
    """PID 1 of the run: set up, start the program, wait for its end, leave nothing alive. Never returns."""
    answer, found = {}, []
    try:
        check(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "pdeathsig")
        # SIGTERM is init's word that a limit was met. Blocked, it waits for sigwaitinfo even for PID 1. All others may
        # come from a program that has the reaper's user, and mean nothing.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        proc = prepare(request, files)
        status_read, status_write = os.pipe()
        program = os.fork()
        if program == 0:
            become_program(request, streams, channel, groups, status_write, proc, teller)
        for fd in [*streams, *channel, status_write, *groups]:
            os.close(fd)  # the ends of the pipes must close with the program's last process
        teller.close()
        words = read_words(status_read)
        answer.update(words)
        began = time.monotonic()
        write_all(report, STARTED + struct.pack("d", words.get("cpu", 0.0)))
        status = wait_for(program)
        kill_rest()
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        answer["wall"] = time.monotonic() - began
        answer["tree_cpu"] = max(usage.ru_utime + usage.ru_stime - words.get("cpu", 0.0), 0.0)
        answer["status"] = status
        write_all(report, OVER)
        found, answer["cut"] = collect(request["collect"])
    except BaseException as error:
        answer.update(stage="setup", errno=getattr(error, "errno", None), text=repr(error))
        if "status" not in answer:
            write_all(report, OVER)
    answer["files"] = [[path, size] for path, _, size in found]
    text = json.dumps(answer).encode("ascii")
    write_all(report, struct.pack(">I", len(text)) + text)
    for _, fd, size in found:
        send_file(report, fd, size)
    os._exit(0)


def prepare(request, files):
    """The run's own mounts: one file system for /work, /tmp and /dev/shm, so that one quota holds for all.

    Gives a descriptor of a /proc that can be written to.
    """
    mount("none", "/", "", MS_REC | MS_PRIVATE)
    uid = request["uid"] or 0
    # What the program brings does not count into what it may write.
    size = request["disk"] + sum(-(-len(content) // PAGE) * PAGE for _, _, content in files)
    inodes = request["inodes"] + 8 + sum(path.count(b"/") + 1 for path, _, _ in files)
    mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=%d,nr_inodes=%d,mode=0755" % (size, inodes))
    for name, mode in (("work", 0o755), ("shm", 0o1777), ("tmp", 0o1777)):
        os.mkdir("/tmp/" + name)
        os.chmod("/tmp/" + name, mode)
    os.chown("/tmp/work", uid, uid)
    mount("/tmp/work", WORK, "", MS_BIND)
    mount("/tmp/shm", "/dev/shm", "", MS_BIND)
    mount("/tmp/tmp", "/tmp", "", MS_BIND)
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    if request["uid"] is None:
        # What is the reaper's in there would be the program's too.
        mount("proc", "/proc", "proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)
    mask_proc()
    for path, mode, content in files:
        lay(path, mode, content, uid)
    raise_loopback()
    return proc


def mask_proc():
    """Cover what tells of the host and its other users: how it was started, its disks, what it is busy with, its keys.

    Much else is for the host's root alone, who is nobody in here. Only in the mounts of the run: with a covered /proc
    the kernel would let init mount no other.
    """
    for name in MASKED:
        if os.path.exists("/proc/" + name):
            mount("/dev/null", "/proc/" + name, "", MS_BIND)


def lay(path, mode, content, uid):
    """Write one file of the request; the work dir is still empty of anything foreign."""
    parts = path.split(b"/")
    for end in range(1, len(parts)):
        folder = WORK.encode() + b"/" + b"/".join(parts[:end])
        if not os.path.isdir(folder):
            os.mkdir(folder, 0o755)
            os.chown(folder, uid, uid)
    full = WORK.encode() + b"/" + path
    fd = os.open(full, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        write_all(fd, content)
        os.fchown(fd, uid, uid)
    finally:
        os.close(fd)


def raise_loopback():
    """Bring up `lo`, the only interface of the run's network namespace."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        interface = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(sock, SIOCGIFFLAGS, interface))[1]
        fcntl.ioctl(sock, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))


def read_words(fd):
    """What the program's process said before its exec closed the pipe."""
    text = b""
    while True:
        part = os.read(fd, PAGE)
        if not part:
            break
        text += part
    os.close(fd)
    words = {}
    for line in text.splitlines():
        words.update(json.loads(line))
    return words


def wait_for(program):
    """The program's wait status; all others that end meanwhile are reaped too. SIGTERM ends the waiting by force."""
    while True:
        if signal.sigwaitinfo([signal.SIGCHLD, signal.SIGTERM]).si_signo == signal.SIGTERM:
            kill_all()
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == program:
                return status
            # On many cores orphans may come faster than they can be waited for.
            if pid == 0 or signal.SIGTERM in signal.sigpending():
                break


def kill_all():
    """Kill every other process of the PID namespace."""
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass


def kill_rest():
    """Kill and reap until nobody is left; only so is the CPU time of orphans known exactly."""
    while True:
        kill_all()
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return
