"""Init's side of the zygote: starts it, and hands it what programs are made of."""

import array
import ctypes
import marshal
import os
import resource
import socket
import struct
import sys

from .kernel import WORK, check, forget_signals, libc
from .message import memory_file
from .program import LIMITS, WORDS
from .zygote import ENDED, FILTER, JOIN, KEEP, READY, REAPER, RUN

SYS_PIDFD_OPEN, SYS_CLOSE_RANGE = 434, 436
CONTROL, ARCHIVE = 3, 4
"""Descriptors of a new zygote: the socket to it, and where its modules are."""
FAR = 100
ARCHIVE_END = b"PK\5\6"
OF_ITS_OWN = ("command", "environment", "warm", "kept")
"""What only the new process may read of a request."""
STACK = 1 << 30
"""So much room for its stack has a process whose own is enlarged later."""


class Gone(Exception):  # noqa: N818
    """There is no zygote any more."""


class Launcher:
    """A zygote and how to talk to it.

    Args:
        environment: of a fresh interpreter.
        preload: name of the set of modules that it has read already.

    Attributes:
        can_be_warm: whether it may run Python programs without starting another Python.
        pid: its process id.
        reaper: process id of the first process of the next run.
        control: the socket to it.
        alive: a descriptor that can be read once it is dead. The socket's end would not tell: a reaper may hold it too.
    """

    def __init__(self, environment, preload):
        self.reaper, self._environment = None, environment
        try:
            self._start(lambda: held_back(environment, {"SANDBOX_PRELOAD": preload}))
        except Gone:  # a Python that looks for no modules of its user
            self._start(plain)

    def _start(self, become):
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                forget_signals()
                prepare(theirs.fileno())
                become()
            finally:
                os._exit(127)
        theirs.close()
        self.alive = check(libc.syscall(SYS_PIDFD_OPEN, self.pid, 0), "pidfd_open")
        self.can_be_warm = self._expect(READY) == b"\1"

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

    def keep(self, text, *, is_filter):
        """Have it keep a program of ours, or a filter, for runs to come.

        They name it by its number, in the order of these calls.
        """
        program = memory_file(text)
        send_with(self.control, FILTER if is_filter else KEEP, [program])
        os.close(program)
        self._expect(READY)

    def start(self, request, files, fds):
        """Have it start a program of these files; `fds` as `Birth.bear` takes them, but for the request."""
        as_it_is = self.can_be_warm and self._is_as_wanted(request, files)
        uid = -1 if request["uid"] is None else request["uid"]
        limits = [request["limits"].get(name, -1) for name in LIMITS]
        words = RUN + WORDS.pack(as_it_is, uid, request["filter"], *limits)
        rest = [] if as_it_is else [memory_file(marshal.dumps({name: request[name] for name in OF_ITS_OWN}))]
        try:
            send_with(self.control, words, [*fds, *rest])
        except OSError:
            raise Gone from None
        finally:
            for fd in rest:
                os.close(fd)

    def _is_as_wanted(self, request, files):
        """Whether the zygote is already what is to be run, but for the file: nothing of the submission is in that."""
        return (
            request["warm"]
            and request["kept"] is None
            and request["uid"] is not None
            and request["command"] == [sys.executable, "main.py"]
            and request["environment"] == self._environment
            and not any(is_special(path, content) for path, _, content in files)
        )

    def ended(self):
        """The program's wait status and the CPU seconds of all that were waited for, once the control is readable."""
        return struct.unpack("id", self._expect(ENDED))


def is_special(path, content):
    """Whether a fresh interpreter would look into a file before the program runs.

    It takes what lies in one folder for modules and settings of its user, and the program may be an archive of modules.
    """
    return path.split(b"/", 1)[0] == b".local" or (path == b"main.py" and ARCHIVE_END in content)


def send_with(sock, words, fds):
    """Send words with descriptors beside them."""
    sock.sendmsg([words], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else [])


def prepare(control):
    """In a new process: the descriptors of a zygote, of the kinds that programs have, and of init's none."""
    for fd in (control, int(os.path.basename(sys.argv[0]))):
        os.dup2(fd, fd + FAR)
    os.dup2(control + FAR, CONTROL)
    os.dup2(int(os.path.basename(sys.argv[0])) + FAR, ARCHIVE)
    os.dup2(memory_file(b""), 0)
    os.dup2(os.pipe()[1], 1)
    check(libc.syscall(SYS_CLOSE_RANGE, ARCHIVE + 1, ctypes.c_uint(0xFFFFFFFF), 0), "close_range")


def plain():
    """Become a Python that only bears programs."""
    start = "import sys; sys.path.insert(0, '/proc/self/fd/%d'); from init.zygote import main; main(%d)"
    os.execv(sys.executable, [sys.executable, "-I", "-S", "-c", start % (ARCHIVE, CONTROL)])


def held_back(environment, more):
    """Become a Python as it runs a file, held back before that; see `warm`."""
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (STACK if hard == resource.RLIM_INFINITY else min(STACK, hard), hard))
    os.chdir(WORK)
    os.execve(
        sys.executable, [sys.executable, "main.py"], {**environment, "PYTHONPATH": "/proc/self/fd/%d" % ARCHIVE, **more}
    )
