"""Attacks by system calls: what is wanted is a part of the kernel, or another process."""

from __future__ import annotations

from tests.attacks.attack import Attack, Off
from tests.executor.filters import NUMBERS as N

SECCOMP = Off(seccomp=True)
HEAD = """
import ctypes, errno, fcntl, mmap, os, signal, socket, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
space = ctypes.create_string_buffer(4096)
def call(*arguments):
    return libc.syscall(*(ctypes.c_long(given) if type(given) is int else given for given in arguments))
def reached(value):
    if value is True or (type(value) is int and value >= 0):
        print("REACHED", value)
    else:
        print(errno.errorcode.get(ctypes.get_errno()))
"""


def by_call(name: str, kind: str, code: str, off: Off = SECCOMP) -> Attack:
    return Attack(name, kind, HEAD + code, off)


def higher(limit: str, value: int) -> tuple[str, str, str]:
    """A change of init that sets a resource limit to another value."""
    return ("program", "[limits[name] if", f"[{value} if name == {limit!r} else limits[name] if")


CHILD = "child = os.fork()\nif child == 0: time.sleep(100)\n"
TERMINAL = "import pty\nmaster, slave = pty.openpty()\n"
LOCKED = (higher("MEMLOCK", 1 << 23),)
USER = ("program", 'self._ids.append(self._add("setresuid", 0, 0, 0))', "pass")
USERNS = (("main", "ranged and limit_counts(proc)", "None"),)
KERNEL = [
    by_call(
        "rings that open files behind the filter",
        "kernel",
        f"reached(call({N['io_uring_setup']}, 4, space))",
        Off(seccomp=True, init=LOCKED),
    ),
    by_call("a page whose fault another thread answers", "kernel", f"reached(call({N['userfaultfd']}, 1))"),
    by_call("where memory lies in the machine", "kernel", f"reached(call({N['get_mempolicy']}, space, None, 0, 0, 0))"),
    by_call(
        "a context of asynchronous I/O, of which the host has few",
        "kernel",
        f"context = ctypes.create_string_buffer(8)\nreached(call({N['io_setup']}, 64, context))",
    ),
    by_call(
        "pages put elsewhere in a file",
        "kernel",
        "area = mmap.mmap(-1, 8192)\naddress = ctypes.addressof(ctypes.c_char.from_buffer(area))\n"
        f"reached(call({N['remap_file_pages']}, address, 4096, 0, 1, 0))",
    ),
    by_call("no random addresses for its children", "kernel", f"reached(call({N['personality']}, 0x40000))"),
    by_call("data that can be executed", "kernel", f"reached(call({N['personality']}, 0x400000))"),
    by_call(
        "a handle that outlives names",
        "kernel",
        (
            "handle = ctypes.create_string_buffer(struct.pack('Ii', 128, 0), 200)\n"
            f"reached(call({N['name_to_handle_at']}, -100, b'/tmp', handle, space, 0))"
        ),
    ),
    by_call("rules for files", "kernel", f"reached(call({N['landlock_create_ruleset']}, None, 0, 1))"),
    by_call(
        "a filter of its own, with a listener",
        "kernel",
        (
            "program = ctypes.create_string_buffer(bytes.fromhex('060000000000ff7f'), 8)\n"
            "head = ctypes.create_string_buffer(struct.pack('HxxxxxxP', 1, ctypes.addressof(program)))\n"
            f"reached(call({N['seccomp']}, 1, 0, head))"
        ),
    ),
    by_call(
        "all of the host's files written to disk",
        "host load",
        (f"fd = os.open('/usr', os.O_RDONLY)\nreached(call({N['syncfs']}, -1) == -1)"),
    ),
]
SOCKETS = [
    by_call("the kernel's configuration", "sockets", "reached(socket.socket(16, socket.SOCK_RAW, 0).fileno())"),
    by_call("the firewall's configuration", "sockets", "reached(socket.socket(16, socket.SOCK_RAW, 16).fileno())"),
    by_call(
        "a type that the filter sees otherwise than the kernel",
        "sockets",
        f"reached(call({N['socket']}, (1 << 32) | 16, 3, 0))",
    ),
    by_call(
        "another protocol on top of TCP",
        "sockets",
        (
            "server = socket.create_server(('127.0.0.1', 0))\none = socket.create_connection(server.getsockname())\n"
            "try:\n one.setsockopt(6, 31, b'odd')\n"
            "except OSError as error: reached(error.errno == errno.ENOENT)"  # it was looked for
        ),
    ),
    by_call("questions about all sockets", "sockets", "reached(socket.socket(16, socket.SOCK_RAW, 4).fileno())"),
]
TERMINALS = [
    by_call(
        "typing for another",
        "terminals",
        (
            "import termios\n"
            + TERMINAL
            + "if os.fork() == 0:\n os.setsid()\n fcntl.ioctl(slave, termios.TIOCSCTTY, 0)\n"
            " try: fcntl.ioctl(slave, termios.TIOCSTI, b'x'); reached(True)\n"
            " except OSError as error: reached(error.errno == errno.EIO)\n"  # the kernel was told not to allow it
            " sys.stdout.flush(); os._exit(0)\nos.wait()"
        ),
    ),
    by_call(
        "an old line discipline",
        "terminals",
        TERMINAL + ("try: fcntl.ioctl(slave, 0x5423, struct.pack('i', 0)); reached(True)\nexcept OSError: pass"),
    ),
]
OTHERS = [
    by_call(
        "stepping through a child",
        "processes of others",
        CHILD + f"reached(call({N['ptrace']}, 0x4206, child, 0, 0))\nos.kill(child, 9)",
    ),
    by_call(
        "reading a child's memory",
        "processes of others",
        CHILD
        + (
            "data = ctypes.create_string_buffer(8)\n"
            "piece = ctypes.create_string_buffer(struct.pack('PN', ctypes.addressof(data), 8))\n"
            f"reached(call({N['process_vm_readv']}, child, piece, 1, piece, 1, 0))\nos.kill(child, 9)"
        ),
    ),
    by_call(
        "taking a child's descriptor",
        "processes of others",
        CHILD + (f"reached(call({N['pidfd_getfd']}, os.pidfd_open(child), 1, 0))\nos.kill(child, 9)"),
    ),
    by_call(
        "comparing with a child",
        "processes of others",
        CHILD + f"reached(call({N['kcmp']}, os.getpid(), child, 0, 0, 0))\nos.kill(child, 9)",
    ),
]
NAMESPACES = [
    by_call(
        "root of a namespace of one's own",
        "namespaces",
        f"reached(call({N['unshare']}, 0x10000000))",
        Off(seccomp=True, init=USERNS),
    ),
    by_call(
        "a file system in a namespace of one's own",
        "namespaces",
        (
            f"if call({N['unshare']}, 0x10020000) == 0:\n"
            f" reached(call({N['mount']}, b'none', b'/tmp', b'tmpfs', 0, None))"
        ),
        Off(seccomp=True, init=USERNS),
    ),
    by_call(
        "the same by clone",
        "namespaces",
        (f"child = call({N['clone']}, 0x10000000 | 17, 0, 0, 0, 0)\nif child == 0: os._exit(0)\nreached(child)"),
        Off(seccomp=True, init=USERNS),
    ),
    by_call(
        "a network of one's own, with all rights in it",
        "namespaces",
        (f"if call({N['unshare']}, 0x50000000) == 0:\n reached(socket.socket(17, 3, 768).fileno())"),
        Off(seccomp=True, init=USERNS),
    ),
]
KEYS = [
    Attack(
        "a key left for the next run",
        "keys",
        HEAD + f"reached(call({N['keyctl']}, 10, -4, b'user', b'sandbox-note', 0))",
        Off(
            seccomp=True,
            init=(USER,),
        ),
        before=HEAD + f"call({N['add_key']}, b'user', b'sandbox-note', b'x', 1, -4)",
    ),
    by_call("a keyring of the user's", "keys", f"reached(call({N['keyctl']}, 0, -4, 1))"),
]
ATTACKS = [*KERNEL, *SOCKETS, *TERMINALS, *OTHERS, *NAMESPACES, *KEYS]
