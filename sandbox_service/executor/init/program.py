"""The program's process, from its fork on: it makes the walls of its run, and gives up all that it must not have."""

import _signal
import _socket
import ctypes
import fcntl
import marshal
import os
import resource
import struct

from .kernel import (
    CLONE_NEWCGROUP,
    CLONE_NEWIPC,
    CLONE_NEWNS,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
    MS_BIND,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_RDONLY,
    WORK,
    check,
    group_cpu,
    libc,
    limit_counts,
    mount,
    read_all,
    unshare,
    write_at,
)
from .watch import load_seccomp

PR_CAPBSET_DROP, PR_SET_DUMPABLE = 24, 4
SYS_CLOSE_RANGE, CLOSE_RANGE_CLOEXEC = 436, 4
SYS_KEYCTL, KEYCTL_JOIN_SESSION_KEYRING = {"x86_64": 250, "aarch64": 219}[os.uname().machine], 1
SYS_MOVE_MOUNT, AT_FDCWD, MOVE_MOUNT_F_EMPTY_PATH = 429, -100, 4
LAST_CAPABILITY = 63
ABOVE_CHANNEL = 64
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
STARTED, FAILED = b"S", b"X"
RUN_NAMESPACES = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWCGROUP
"""Those of PIDs and of the network are there already, the former with the reaper in it."""


def become_program(fds, interpreter=None, usage=None):
    """In the program's process: make the walls, give everything up, then exec. Returns only where that is not needed.

    Args:
        interpreter: how to run a command of this Python without starting another.
        usage: descriptor of the file that tells the CPU time of the control group, if there is one.
        fds: descriptors of the request, the run's file system, standard input and both outputs, of the pipe for words
            to init, of the socket over which init is given the filter's listener, and of the channel, if there is one.
    """
    stage = "setup"
    request_fd, root, *streams, status, teller = fds[:7]
    # Out of the way of the numbers that the program expects.
    status = fcntl.fcntl(status, fcntl.F_DUPFD_CLOEXEC, ABOVE_CHANNEL)
    try:
        request = marshal.loads(read_all(request_fd))
        group = None if usage is None else fcntl.fcntl(usage, fcntl.F_DUPFD_CLOEXEC, ABOVE_CHANNEL)
        teller = _socket.socket(fileno=fcntl.fcntl(teller, fcntl.F_DUPFD_CLOEXEC, ABOVE_CHANNEL))
        channel = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, ABOVE_CHANNEL) for fd in fds[7:]]
        os.setsid()
        for target, source in enumerate(streams):
            os.dup2(source, target)
        libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # else its files in /proc are root's
        # Where memory is short, of the machine or of its group, the program goes first and not who bore it.
        write_at(None, "/proc/self/oom_score_adj", "1000")
        proc = make_walls(request, root)
        drop_privileges(request["uid"], proc)
        open_files = request["limits"].pop("NOFILE")
        set_limits(request["limits"])  # after: a limit of processes counts in the user namespace it was set in
        command = [os.fsencode(item) for item in request["command"]]
        kept = request["kept"]
        warm = kept is not None or (
            request["warm"] and interpreter is not None and interpreter.fits(command, request["environment"])
        )
        if warm:
            interpreter.take_over(command, request["environment"], kept)
        load_seccomp(bytes.fromhex(request["seccomp"]), teller)
        teller.close()
        # After the listener, who needs a number; and what is sent counts against the limit of who sends it, together
        # with all that is on its way from this user, also by other runs.
        set_limits({"NOFILE": open_files})
        forget_python_signals(warm)
        _signal.pthread_sigmask(_signal.SIG_SETMASK, [])
        stage = "exec"
        for target, source in enumerate(channel, 3):
            os.dup2(source, target)
        own = resource.getrusage(resource.RUSAGE_SELF)
        before = 0.0 if group is None else group_cpu(group)
        close_from(3 + len(channel), CLOSE_RANGE_CLOEXEC)
        os.write(status, STARTED + struct.pack("dd?", own.ru_utime + own.ru_stime, before, warm))
        if warm:
            return close_from(3 + len(channel), 0)
        environment = {os.fsencode(key): os.fsencode(value) for key, value in request["environment"].items()}
        os.execve(command[0], command, environment)
    except BaseException as error:
        report_failure(status, stage, error)
    os._exit(127)


def close_from(first, how):
    """Close all descriptors from one on, now or with exec."""
    check(libc.syscall(SYS_CLOSE_RANGE, first, ctypes.c_uint(0xFFFFFFFF), how), "close_range")


def forget_python_signals(warm):
    """Signals as a fresh Python has them, or as any other program: Python ignores two, which would outlive exec."""
    for number in (_signal.SIGPIPE, _signal.SIGXFSZ):
        _signal.signal(number, _signal.SIG_IGN if warm else _signal.SIG_DFL)
    if warm:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)


def report_failure(status, stage, error):
    """Tell init why there is no program."""
    words = {"stage": stage, "errno": getattr(error, "errno", None), "text": str(error)}
    os.write(status, FAILED + marshal.dumps(words))


def make_walls(request, root):
    """The run's own namespaces and mounts. Gives a descriptor of a /proc that can be written to."""
    unshare(RUN_NAMESPACES)
    check(libc.syscall(SYS_MOVE_MOUNT, root, b"", AT_FDCWD, b"/tmp", MOVE_MOUNT_F_EMPTY_PATH), "move_mount")
    mount("/tmp/work", WORK, "", MS_BIND)
    mount("/tmp/shm", "/dev/shm", "", MS_BIND)
    mount("/tmp/tmp", "/tmp", "", MS_BIND)
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    if request["uid"] is None:
        # What is the reaper's in there would be the program's too.
        mount("proc", "/proc", "proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)
    mask_proc()
    os.chdir(WORK)
    os.umask(0o022)
    return proc


def mask_proc():
    """Cover what tells of the host and its other users: how it was started, its disks, what it is busy with, its keys.

    Much else is for the host's root alone, who is nobody in here. Only in the mounts of the run: with a covered /proc
    the kernel would let nobody in this user namespace mount another.
    """
    for name in MASKED:
        if os.path.exists("/proc/" + name):
            mount("/dev/null", "/proc/" + name, "", MS_BIND)


def set_limits(limits):
    """Set resource limits, soft and hard, none above what is allowed."""
    for name, value in limits.items():
        number = getattr(resource, "RLIMIT_" + name)
        hard = resource.getrlimit(number)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(number, (value, value))


def drop_bounding_set():
    """No program executed from here on gets a capability by it."""
    for capability in range(LAST_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def drop_privileges(uid, proc):
    """Become the run's own user; without a range of users, an unprivileged one in a further user namespace."""
    if uid is None:
        unshare(CLONE_NEWUSER)
        for name, text in (("setgroups", "deny"), ("uid_map", "1000 0 1"), ("gid_map", "1000 0 1")):
            write_at(proc, "self/" + name, text)
        limit_counts(proc)
        drop_bounding_set()  # the new namespace brought a new one
    else:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    # A fresh one, with nothing in it: else the service's own, and what earlier runs put there. Some kernels have none.
    libc.syscall(SYS_KEYCTL, KEYCTL_JOIN_SESSION_KEYRING, None)
    header, nothing = struct.pack("Ii", 0x20080522, 0), bytes(24)
    check(libc.capset(header, nothing), "capset")
    libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # as after exec: what /proc tells of it is its own again
