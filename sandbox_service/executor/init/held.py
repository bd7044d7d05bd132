"""The zygote in a Python that is held back before it runs a file; see `warm`."""

import os
import sys
import zipimport

from .preload import SETS, Ahead

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
        ahead = Ahead(SETS[os.environ["SANDBOX_PRELOAD"]].split())  # first of all: none of them is there by our doing
        from .warmup import pin, warm_up
        from .zygote import main as serve

        interpreter = made()
        kept.extend([sys.modules.pop(name) for name in list(sys.modules) if name not in before])
        pin(kept)
        sys.path.remove(archive)
        for folder in set(sys.path_importer_cache) - folders:
            del sys.path_importer_cache[folder]
        zipimport._zip_directory_cache.pop(archive, None)
        ahead.install()
        warm_up()
        serve(control, interpreter)
    except BaseException:
        os._exit(1)


def made():
    """This interpreter as one that can go on, `None` if it cannot."""
    from .warm import Interpreter, Unfit

    try:
        return Interpreter()
    except (Unfit, AttributeError, OSError, ValueError):
        return None
