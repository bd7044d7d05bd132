"""The end of a Python that is not taken to pieces: what of it a program can notice, and no more."""

import _weakref
import atexit
import ctypes
import gc
import os
import sys


class Ending:
    """What libc calls when the process ends, which is after Python believes to have ended.

    Args:
        api: of this interpreter.
        locks: where locks are that the interpreter has freed by then; see `warm`.
    """

    def __init__(self, api, locks):
        self._api, self._locks = api, locks
        self._unraisable = type_of_unraisable()
        self._callback = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p)(self._finish)

    def arrange(self):
        """In a new process: this is how it ends. The modules that are there now are none of the program's."""
        self._known, self._last = set(sys.modules) - {"__main__"}, next(reversed(sys.modules))
        self._api.on_exit(self._callback, None)

    def _finish(self, status, _):
        """Called by libc at the end: what an interpreter does that a program can notice."""
        if sys._getframe().f_back is not None:
            return  # the program itself called exit() of libc, which tells Python nothing
        for lock in self._locks:
            if not lock.value:
                lock.value = self._api.PyThread_allocate_lock()
        try:
            status = self._do_finish(status)
        finally:
            os._exit(status)

    def _do_finish(self, status):
        if "threading" in sys.modules:
            try:
                sys.modules["threading"]._shutdown()
            except BaseException:
                self._ignored(sys.modules["threading"])
        if atexit._ncallbacks():
            self._run_at_exit()
        flushed = self._flush(tell=True)
        if gc.isenabled():
            gc.collect()
        self._clear_modules()
        self._flush(tell=False)
        return status if flushed else 120

    def _run_at_exit(self):
        """An error in there is told without our frame, which Python would add where there is no other."""
        hook = sys.unraisablehook

        def without_ours(args):
            traceback = args.exc_traceback
            if traceback is not None and traceback.tb_frame.f_globals is globals():
                args = self._unraisable((args.exc_type, args.exc_value, traceback.tb_next, args.err_msg, args.object))
            hook(args)

        sys.unraisablehook = without_ours
        atexit._run_exitfuncs()
        if sys.unraisablehook is without_ours:
            sys.unraisablehook = hook

    def _flush(self, tell):
        """Flush both outputs; False if one cannot be."""
        done = True
        for name in ("stdout", "stderr"):
            file = getattr(sys, name, None)
            try:
                if file is not None and not file.closed:
                    file.flush()
            except BaseException:
                done = False
                if tell and name == "stdout":
                    self._ignored(file)
        return done

    def _ignored(self, culprit):
        kind, value, _ = sys.exc_info()
        sys.unraisablehook(self._unraisable((kind, value, None, None, culprit)))

    def _clear_modules(self):
        """Let go of what the program's modules hold, in the order in which an interpreter would."""
        names = sys.__dict__
        for name in ("last_type", "last_value", "last_traceback"):
            if name in names:
                names[name] = None
        for name in ("stdin", "stdout", "stderr"):
            names[name] = names["__" + name + "__"]
        modules = []
        for name in self._new_modules():
            modules.append(_weakref.ref(sys.modules[name]))
            sys.modules[name] = None
        gc.collect()
        for reference in reversed(modules):
            module = reference()
            if module is not None:
                clear(module.__dict__)

    def _new_modules(self):
        """Names of those that are of the submission. To look at all takes long; they stand in the order they came."""
        if len(sys.modules) == len(self._known) + 1 and next(reversed(sys.modules)) == self._last:
            return ["__main__"] if is_own(sys.modules["__main__"]) else []
        return [name for name, module in sys.modules.items() if name not in self._known and is_own(module)]


def is_own(module):
    """Whether a module is of the submission: clearing those of the library does nothing that is seen."""
    file = getattr(module, "__file__", None)
    return type(module) is type(sys) and (file is None or not str(file).startswith(sys.prefix))


def clear(names):
    """As `_PyModule_ClearDict` does: first what has a leading underscore, then the rest."""
    for private in (True, False):
        for name in list(names):
            if isinstance(name, str) and (name[:1] == "_" and name[1:2] != "_") == private and name != "__builtins__":
                names[name] = None


def type_of_unraisable():
    """The type of what `sys.unraisablehook` is given, which has no name."""
    found = []
    before, sys.unraisablehook = sys.unraisablehook, lambda args: found.append(type(args))

    class Raises:
        def __del__(self):
            raise ValueError

    Raises()
    sys.unraisablehook = before
    return found[0]
