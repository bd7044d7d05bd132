"""System calls that Python has no name for, and the few constants that go with them."""

import ctypes
import os

libc = ctypes.PyDLL(None, use_errno=True)  # PyDLL: the lock of the interpreter must not be given up in clone()

CLONE_NEWUSER, CLONE_NEWCGROUP = 0x10000000, 0x02000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
PAGE = 4096
CHUNK = 1 << 20
WORK = "/work"


def check(result, what):
    """Raise OSError for a failed call of libc."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def mount(source, target, kind, flags, options=""):
    """Call mount(2); an empty source or kind where the flags need none."""
    check(libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode()), target)


def write_all(fd, data):
    """Write all of it, however many writes that takes."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def write_at(folder, path, text):
    """Write to a file below a folder that is given by its descriptor."""
    with open(path, "w", opener=lambda path, flags: os.open(path, flags, dir_fd=folder)) as file:
        file.write(text)


def forbid_user_namespaces(proc):
    """Programs need none; the count is this user namespace's own. Best effort: a wall behind others."""
    try:
        write_at(proc, "sys/user/max_user_namespaces", "0")
        return True
    except OSError:
        return False
