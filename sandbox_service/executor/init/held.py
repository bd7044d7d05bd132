"""The zygote in a Python that is held back before it runs a file; see `warm`."""

import _socket
import os
import sys
import zipimport

from .warm import Interpreter, Unfit
from .warmup import pin, warm_up
from .zygote import Zygote

kept = []
"""Modules of ours: out of sight, and never taken to pieces."""


def main(control, before, archive, folders):
    """Serve over a socket. Returns in a process that is to go on, and then nothing of ours is in sight.

    Args:
        control: descriptor of the socket.
        before: names of the modules that were there before any of ours.
        archive: where ours come from.
        folders: where modules had been looked for before.
    """
    try:
        try:
            interpreter = Interpreter()
        except (Unfit, AttributeError, OSError, ValueError):
            interpreter = None
        kept.extend([sys.modules.pop(name) for name in list(sys.modules) if name not in before])
        sys.path.remove(archive)
        for folder in set(sys.path_importer_cache) - folders:
            del sys.path_importer_cache[folder]
        zipimport._zip_directory_cache.pop(archive, None)
        pin(kept)
        warm_up()
        Zygote(_socket.socket(fileno=control), interpreter).serve()
    except BaseException:
        os._exit(1)
