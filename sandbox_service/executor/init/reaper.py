"""PID 1 of a run's PID namespace: with its death the kernel kills all others in there."""

import os
import signal

from .kernel import CLONE_NEWPID, unshare

WALL = 0x40000000
"""`__WALL`: to wait for every kind of child; a program chooses of which kind those are that it makes its siblings."""
PF_EXITING = 4


def start_reaper():
    """A process that waits for orphans, so that their CPU time is known, and on SIGTERM kills and waits for all."""
    unshare(CLONE_NEWPID)
    reaper = os.fork()
    if reaper == 0:
        try:
            reap()
        finally:
            os._exit(0)
    return reaper


def reap():
    """Wait for orphans, until told to end everything.

    All signals are blocked: SIGTERM is our parent's word, all others mean nothing, whoever sends them.
    """
    while signal.sigwaitinfo([signal.SIGCHLD, signal.SIGTERM]).si_signo == signal.SIGCHLD:
        # On many cores orphans may come faster than they can be waited for.
        while signal.SIGTERM not in signal.sigpending() and wait_for_one(os.WNOHANG):
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
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Lost(Exception):  # noqa: N818
    """The run is lost by nobody's fault who is part of it."""


def wait_for_program(program):
    """The program's wait status, `None` if init's SIGTERM came first.

    What a program makes its sibling is our child too. One that asks to be traced by us stops, and is not gone.
    """
    while True:
        if signal.sigwaitinfo([signal.SIGCHLD, signal.SIGTERM]).si_signo == signal.SIGTERM:
            return None
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG | WALL)
            if pid == program and not os.WIFSTOPPED(status):
                return status
            if pid == 0 or signal.SIGTERM in signal.sigpending():
                break


def end_all(reaper, program, status):
    """Have the reaper end everything, and wait for all that are our children; gives the program's wait status.

    Raises:
        Lost: somebody else had ended the reaper, and with it the program.
    """
    lost = status == signal.SIGKILL and is_ending(reaper)
    os.kill(reaper, signal.SIGTERM)
    while True:
        pid, ended = os.waitpid(-1, WALL)
        if os.WIFSTOPPED(ended):
            continue
        if pid == program:
            status = ended
        elif pid == reaper:
            if lost:
                raise Lost
            return status


def is_ending(pid):
    """Whether the kernel is about to end a process, or has."""
    with open("/proc/%d/stat" % pid, "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
    return bool(int(fields[6]) & PF_EXITING)
