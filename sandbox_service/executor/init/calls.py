"""System calls one after the other, from a table: what a new process has to do is all known before it is born.

In a process that was just forked all that Python touches has to be copied first, which takes longer than most system
calls. So on x86_64 the table is worked off by a few instructions (`calls.S`); elsewhere by Python, from the same table.
"""

import ctypes
import os

from .kernel import address_of, libc

MACHINE = os.uname().machine
NUMBERS = {
    "capset": (126, 91),
    "chdir": (80, 49),
    "close_range": (436, 436),
    "dup3": (292, 24),
    "getrusage": (98, 165),
    "keyctl": (250, 219),
    "mount": (165, 40),
    "move_mount": (429, 429),
    "openat": (257, 56),
    "prctl": (157, 167),
    "pread64": (17, 67),
    "prlimit64": (302, 261),
    "rt_sigprocmask": (14, 135),
    "seccomp": (317, 277),
    "sendmsg": (46, 211),
    "setgroups": (116, 159),
    "setresgid": (119, 149),
    "setresuid": (117, 147),
    "setsid": (112, 157),
    "umask": (95, 166),
    "unshare": (272, 97),
    "write": (1, 64),
}
"""On x86_64 and on aarch64."""
COLUMN = ("x86_64", "aarch64").index(MACHINE)
NUMBER, ARGUMENT, RESULT, STATE, WORDS = 0, 1, 7, 8, 9
"""Of an entry: where its parts are. The state is 1 where failure means nothing, and after a failure what it was."""
CODE = bytes.fromhex(
    "53415441554889fb4989f44885d2740affd24863c04885c075534d85e4744e488b03488b7b08488b7310488b53184c8b53204c8b43284c8b4b30"
    "0f05488b4b384885c9740348890148837b40007508483d00f0ffff770b4883c34849ffcc31c0ebb84889434048c7c0feffffff415d415c5bc3"
)
FAILED = -2
PAGE, READ, WRITE, EXECUTE, PRIVATE, ANONYMOUS = 4096, 1, 2, 4, 2, 32


class Calls:
    """A table of system calls.

    Attributes:
        words: all of it, nine words an entry. What is not known yet is written there before the table is used.
        count: how many entries there are.
    """

    ROOM = 96

    def __init__(self):
        self.words, self.count = (ctypes.c_long * (WORDS * self.ROOM))(), 0
        self._names, self._kept = [], []
        self._start = ctypes.addressof(self.words)
        self._native = native()

    def add(self, name, *arguments, may_fail=False):
        """Append a call; gives its number. Bytes among the arguments stand for their address."""
        entry, at = self.count, self.count * WORDS
        self.words[at] = NUMBERS[name][COLUMN]
        for offset, value in enumerate(arguments, at + ARGUMENT):
            self.words[offset] = self.place(value) if isinstance(value, bytes) else value
        self.words[at + STATE] = may_fail
        self._names.append(name)
        self.count += 1
        return entry

    def place(self, data):
        """The address of bytes, which are kept."""
        self._kept.append(data)
        return address_of(data)

    def slot(self, entry, argument):
        """Which word is an argument of an entry, by its number from 0 on."""
        return entry * WORDS + ARGUMENT + argument

    def result_to(self, entry, address):
        """Have an entry's result written to an address, perhaps that of a word of the table."""
        self.words[entry * WORDS + RESULT] = address

    def address(self, slot):
        """Of a word of the table."""
        return self._start + 8 * slot

    def bear(self, count):
        """Fork, and in the new process make the first `count` calls. Gives what fork does.

        Raises:
            OSError: there is no new process.
            Failed: in the new process, a call failed.
        """
        if not self._native:
            process = os.fork()
            if process == 0:
                self.make(0, count)
            return process
        process = self._native(self._start, count, FORK)
        if process == -1:
            raise OSError("no new process can be made")
        return self._judged(process)

    def make(self, first, last):
        """Make the calls from one on, up to another.

        Raises:
            Failed: one of them failed.
        """
        if self._native:
            self._judged(self._native(self._start + 8 * WORDS * first, last - first, None))
        else:
            for entry in range(first, last):
                self._call(entry * WORDS)

    def _call(self, at):
        libc.syscall.restype = ctypes.c_long
        result = libc.syscall(*(ctypes.c_long(word) for word in self.words[at : at + RESULT]))
        libc.syscall.restype = ctypes.c_int
        if self.words[at + RESULT]:
            ctypes.c_long.from_address(self.words[at + RESULT]).value = result
        if result == -1 and not self.words[at + STATE]:
            self.words[at + STATE] = -ctypes.get_errno()
            self._judged(FAILED)

    def _judged(self, result):
        if result == FAILED:
            raise Failed(*next(self._failures()))
        return result

    def _failures(self):
        for entry, name in enumerate(self._names):
            state = self.words[entry * WORDS + STATE]
            if state < 0:
                yield -state, os.strerror(-state), name


class Failed(OSError):  # noqa: N818
    """A call of the table failed; `filename` is its name."""


def native():
    """The few instructions as a function, `None` where there are none."""
    if MACHINE != "x86_64":
        return None
    libc.mmap.restype = ctypes.c_void_p
    page = libc.mmap(None, ctypes.c_ulong(PAGE), READ | WRITE, PRIVATE | ANONYMOUS, -1, ctypes.c_ulong(0))
    if page == ctypes.c_void_p(-1).value:
        return None
    ctypes.memmove(page, CODE, len(CODE))
    if libc.mprotect(ctypes.c_void_p(page), ctypes.c_ulong(PAGE), READ | EXECUTE):  # not every host allows that
        return None
    return CALL(page)


CALL = ctypes.PYFUNCTYPE(ctypes.c_long, ctypes.c_void_p, ctypes.c_long, ctypes.c_void_p)
FORK = ctypes.cast(libc.fork, ctypes.c_void_p)
