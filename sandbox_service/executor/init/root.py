"""The file system of a run: one for /work, /tmp and /dev/shm, so that one quota holds for all three.

It is made here, outside of the run's namespaces and control group: what a program brings is not charged to it, and
what it leaves can be collected when nobody of the run is alive any more.
"""

import os

from .kernel import PAGE, check, libc, write_all

SYS_FSOPEN, SYS_FSCONFIG, SYS_FSMOUNT = 430, 431, 432
FSOPEN_CLOEXEC, FSMOUNT_CLOEXEC, AT_FDCWD = 1, 1, -100
SET_STRING, CREATE = 1, 6
NOSUID, NODEV = 2, 4


def make_root(request, files):
    """A descriptor of a new file system with the files of the request, not mounted anywhere yet."""
    # What the program brings does not count into what it may write.
    size = request["disk"] + sum(-(-len(content) // PAGE) * PAGE for _, _, content in files)
    inodes = request["inodes"] + 8 + sum(path.count(b"/") + 1 for path, _, _ in files)
    context = check(libc.syscall(SYS_FSOPEN, b"tmpfs", FSOPEN_CLOEXEC), "fsopen")
    for name, value in ((b"size", size), (b"nr_inodes", inodes), (b"mode", "0755")):
        check(libc.syscall(SYS_FSCONFIG, context, SET_STRING, name, str(value).encode(), 0), "fsconfig")
    check(libc.syscall(SYS_FSCONFIG, context, CREATE, None, None, 0), "tmpfs")
    root = check(libc.syscall(SYS_FSMOUNT, context, FSMOUNT_CLOEXEC, NOSUID | NODEV), "fsmount")
    os.close(context)
    try:
        fill(root, request["uid"] or 0, files)
    except BaseException:
        os.close(root)
        raise
    return root


def fill(root, uid, files):
    """The three folders and the files of the request; nothing of anyone foreign is in there yet."""
    umask = os.umask(0)
    try:
        for name, mode in (("work", 0o755), ("shm", 0o1777), ("tmp", 0o1777)):
            os.mkdir(name, mode, dir_fd=root)
        os.chown("work", uid, uid, dir_fd=root)
        made = set()
        for path, mode, content in files:
            lay(root, b"work/" + path, mode, content, uid, made)
    finally:
        os.umask(umask)


def lay(root, path, mode, content, uid, made):
    """Write one file of the request, and the folders above it that are not made yet."""
    parts = path.split(b"/")
    for end in range(2, len(parts)):
        folder = b"/".join(parts[:end])
        if folder not in made:
            made.add(folder)
            os.mkdir(folder, 0o755, dir_fd=root)
            os.chown(folder, uid, uid, dir_fd=root)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode, dir_fd=root)
    try:
        write_all(fd, content)
        os.fchown(fd, uid, uid)
    finally:
        os.close(fd)
