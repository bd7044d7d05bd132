"""The program's process in a container, from its fork on: it gives up all that it must not have, then executes it."""

import _signal
import ctypes
import fcntl
import os
import resource
import struct

from .kernel import WORK, address_of, check, forget_signals, libc, write_at
from .program import ALL_FDS, CLOSE_RANGE_CLOEXEC, drop_bounding_set, number_of, report_failure, words_of_start
from .watch import SECCOMP_SET_MODE_FILTER, SYS_SECCOMP, load_seccomp

SYS_CLOSE_RANGE, ABOVE_CHANNEL = 436, 64
NOTIFY, KILL = struct.pack("=HBBI", 6, 0, 0, 0x7FC00000), struct.pack("=HBBI", 6, 0, 0, 0x80000000)
"""Steps of a filter: hand the call to who listens; end the process."""


def become_program(request, streams, status, teller, channel, moved):
    """In the program's process: give everything up, then exec. Never returns.

    Args:
        request: the header of the request.
        streams: descriptors of standard input and of both outputs.
        status: of the pipe for words to init.
        teller: socket over which init is given the filter's listener.
        channel: descriptors of the channel, none or two.
        moved: can be read once this process is where its control group counts.
    """
    stage = "setup"
    try:
        os.read(moved, 1)
        # Out of the way of the numbers that the program expects.
        moved = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, ABOVE_CHANNEL) for fd in (*streams, *channel)]
        status = fcntl.fcntl(status, fcntl.F_DUPFD_CLOEXEC, ABOVE_CHANNEL)
        forget_signals()
        os.setsid()
        for target, source in enumerate(moved[:3]):
            os.dup2(source, target)
        # Where memory is short the program goes first, and not init.
        write_at(None, "/proc/self/oom_score_adj", "1000")
        os.chdir(WORK)
        os.umask(0o022)
        become_user(request["uid"])
        open_files = request["limits"].pop("NOFILE")
        for name, value in request["limits"].items():
            limit(name, value, request["gvisor"])
        command = [os.fsencode(item) for item in request["command"]]
        environment = {os.fsencode(key): os.fsencode(value) for key, value in request["environment"].items()}
        load(bytes.fromhex(request["seccomp"]), teller)
        limit("NOFILE", open_files, False)  # after the listener, who needs a number
        _signal.pthread_sigmask(_signal.SIG_SETMASK, [])
        stage = "exec"
        for target, source in enumerate(moved[3:], 3):
            os.dup2(source, target)
        own = resource.getrusage(resource.RUSAGE_SELF)
        os.write(status, words_of_start(own.ru_utime + own.ru_stime))
        os.execve(command[0], command, environment)
    except BaseException as error:
        report_failure(status, stage, error)
    os._exit(127)


def limit(name, value, gvisor):
    """Set a resource limit, soft and hard, not above what is allowed; gVisor has not all of them."""
    number = number_of(name)
    hard = resource.getrlimit(number)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    try:
        resource.setrlimit(number, (value, value))
    except ValueError:
        if not gvisor:
            raise


def keep_only(first):
    """Have exec close all descriptors from one on; gVisor does not know that of a range."""
    try:
        check(libc.syscall(SYS_CLOSE_RANGE, first, ctypes.c_uint(ALL_FDS), CLOSE_RANGE_CLOEXEC), "close_range")
    except OSError:
        for name in os.listdir("/proc/self/fd"):
            if int(name) >= first:
                try:
                    os.set_inheritable(int(name), False)
                except OSError:  # that of the listing itself
                    pass


def become_user(uid):
    """Become the run's own user; with that the kernel takes all capabilities away."""
    drop_bounding_set()
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def load(program, teller):
    """Load the policy's filter; where nobody can listen to it the call itself is deadly."""
    try:
        load_seccomp(program, teller)
    except OSError:
        steps = [program[at : at + 8] for at in range(0, len(program), 8)]
        program = b"".join(KILL if step == NOTIFY else step for step in steps)
        filter = struct.pack("HxxxxxxP", len(steps), address_of(program))
        check(libc.syscall(SYS_SECCOMP, SECCOMP_SET_MODE_FILTER, 0, filter), "seccomp")
