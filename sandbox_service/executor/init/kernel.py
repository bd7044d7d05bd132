"""System calls that Python has no name for, and the few constants that go with them."""

import _signal
import ctypes
import os

libc = ctypes.PyDLL(None, use_errno=True)  # PyDLL: the lock of the interpreter must not be given up in clone()

CLONE_VM, CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS = 0x100, 0x20000, 0x02000000, 0x4000000
CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x8000000, 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
SYS_RT_SIGACTION, LAST_SIGNAL = {"x86_64": 13, "aarch64": 134}[os.uname().machine], 64
PAGE = 4096
CHUNK = 1 << 20
WORK = "/work"


def check(result, what):
    """Raise OSError for a failed call of libc."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def address_of(data):
    """Where the content of a bytes object is; it must be kept."""
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value


def mount(source, target, kind, flags, options=""):
    """Call mount(2); an empty source or kind where the flags need none."""
    check(libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode()), target)


def unshare(flags):
    """Call unshare(2)."""
    check(libc.unshare(flags), "namespaces")


def write_all(fd, data):
    """Write all of it, however many writes that takes."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def read_all(fd):
    """All of a file, from its start."""
    size, data = os.fstat(fd).st_size, b""
    while len(data) < size:
        part = os.pread(fd, size - len(data), len(data))
        if not part:
            raise EOFError
        data = data + part if data else part
    return data


def write_at(folder, path, text):
    """Write to a file below a folder that is given by its descriptor."""
    fd = os.open(path, os.O_WRONLY, dir_fd=folder)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


def group_cpu(usage):
    """CPU seconds of a control group, by a descriptor of the file that tells them."""
    return cpu_in(os.pread(usage, PAGE, 0))


def cpu_in(text):
    """CPU seconds of a control group, by what that file says, or the beginning of it."""
    first, second, *_ = [*text.split(None, 2), b""]
    return int(second) / 1e6 if first == b"usage_usec" else int(first) / 1e9


USER_COUNTS = {
    "max_user_namespaces": 0,
    "max_inotify_instances": 8,
    "max_inotify_watches": 1024,
}


def limit_counts(proc):
    """Limit what the kernel counts by user, in this user namespace and again for the host's user who made it.

    Programs need little of it and no user namespace. The host's user has as much as all runs have together, which one
    run could take from all others. Best effort: a wall behind others.
    """
    try:
        for name, most in USER_COUNTS.items():
            write_at(proc, "sys/user/" + name, str(most))
        return True
    except OSError:
        return False


def forget_signals():
    """Give every signal its default action: what the service was started with, or Python set, is no program's concern.

    By the system call itself: libc keeps two of them for its own.
    """
    for number in range(1, LAST_SIGNAL + 1):
        if number not in (_signal.SIGKILL, _signal.SIGSTOP):
            libc.syscall(SYS_RT_SIGACTION, number, bytes(32), None, 8)
