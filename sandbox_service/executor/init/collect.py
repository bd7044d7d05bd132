"""Files of the work dir that are handed back. A hostile program chose their names, kinds and number."""

import ctypes
import errno
import fnmatch
import os
import re
import stat
import time

from .kernel import check, libc

SYS_OPENAT2 = 437
RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH = 0x02, 0x04, 0x08
MAX_WALK = 20000  # entries of the work dir that are looked at
MAX_SECONDS = 3.0  # CPU time for comparing names with globs


class OpenHow(ctypes.Structure):
    """struct open_how of openat2(2)."""

    _fields_ = [("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64)]


def open_beneath(root, path):
    """Open a file below a folder without following any link on the way."""
    how = OpenHow(
        os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC,
        0,
        RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    )
    try:
        return check(
            libc.syscall(SYS_OPENAT2, root, ctypes.c_char_p(path), ctypes.byref(how), ctypes.sizeof(how)), "openat2"
        )
    except OSError as error:
        if error.errno != errno.ENOSYS:  # gVisor has none
            raise
    return open_in_steps(root, path)


def open_in_steps(root, path):
    """The same, folder by folder; nobody is alive who could exchange one meanwhile."""
    fd = os.dup(root)
    for name in path.split(b"/"):
        if name in (b"", b".", b".."):
            os.close(fd)
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        try:
            inner = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=fd)
        finally:
            os.close(fd)
        fd = inner
    return fd


def walk(root):
    """The paths of regular files below a folder, links not followed, a bounded number of entries."""
    folders, seen = [b""], 0
    while folders:
        folder = folders.pop()
        try:
            fd = root if not folder else open_beneath(root, folder)
        except OSError:
            continue
        try:
            with os.scandir(fd) as entries:
                for entry in entries:
                    seen += 1
                    if seen > MAX_WALK:
                        return
                    path = folder + b"/" * bool(folder) + os.fsencode(entry.name)
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(path)
                    elif entry.is_file(follow_symlinks=False):
                        yield path
        finally:
            if fd != root:
                os.close(fd)


def collect(root, wanted):
    """Regular files of the work dir that match the globs, up to the caps: (path, descriptor, size), and names cut.

    Args:
        root: descriptor of the run's file system, in which nobody is alive any more.
        wanted: globs and caps.
    """
    found, cut, total = [], [], 0
    if not wanted["globs"]:
        return found, cut
    globs = [os.fsencode(glob).decode("latin-1") for glob in wanted["globs"]]
    fits = re.compile("|".join(map(fnmatch.translate, globs)).encode("latin-1")).match
    work = os.open("work", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=root)
    end = time.process_time() + MAX_SECONDS
    for path in sorted(walk(work)):
        if time.process_time() > end:
            break
        if not fits(path):
            continue
        try:
            fd = open_beneath(work, path)
        except OSError:
            continue
        status = os.fstat(fd)
        size = status.st_size
        if not stat.S_ISREG(status.st_mode):
            os.close(fd)
        elif len(found) >= wanted["count"] or size > wanted["each"] or total + size > wanted["total"]:
            os.close(fd)
            cut.append(os.fsdecode(path))
        else:
            total += size
            found.append((os.fsdecode(path), fd, size))
    os.close(work)
    return found, cut[:100]


def send_file(sock, fd, size):
    """Send all of a file, which nobody changes any more; never all of it in memory, as it may be a large program."""
    offset = 0
    while offset < size:
        sent = os.sendfile(sock, fd, offset, size - offset)
        if not sent:
            raise EOFError
        offset += sent
