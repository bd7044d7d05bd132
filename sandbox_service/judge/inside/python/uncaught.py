"""Runs a Python checker so that an uncaught exception ends it with 3, which says that it failed.

Python's own exit code for that is 1, by which a checker says that the output is wrong.
"""

import os
import sys
import traceback
from types import ModuleType

FAILED = 3


def run(path: str) -> None:
    """Run a program as `__main__`; `sys.exit` ends it as always."""
    main = ModuleType("__main__")
    main.__file__ = path
    sys.modules["__main__"] = main
    try:
        with open(path, "rb") as file:
            code = compile(file.read(), path, "exec", dont_inherit=True)
        exec(code, main.__dict__)  # noqa: S102
    except SystemExit:
        raise
    except BaseException:  # noqa: BLE001
        try:
            traceback.print_exc()
            sys.stdout.flush()
        finally:  # also where there is no memory left to say why
            os._exit(FAILED)


del sys.argv[0]
run(sys.argv[0])
