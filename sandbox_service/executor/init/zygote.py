"""The process of which all programs of a sandbox are born. It lives in the sandbox's control group, and so do they.

It never reads anything of a submission: the request, as all else, goes to the new process as descriptors. So nothing
of one run is in the memory of the next.

Words to it, with descriptors beside them: JOIN and those of the control group's files; RUN, what has to be known before
the fork, and those of a run; KEEP and that of a program of ours; FILTER and that of a filter of system calls. Words
from it: READY; ENDED with the program's wait status and the CPU seconds of all children that were waited for.
"""

import _signal
import _socket
import ctypes
import os
import resource
import struct

from .kernel import libc, read_all
from .network import Network
from .program import Birth, drop_bounding_set, report_failure
from .reaper import Idle, Waiting, end_all, wait_for_program
from .warmup import pin

JOIN, RUN, KEEP, FILTER, READY, ENDED, REAPER = b"J", b"R", b"H", b"F", b"K", b"E", b"P"
PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 4, 38
MAX_FDS = 16
STATUS = 4
"""Which of a run's descriptors is for words to init."""


def receive(control):
    """The next words, and the descriptors beside them."""
    words, rights, _, _ = control.recvmsg(256, _socket.CMSG_SPACE(MAX_FDS * 4), _socket.MSG_CMSG_CLOEXEC)
    fds = []
    for level, kind, data in rights:
        if level == _socket.SOL_SOCKET and kind == _socket.SCM_RIGHTS:
            fds += [fd for (fd,) in struct.iter_unpack("i", data[: len(data) - len(data) % 4])]
    return words, fds


class Settings:
    """What is kept from run to run.

    Args:
        usage: whether the last descriptor is of the file that tells the CPU time of the group.
        keep_network: whether the network namespace is kept.
        idle_reaper: whether nobody has to wait for orphans, since the group counts their CPU time.
    """

    def __init__(self, usage, keep_network, idle_reaper):
        self.usage, self.keep_network, self.idle_reaper = usage, keep_network, idle_reaper


class Zygote:
    """The parent of programs.

    Args:
        control: a socket to init.
        interpreter: how to run a command without starting another Python, or `None`.
    """

    def __init__(self, control, interpreter):
        self._control, self._interpreter = control, interpreter
        self._own_pids = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        self._birth, self._reaper = Birth(interpreter), None

    def serve(self):
        """Bear programs until init is gone. Returns in a new process that is to go on as a Python that just started.

        Gives what `_run` gives.
        """
        # Nobody has anything to tell this process by a signal but init; the reaper, too, inherits this.
        _signal.pthread_sigmask(_signal.SIG_BLOCK, _signal.valid_signals())
        drop_bounding_set()
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
        self._network = Network()
        self._control.send(READY + bytes([self._interpreter is not None]))
        while True:
            words, fds = receive(self._control)
            if not words:
                os._exit(0)
            if words[:1] == JOIN:
                self._settings = Settings(*map(bool, words[1:]))
                self._join(fds)
            elif words[:1] == RUN:
                told = self._run(words[1:], fds)
                if told is not None:
                    return told
            else:
                keep = self._birth.keep_filter if words == FILTER else self._interpreter.keep
                keep(read_all(fds[0]))
                os.close(fds[0])
                self._control.send(READY)

    def _join(self, fds):
        """Enter a control group; those who are born from now on are born in it."""
        self._release_reaper()  # it stays in the old one
        if self._birth.usage is not None:
            os.close(self._birth.usage)
        self._birth.usage = fds.pop() if self._settings.usage else None
        for fd in fds:
            os.write(fd, b"0")
            os.close(fd)
        self._new_reaper()
        self._control.send(READY)

    def _new_reaper(self):
        self._reaper = Idle() if self._settings.idle_reaper else Waiting()
        self._control.send(REAPER + struct.pack("i", self._reaper.pid))

    def _release_reaper(self):
        """End one that has had no run yet."""
        if self._reaper is not None:
            os.kill(self._reaper.pid, _signal.SIGKILL)
            os.waitpid(self._reaper.pid, 0)
            self._leave_pids()

    def _leave_pids(self):
        """The next child but one is in a PID namespace of its own, below this process's."""
        if libc.setns(self._own_pids, 0) == -1:
            raise OSError(ctypes.get_errno(), "setns")
        self._reaper = None

    def _run(self, words, fds):
        """Bear one program, and see it and all others of its run to their end.

        In the program's own process: whether it goes on as it is, `None` in this one.
        """
        while _signal.SIGTERM in _signal.sigpending():  # init's last word to a run that had just ended
            _signal.sigwaitinfo([_signal.SIGTERM])
        before = waited_for()
        try:
            program = self._birth.bear(words, fds)
        except OSError as error:  # its group is so small that not even this fits
            report_failure(fds[STATUS], "lost", error)
            program = None
        if program == 0:
            return bool(words[0])
        for fd in fds:
            os.close(fd)  # the ends of the pipes must close with the program's last process
        status = wait_for_program(program) if program else None
        status = end_all(self._reaper, program, status)
        self._leave_pids()
        if self._network.used or not self._settings.keep_network:
            self._network.renew()
        self._new_reaper()  # before the word: then who is in the group is certain when the run is over
        status = _signal.SIGKILL if status is None else status
        self._control.send(ENDED + struct.pack("id", status, waited_for() - before))
        return None


def waited_for():
    """CPU seconds of all children so far, and of those whom they have waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main(control, interpreter=None):
    """Serve over a socket that is given by its descriptor; see `Zygote.serve`."""
    try:
        zygote = Zygote(_socket.socket(fileno=control), interpreter)
        pin(zygote)  # to take it to pieces would cost a new process more than all that it has to do itself
        return zygote.serve()
    except BaseException:
        os._exit(1)
