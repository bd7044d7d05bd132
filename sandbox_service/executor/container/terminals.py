"""How many terminals a container may have: the host has but a few thousand for everyone, and Docker sets no limit."""

from __future__ import annotations

import ctypes
import os

from sandbox_service.executor.protocol import ExecutorError

SYS_FSPICK, SYS_FSCONFIG, AT_FDCWD = 433, 431, -100
SET_STRING, RECONFIGURE, CLOEXEC = 1, 7, 1
OPTIONS = {"mode": "620", "ptmxmode": "666", "max": "64"}


def limit_terminals(process: int) -> None:
    """Give the file system of a container's terminals its limit, from outside: inside nobody may.

    Args:
        process: one of the container.

    Raises:
        ExecutorError: it could not be set.
    """
    libc = ctypes.CDLL(None, use_errno=True)

    def call(*arguments: object) -> int:
        result = int(libc.syscall(*arguments))
        if result == -1:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return result

    try:
        context = call(SYS_FSPICK, AT_FDCWD, f"/proc/{process}/root/dev/pts".encode(), CLOEXEC)
        try:
            for name, value in OPTIONS.items():
                call(SYS_FSCONFIG, context, SET_STRING, name.encode(), value.encode(), 0)
            call(SYS_FSCONFIG, context, RECONFIGURE, None, None, 0)
        finally:
            os.close(context)
    except OSError as error:
        raise ExecutorError("sandbox_start", f"terminals could not be limited: {error}", retryable=False) from None
