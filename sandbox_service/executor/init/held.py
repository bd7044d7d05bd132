"""The zygote in a Python that is held back before it runs a file; see `warm`."""

import os
import sys
import zipimport

from .preload import SETS, Ahead

kept = []
"""Modules of ours: out of sight, and never taken to pieces."""


def hold(control, before, archive, folders):
    """Have this Python held back where it asks who could read the file that it is to run, with no frame but ours.

    Args:
        control: descriptor of the socket over which to serve.
        before: names of the modules that were there before any of ours.
        archive: where ours come from.
        folders: where modules had been looked for before.
    """
    hooks = sys.path_hooks

    def hook(path):
        sys.path_hooks = hooks
        if not main(control, before, archive, {*folders, path}):
            raise ImportError  # ask the others

    sys.path_hooks = [hook, *hooks]
    kept.append(sys.path_hooks)  # the interpreter goes on with it


def main(control, before, archive, folders):
    """Serve over a socket. Returns in a process that is to go on, and then nothing of ours is in sight.

    The arguments are those of `hold`; gives whether that process is to run a file that needs nobody to read it.
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
        warm_up(interpreter)
        return serve(control, interpreter)
    except BaseException:
        os._exit(1)


def made():
    """This interpreter as one that can go on, `None` if it cannot."""
    from .warm import Interpreter, Unfit

    try:
        return Interpreter()
    except (Unfit, AttributeError, OSError, ValueError):
        return None
