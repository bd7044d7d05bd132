"""The file system of a container's runs: one for /work, /tmp and /dev/shm, so that one quota holds for all three.

It is the host's, where its size and inodes can be set anew for each run; whatever the runtime, they are held.
"""

from __future__ import annotations

import ctypes
import os
import shutil
from contextlib import suppress
from pathlib import Path

from sandbox_service.contract.run import RunRequest
from sandbox_service.executor.protocol import ExecutorError

PAGE = 4096
MS_NOSUID, MS_NODEV, MS_REMOUNT, MNT_DETACH = 2, 4, 32, 2
FOLDERS = (("work", 0o755), ("tmp", 0o1777), ("shm", 0o1777))
OVERHEAD_INODES = 8


class Box:
    """A file system in memory, mounted at a folder of the host until it is closed.

    Args:
        path: where.
        owner: the host's user who is root in the container.

    Raises:
        ExecutorError: this process may not mount anything.
    """

    def __init__(self, path: Path, owner: int) -> None:
        self.path = path
        path.mkdir(parents=True)
        try:
            _mount(path, MS_NOSUID | MS_NODEV, "mode=0755,size=1m,nr_inodes=64")
        except OSError as error:
            path.rmdir()
            raise ExecutorError(
                "sandbox_start", f"containers need a worker that is root on its host: {error}", retryable=False
            ) from None
        for name, mode in FOLDERS:
            (path / name).mkdir()
            (path / name).chmod(mode)
            os.chown(path / name, owner, owner)

    def begin(self, request: RunRequest) -> None:
        """Give it the size of a run; what the run comes with does not count."""
        brought = [len(file.content) for file in request.files.values()]
        size = request.limits.disk_bytes + sum(-(-length // PAGE) * PAGE for length in brought)
        inodes = request.limits.inodes + OVERHEAD_INODES + sum(path.count("/") + 1 for path in request.files)
        _mount(self.path, MS_REMOUNT | MS_NOSUID | MS_NODEV, f"size={size},nr_inodes={inodes}")

    def close(self) -> None:
        """Let go of it; it ends with the last container that has it."""
        remove(self.path)


def remove(path: Path) -> None:
    """Unmount and remove a folder of a box, also one that is not mounted any more."""
    ctypes.CDLL(None).umount2(os.fsencode(path), MNT_DETACH)
    with suppress(OSError):
        path.rmdir()


def sweep(folder: Path) -> None:
    """Remove all boxes of a folder, and the folder."""
    for path in folder.glob("*"):
        remove(path)
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):
        folder.parent.rmdir()  # if it was the last of its worker


def _mount(path: Path, flags: int, options: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"tmpfs", os.fsencode(path), b"tmpfs", ctypes.c_ulong(flags), options.encode()):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(path))
