"""PID 1 of a run's PID namespace: with its death the kernel kills all others in there, and it is gone only after them.

There are two. `Waiting` is a process that waits for orphans, and so knows their CPU time. `Idle` does nothing at all:
the kernel clears orphans away by itself, and their CPU time is known to their control group alone. It shares the memory
of this process, of which a copy for each run would cost more than all else. What a program could do to it, it could do
to this process; so look closely at what it can:

- It is another process with another user (or in a user namespace of its own), so a program may neither trace it nor
  read or write its memory, nor signal it or change its limits (the seccomp filter sees to it where the user is shared).
- It runs no code but one system call, `pause`, with all signals blocked, so none makes it run any.
- Its death, by whatever cause, is that of the run alone; only for want of memory the kernel kills also those who share
  its memory, which is then a verdict: a limit of the run's group was met.
"""

import _signal
import ctypes
import os

from .kernel import CLONE_NEWPID, CLONE_VM, check, libc, unshare

WALL = 0x40000000
"""`__WALL`: to wait for every kind of child; a program chooses of which kind those are that it makes its siblings."""
PF_EXITING = 4
STACK = 16384


class Waiting:
    """A reaper that waits for orphans.

    Attributes:
        pid: its process id.
    """

    END = _signal.SIGTERM

    def __init__(self):
        unshare(CLONE_NEWPID)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                reap()
            finally:
                os._exit(0)


class Idle:
    """A reaper that does nothing; see above.

    Attributes:
        pid: its process id.
    """

    END = _signal.SIGKILL
    _pause = ctypes.cast(libc.pause, ctypes.c_void_p)
    _stack = ctypes.create_string_buffer(STACK)
    _top = ctypes.c_void_p((ctypes.addressof(_stack) + STACK) & ~63)

    def __init__(self):
        unshare(CLONE_NEWPID)
        _signal.signal(_signal.SIGCHLD, _signal.SIG_IGN)  # it inherits that; whoever ignores it has no zombies
        try:
            self.pid = check(libc.clone(self._pause, self._top, CLONE_VM | _signal.SIGCHLD, None), "clone")
        finally:
            _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)


def reap():
    """Wait for orphans, until told to end everything.

    All signals are blocked: SIGTERM is our parent's word, all others mean nothing, whoever sends them.
    """
    while _signal.sigwaitinfo([_signal.SIGCHLD, _signal.SIGTERM]).si_signo == _signal.SIGCHLD:
        # On many cores orphans may come faster than they can be waited for.
        while _signal.SIGTERM not in _signal.sigpending() and wait_for_one(os.WNOHANG):
            pass
    while True:
        kill_all()
        if not wait_for_one():
            return


def wait_for_one(options=0):
    """Wait for a child; False if there is none."""
    try:
        return os.waitpid(-1, options | WALL)[0] > 0
    except ChildProcessError:
        return False


def kill_all():
    """Kill every other process of the PID namespace."""
    try:
        os.kill(-1, _signal.SIGKILL)
    except ProcessLookupError:
        pass


class Lost(Exception):  # noqa: N818
    """The run is lost by nobody's fault who is part of it."""


def wait_for_program(program):
    """The program's wait status, `None` if init's SIGTERM came first.

    What a program makes its sibling is our child too. One that asks to be traced by us stops, and is not gone.
    """
    while True:
        if _signal.sigwaitinfo([_signal.SIGCHLD, _signal.SIGTERM]).si_signo == _signal.SIGTERM:
            return None
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG | WALL)
            if pid == program and not os.WIFSTOPPED(status):
                return status
            if pid == 0 or _signal.SIGTERM in _signal.sigpending():
                break


def end_all(reaper, program, status):
    """Have the reaper end everything, and wait for all that are our children; gives the program's wait status.

    Raises:
        Lost: somebody else had ended the reaper, and with it the program.
    """
    lost = status == _signal.SIGKILL and is_ending(reaper.pid)
    os.kill(reaper.pid, reaper.END)
    while True:
        pid, ended = os.waitpid(-1, WALL)
        if os.WIFSTOPPED(ended):
            continue
        if pid == program:
            status = ended
        elif pid == reaper.pid:
            if lost:
                raise Lost
            return status


def is_ending(pid):
    """Whether the kernel is about to end a process, or has."""
    with open("/proc/%d/stat" % pid, "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
    return bool(int(fields[6]) & PF_EXITING)
