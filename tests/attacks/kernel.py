"""Attacks on the filter of system calls: by numbers that it may not know, and by calls that it is to keep away."""

from __future__ import annotations

from tests.attacks.attack import Attack, Off
from tests.attacks.calls import SECCOMP, USERNS, by_call
from tests.executor.filters import NUMBERS as N

LOOSE = Off(seccomp=True, init=USERNS)
ALLOW_ALL = (
    "program = ctypes.create_string_buffer(bytes.fromhex('060000000000ff7f'), 8)\n"
    "head = ctypes.create_string_buffer(struct.pack('HxxxxxxP', 1, ctypes.addressof(program)))\n"
)
"""A program for the kernel's compiler that says yes to everything."""
THIRTY_TWO = """
#include <stdio.h>
int main(void) {
    int answer;
    __asm__ volatile("int $0x80" : "=a"(answer) : "a"(20) : "memory");
    if (answer > 0) puts("REACHED");
}
"""
SEGMENT = """
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
struct { unsigned entry, base, limit, flags; } segment = {0, 0, 0xfffff, 0x51};
int main(void) {
    if (syscall(SYS_modify_ldt, 1, &segment, sizeof segment) == 0) puts("REACHED");
}
"""
EVASIONS = [
    Attack("a call by its number of 32 bits", "evading the filter", THIRTY_TWO, SECCOMP, language="c"),
    by_call(
        "a call by its number of x32",
        "evading the filter",
        "reached(call(0x40000000 | 39))",
    ),
    by_call(
        "a namespace whose flag lies in memory",
        "evading the filter",
        "wish = ctypes.create_string_buffer(struct.pack('QQQQQQQQ', 0x10000000, 0, 0, 0, 17, 0, 0, 0))\n"
        "child = call(435, wish, 64)\nif child == 0: os._exit(0)\nreached(child)",
        LOOSE,
    ),
    by_call(
        "a namespace beside bits that the kernel drops",
        "evading the filter",
        f"child = call({N['clone']}, 1 << 40 | 0x10000000 | 17, 0, 0, 0, 0)\n"
        "if child == 0: os._exit(0)\nreached(child)",
        LOOSE,
    ),
    by_call(
        "a namespace for a thread",
        "evading the filter",
        f"child = call({N['clone']}, 0x04000000 | 0x10000000 | 17, 0, 0, 0, 0)\n"
        "if child == 0: os._exit(0)\nreached(child)",
        LOOSE,
    ),
    by_call(
        "typing for another, beside bits that the kernel drops",
        "evading the filter",
        "import pty, termios\nmaster, slave = pty.openpty()\nif os.fork() == 0:\n os.setsid()\n"
        " fcntl.ioctl(slave, termios.TIOCSCTTY, 0)\n"
        f" done = call({N['ioctl']}, slave, 1 << 32 | 0x5412, b'x')\n"
        " reached(done == 0 or ctypes.get_errno() == errno.EIO)\n sys.stdout.flush()\n os._exit(0)\nos.wait()",
    ),
    by_call(
        "a filter of its own by the older call",
        "evading the filter",
        ALLOW_ALL + f"reached(call({N['prctl']}, 22, 2, head, 0, 0))",
    ),
    by_call(
        "the same beside bits that the kernel drops",
        "evading the filter",
        ALLOW_ALL + f"reached(call({N['prctl']}, 1 << 32 | 22, 2, head, 0, 0))",
    ),
    by_call(
        "calls that go to itself instead of the kernel",
        "evading the filter",
        f"reached(call({N['prctl']}, 59, 1, 0, 0, space))",
    ),
    by_call(
        "a program for the kernel's compiler, at a socket",
        "evading the filter",
        ALLOW_ALL
        + "one, _ = socket.socketpair()\n"
        + f"reached(call({N['setsockopt']}, one.fileno(), 1, 26, head, 16))",
    ),
    by_call(
        "such a program beside bits that the kernel drops",
        "evading the filter",
        ALLOW_ALL
        + "one, _ = socket.socketpair()\n"
        + f"reached(call({N['setsockopt']}, one.fileno(), 1 << 32 | 1, 1 << 32 | 26, head, 16))",
    ),
]
RARE = [
    Attack("a segment of its own", "rare calls", SEGMENT, SECCOMP, language="c"),
    by_call(
        "whatever other families of sockets there are",
        "rare calls",
        "for family in (3, 4, 5, 9, 13, 15, 17, 19, 21, 23, *range(25, 46)):\n for kind in (1, 2, 3, 5):\n"
        "  if call(41 if os.uname().machine == 'x86_64' else 198, family, kind, 0) >= 0: print('REACHED', family)\n"
        "print('ENOSYS')",
    ),
    by_call("memory that not even the kernel sees", "rare calls", "reached(call(447, 0))"),
    by_call(
        "where its pages lie, and to move them",
        "rare calls",
        "page = mmap.mmap(-1, 4096)\npage[0] = 1\nwhere = ctypes.addressof(ctypes.c_char.from_buffer(page))\n"
        "pages, nodes = (ctypes.c_long * 1)(where), (ctypes.c_int * 1)(0)\n"
        f"reached(call({N['move_pages']}, 0, 1, pages, nodes, space, 0))",
    ),
    by_call(
        "what happens on a whole file system",
        "rare calls",
        f"reached(call({N['fanotify_init']}, 0x200, 0))",
    ),
    by_call(
        "a list of all mounts",
        "rare calls",
        "wish = struct.pack('IIQQQ', 32, 0, 2**64 - 1, 0, 0)\n"
        "reached(call(458, ctypes.create_string_buffer(wish), space, 8, 0))",
    ),
    by_call(
        "advice for memory by a descriptor of its process",
        "rare calls",
        "page = mmap.mmap(-1, 4096)\npage[0] = 1\n"
        "where = ctypes.addressof(ctypes.c_char.from_buffer(page))\n"
        "piece = ctypes.create_string_buffer(struct.pack('PN', where, 4096))\n"
        f"reached(call({N['process_madvise']}, os.pidfd_open(os.getpid()), piece, 1, 20, 0))",
    ),
]
ATTACKS = [*EVASIONS, *RARE]
