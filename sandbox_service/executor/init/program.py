"""The program's process, from its fork on: it makes the walls of its run, and gives up all that it must not have.

Nearly all of that is system calls that are known before the fork but for a few numbers. So they stand in a table, into
which these numbers are written, and the new process has little else to do than to make them.
"""

import _signal
import ctypes
import marshal
import os
import resource
import struct

from .calls import Calls, Failed
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
    address_of,
    libc,
    limit_counts,
    read_all,
    unshare,
    write_at,
)
from .watch import SECCOMP_FILTER_FLAG_NEW_LISTENER, SECCOMP_SET_MODE_FILTER, Letter, described

PR_CAPBSET_DROP, PR_SET_DUMPABLE = 24, 4
CLOSE_RANGE_CLOEXEC, ALL_FDS = 4, 0xFFFFFFFF
KEYCTL_JOIN_SESSION_KEYRING = 1
AT_FDCWD, MOVE_MOUNT_F_EMPTY_PATH = -100, 4
SIG_SETMASK, NO_SIGNALS = 2, bytes(8)
CAPABILITIES, NO_CAPABILITIES = struct.pack("Ii", 0x20080522, 0), bytes(24)
LAST_CAPABILITY = 63
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
WARM, RUSAGE, GROUP, WORDS_OF_START = 1, 8, 160, 416
"""Where in the words of the start are: whether it is a Python that had started already, `struct rusage` of the process,
and the text that tells the CPU time of its group."""
RUN_NAMESPACES = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWCGROUP
"""Those of PIDs and of the network are there already, the former with the reaper in it."""
LIMITS = ("STACK", "MEMLOCK", "MSGQUEUE", "SIGPENDING", "CORE", "DATA", "NPROC", "NOFILE")
WORDS = struct.Struct("?ii%dq" % len(LIMITS))
"""What the zygote is told of a run: whether it is to go on as the very Python that the zygote is, its user (-1: none of
its own), the number of its filter, its limits (-1: none). Nothing of it is a submission's own."""
CHANNEL = 3
"""The first descriptor of it, as the program sees it. What is handed over has none of these numbers."""


class Birth:
    """How the processes of programs come to be.

    Args:
        interpreter: how to run a command of this Python without starting another, or `None`.

    Attributes:
        usage: descriptor of the file that tells the CPU time of the control group, or `None`.
    """

    def __init__(self, interpreter):
        self.usage, self._interpreter = None, interpreter
        self._kept, self._tables = [], {}

    def keep_filter(self, program):
        """Keep a filter, an array of `struct sock_filter`; runs name it by its number, in the order of these calls."""
        self._kept.append((program, described(program)))

    def bear(self, words, fds):
        """Bear a program: its process id, or 0 in its own process where that is to go on as this Python.

        Args:
            words: `WORDS`.
            fds: descriptors of the run's file system, standard input and both outputs, of the pipe for words to init,
                of the socket over which init is given the filter's listener, of the channel, if there is one, and of
                the request, unless the zygote is already as the program wants it.

        Raises:
            OSError: there is no new process.
        """
        as_it_is, uid, filter, *limits = WORDS.unpack(words)
        # The list stays whole: all of it is the caller's to close.
        fds, request = (fds, None) if as_it_is else (fds[:-1], fds[-1])
        kind = (uid >= 0, len(fds), self.usage is not None, *(value >= 0 for value in limits))
        table = self._tables.get(kind) or self._new_table(kind)
        table.fill(uid, fds, self.usage, address_of(self._kept[filter][1]), dict(zip(LIMITS, limits)))  # noqa: B905
        if self._interpreter:
            self._interpreter.set_thread_stacks(table.stack)
        table.started[WARM] = as_it_is
        try:
            process = table.bear(whole=as_it_is)
        except Failed as error:  # in the new process
            report_failure(table.status, "setup", error)
            os._exit(127)
        if process == 0 and not as_it_is:
            self._go_on(table, uid, request)
        return process

    def _new_table(self, kind):
        table = Table(*kind[:3], [name for name, has in zip(LIMITS, kind[3:]) if has])  # noqa: B905  # Python 3.8
        self._tables[kind] = table
        if self._interpreter:
            self._interpreter.freeze()
        return table

    def _go_on(self, table, uid, request):
        """In the new process: what is of the submission's own. Returns only to go on as this Python."""
        stage = "setup"
        try:
            request = marshal.loads(read_all(request))
            if uid < 0:
                table.drop_privileges()
            command, environment = [os.fsencode(item) for item in request["command"]], request["environment"]
            kept, interpreter = request["kept"], self._interpreter
            warm = kept is not None or (
                request["warm"] and interpreter is not None and interpreter.fits(command, environment)
            )
            if warm:
                interpreter.take_over(command, environment, kept)
            else:
                forget_python_signals()
            table.end(warm)
            if warm:
                return
            stage = "exec"
            os.execve(command[0], command, {os.fsencode(key): os.fsencode(value) for key, value in environment.items()})
        except BaseException as error:
            report_failure(table.status, stage, error)
        os._exit(127)


class Table:
    """The system calls of a new process.

    Args:
        own_user: whether the run has a user of its own; else `drop_privileges` is to be called.
        fds: how many descriptors are handed over.
        usage: whether the CPU time of the control group is told.
        limits: names of the limits that are set.

    Attributes:
        started: the words to init once the program has started.
        status: where they go.
    """

    def __init__(self, own_user, fds, usage, limits):
        self._calls, self._own_user, self._usage = Calls(), own_user, usage
        self.status = None
        self.started = bytearray(STARTED.ljust(WORDS_OF_START, b"\0"))
        self._started_at = ctypes.addressof(ctypes.c_char.from_buffer(self.started))
        self._pairs = {name: (ctypes.c_long * 2)() for name in limits}
        self._hard = {name: resource.getrlimit(number_of(name))[1] for name in limits}
        self._letter, self._proc, self._ids = Letter(), ctypes.c_long(), []
        self._streams = [self._add("dup3", 0, target, 0) for target in range(3)]
        self._make_session()
        self._make_walls()
        self._own = self._calls.count
        self._drop_privileges()
        self._limit()
        self._last = self._calls.count
        self._end(fds - 6)

    def _add(self, name, *arguments, may_fail=False):
        """Append a call; gives the word of its first argument."""
        return self._calls.slot(self._calls.add(name, *arguments, may_fail=may_fail), 0)

    def _make_session(self):
        self._add("setsid")
        self._add("prctl", PR_SET_DUMPABLE, 1, may_fail=True)  # else its files in /proc are root's
        # Where memory is short, of the machine or of its group, the program goes first and not who bore it.
        adjust = self._calls.add("openat", AT_FDCWD, b"/proc/self/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC)
        self._calls.result_to(adjust, self._calls.address(self._add("write", 0, b"1000", 4)))

    def _make_walls(self):
        """The run's own namespaces and mounts."""
        self._add("unshare", RUN_NAMESPACES)
        self._root = self._add("move_mount", 0, b"", AT_FDCWD, b"/tmp", MOVE_MOUNT_F_EMPTY_PATH)
        self._mount("/tmp/work", WORK, "", MS_BIND)
        self._mount("/tmp/shm", "/dev/shm", "", MS_BIND)
        self._mount("/tmp/tmp", "/tmp", "", MS_BIND)
        self._mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
        if not self._own_user:
            proc = self._calls.add("openat", AT_FDCWD, b"/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
            self._calls.result_to(proc, ctypes.addressof(self._proc))
            # What is the reaper's in there would be the program's too.
            self._mount("proc", "/proc", "proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)
        self._mask_proc()
        self._add("chdir", WORK.encode())
        self._add("umask", 0o022)

    def _mount(self, source, target, kind, flags):
        self._add("mount", source.encode(), target.encode(), kind.encode(), flags, b"")

    def _mask_proc(self):
        """Cover what tells of the host and its other users: its start, its disks, its keys, what it is busy with.

        Much else is for the host's root alone, who is nobody in here. Only in the mounts of the run: with a covered
        /proc the kernel would let nobody in this user namespace mount another.
        """
        for name in MASKED:
            if os.path.exists("/proc/" + name):
                self._mount("/dev/null", "/proc/" + name, "", MS_BIND)

    def _drop_privileges(self):
        """Become the run's own user, if it has one, and nothing but a user."""
        if self._own_user:
            self._add("setgroups", 0, 0)
            self._ids.append(self._add("setresgid", 0, 0, 0))
            self._ids.append(self._add("setresuid", 0, 0, 0))
        # A fresh one, with nothing in it: else the service's own, and what earlier runs put there. Not on all kernels.
        self._add("keyctl", KEYCTL_JOIN_SESSION_KEYRING, 0, may_fail=True)
        self._add("capset", CAPABILITIES, NO_CAPABILITIES)
        self._add("prctl", PR_SET_DUMPABLE, 1, may_fail=True)  # as after exec: what /proc tells of it is its own again

    def _limit(self):
        """Limits of the process, but for one. After the user: a limit of processes counts in its user namespace."""
        for name in self._pairs:
            if name != "NOFILE":
                self._set_limit(name)

    def _set_limit(self, name):
        self._add("prlimit64", 0, number_of(name), ctypes.addressof(self._pairs[name]), 0)

    def _end(self, channel):
        listen = self._calls.add("seccomp", SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, 0)
        self._calls.result_to(listen, self._letter.fd)
        self._filter = self._calls.slot(listen, 2)
        self._teller = self._add("sendmsg", 0, self._letter.head, 0)
        # After the listener, who needs a number; and what is sent counts against the limit of who sends it, together
        # with all that is on its way from this user, also by other runs.
        self._set_limit("NOFILE")
        self._add("rt_sigprocmask", SIG_SETMASK, NO_SIGNALS, 0, len(NO_SIGNALS))
        self._channel = [self._add("dup3", 0, CHANNEL + at, 0) for at in range(channel)]
        self._add("getrusage", resource.RUSAGE_SELF, self._started_at + RUSAGE)
        if self._usage:
            self._group = self._add("pread64", 0, self._started_at + GROUP, WORDS_OF_START - GROUP - 1, 0)
        self._status = self._add("write", 0, self._started_at, WORDS_OF_START)
        close = self._calls.add("close_range", CHANNEL + channel, ALL_FDS, 0)
        self._how_to_close = self._calls.slot(close, 2)

    def fill(self, uid, fds, usage, filter, limits):
        """Write into it what is of one run; see `Birth.bear`."""
        words = self._calls.words
        words[self._root], *streams, words[self._status], words[self._teller] = fds[:6]
        for slot, fd in zip([*self._streams, *self._channel], [*streams, *fds[6:]]):  # noqa: B905  # Python 3.8
            words[slot] = fd
        for slot in self._ids:
            words[slot : slot + 3] = (uid,) * 3
        if self._usage:
            words[self._group] = usage
        words[self._filter] = filter
        self.status = fds[4]
        for name, pair in self._pairs.items():
            hard = self._hard[name]
            pair[:] = [limits[name] if hard == resource.RLIM_INFINITY else min(limits[name], hard)] * 2

    @property
    def stack(self):
        """Limit of the stack, bytes."""
        return self._pairs["STACK"][0]

    def bear(self, *, whole):
        """Fork, and in the new process make all calls, or those before what is of the submission's own.

        Without a user of its own the latter are not all; see `drop_privileges`.
        """
        self._calls.words[self._how_to_close] = 0
        return self._calls.bear(self._calls.count if whole else self._last if self._own_user else self._own)

    def drop_privileges(self):
        """Become an unprivileged user in a further user namespace."""
        unshare(CLONE_NEWUSER)
        for name, text in (("setgroups", "deny"), ("uid_map", "1000 0 1"), ("gid_map", "1000 0 1")):
            write_at(self._proc.value, "self/" + name, text)
        limit_counts(self._proc.value)
        drop_bounding_set()  # the new namespace brought a new one
        self._calls.make(self._own, self._last)

    def end(self, warm):
        """Make the last calls of a process that goes on as this Python, or with another program."""
        self.started[WARM] = warm
        self._calls.words[self._how_to_close] = 0 if warm else CLOSE_RANGE_CLOEXEC
        self._calls.make(self._last, self._calls.count)


def words_of_start(own):
    """The words of a process that used so many CPU seconds before the program started, and has no group to read."""
    return (
        STARTED + bytes(RUSAGE - 1) + struct.pack("4l", 0, int(own * 1e6), 0, 0).ljust(WORDS_OF_START - RUSAGE, b"\0")
    )


def number_of(limit):
    """Of a resource limit, by its name."""
    return getattr(resource, "RLIMIT_" + limit)


def forget_python_signals():
    """Give two signals their default action: Python ignores them, which would outlive exec."""
    for number in (_signal.SIGPIPE, _signal.SIGXFSZ):
        _signal.signal(number, _signal.SIG_DFL)


def report_failure(status, stage, error):
    """Tell init why there is no program."""
    words = {"stage": stage, "errno": getattr(error, "errno", None), "text": str(error)}
    os.write(status, FAILED + marshal.dumps(words))


def drop_bounding_set():
    """No program executed from here on gets a capability by it."""
    for capability in range(LAST_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
