"""Init's side of the zygote: starts it, and hands it what programs are made of."""

import array
import marshal
import os
import socket
import struct
import sys

from .kernel import check, forget_signals, libc
from .message import memory_file
from .zygote import ENDED, JOIN, READY, REAPER, RUN

SYS_PIDFD_OPEN = 434


class Gone(Exception):  # noqa: N818
    """There is no zygote any more."""


class Launcher:
    """A zygote and how to talk to it.

    Attributes:
        pid: its process id.
        reaper: process id of the first process of the next run.
        control: the socket to it.
        alive: a descriptor that can be read once it is dead. The socket's end would not tell: a reaper may hold it too.
    """

    def __init__(self):
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.reaper = None
        self.pid = os.fork()
        if self.pid == 0:
            try:
                forget_signals()
                self._exec(theirs.fileno())
            finally:
                os._exit(127)
        theirs.close()
        self.alive = check(libc.syscall(SYS_PIDFD_OPEN, self.pid, 0), "pidfd_open")
        self._expect(READY)

    def _exec(self, control):
        """A fresh interpreter, which has nothing of init's memory."""
        os.dup2(memory_file(b""), 0)
        archive = int(os.path.basename(sys.argv[0]))
        for fd in (control, archive):
            os.set_inheritable(fd, True)
        start = "import sys; sys.path.insert(0, '/proc/self/fd/%d'); from init.zygote import main; main(%d)"
        os.execv(sys.executable, [sys.executable, "-I", "-S", "-c", start % (archive, control)])

    def _expect(self, word):
        while True:
            words = self.control.recv(64)
            if words[:1] == REAPER:
                self.reaper = struct.unpack("i", words[1:])[0]
            elif words[:1] == word:
                return words[1:]
            else:
                raise Gone

    def join(self, fds, *settings):
        """Have the zygote enter a control group; all that run later are in it. The settings are `Settings`."""
        send_with(self.control, JOIN + bytes(settings), fds)
        self._expect(READY)

    def start(self, request, fds):
        """Have it start a program; `fds` as `become_program` takes them, but for the request."""
        text = memory_file(marshal.dumps(request))
        try:
            send_with(self.control, RUN, [text, *fds])
        except OSError:
            raise Gone from None
        finally:
            os.close(text)

    def ended(self):
        """The program's wait status and the CPU seconds of all that were waited for, once the control is readable."""
        return struct.unpack("id", self._expect(ENDED))


def send_with(sock, words, fds):
    """Send words with descriptors beside them."""
    sock.sendmsg([words], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else [])
