"""A Python that has started already, and goes on as if it had just been started with another command.

The zygote is `python3 main.py` in the work dir, held back at the last moment before it opens that file: where the
interpreter, all set up, asks the hooks of `sys.path` whether it is an archive of modules. A child of it that returns
from there runs the file by CPython's own code, from the very point at which a fresh interpreter would: no frame, no
exception handler, no module of ours is in between.

What is exchanged before: the name of the file (or the text after `-c`) and the arguments, in the interpreter's
configuration and in `sys`, the environment, and what /proc tells of both. The places in the configuration are found by
what is in them; where they are not found, nothing runs warm.

At the end an interpreter takes itself to pieces, which costs more than all else and is of use to nobody whose process
ends. So it is made to believe that it has done so already, and what of it a program can notice is done by `ending`.
"""

import ctypes
import gc
import os
import struct
import sys
import zipimport

from .ending import Ending
from .kept import Kept
from .kernel import WORK, address_of, libc
from .warmup import pin

SUPPORTED = {(3, 11)}
"""Versions with which tests/executor compares warm with cold runs."""
PR_SET_MM, PR_SET_MM_MAP, SYS_BRK = 35, 14, {"x86_64": 12, "aarch64": 214}[os.uname().machine]
MAP_FIELDS = (26, 27, 45, 46, 47, None, 28, None, None, None, None)
"""Of `struct prctl_mm_map`: which field of /proc/self/stat tells it."""
PAGE_ZERO = 4096
WORDS, TEXT, RUNTIME_WORDS, MOST_LOCKS = 160, 4096, 512, 12
HELD = ("PYTHON", "LD_", "LC_", "LANG", "TZ", "MALLOC_", "GLIBC_", "HOME")
"""Variables that count when an interpreter starts."""
HOOK, PRELOAD = OURS = "PYTHONPATH", "SANDBOX_PRELOAD"
"""Variables that only the zygote has: where it finds our modules, and which ones of the library it reads ahead."""


class Unfit(Exception):  # noqa: N818
    """This interpreter cannot be brought to run another command."""


class Interpreter:
    """This process's own interpreter.

    Attributes:
        kept: programs of ours that it can go on as.

    Raises:
        Unfit: of another make than is known here.
    """

    def __init__(self):
        if sys.version_info[:2] not in SUPPORTED or sys.implementation.name != "cpython":
            raise Unfit("another version of Python")
        self._api = ctypes.PyDLL(None)
        self._memory = os.open("/proc/self/mem", os.O_RDONLY | os.O_CLOEXEC)
        try:
            self._find_command()
            self._find_initialized()
            locks = self._find_locks()
            self._stat = self._read_stat()
        finally:
            os.close(self._memory)
        self._ending = Ending(self._api, locks)
        self.kept, self._stacks = Kept(), None
        self._thread_attributes = ctypes.create_string_buffer(64)  # here, as its type is made with it
        self._environment = {name: value for name, value in os.environ.items() if name not in OURS}
        self._held = held(self._environment)
        pin(self)
        self._excepthook = sys.excepthook
        self._api.on_exit  # noqa: B018  # there is none: AttributeError

    def _words(self, address, count):
        data = os.pread(self._memory, 8 * count, address)
        return [int.from_bytes(data[at : at + 8], sys.byteorder) for at in range(0, len(data), 8)]

    def _text_at(self, address):
        """The wide string at an address, `None` where there is nothing."""
        try:
            data = os.pread(self._memory, TEXT, address) if PAGE_ZERO < address < 1 << 63 else b""
        except (OSError, OverflowError):
            return None
        return data.decode("utf-32-" + sys.byteorder[:1] + "e", "replace").split("\0")[0] if data else None

    def _find_command(self):
        """Where the configuration has the file to run, the command to run instead, and the first argument."""
        self._api.PyInterpreterState_Get.restype = ctypes.c_void_p
        get = self._api._PyInterpreterState_GetConfig
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
        config = get(self._api.PyInterpreterState_Get())
        words = self._words(config, WORDS)
        files = [at for at, word in enumerate(words) if self._text_at(word) == WORK + "/main.py"]
        lists = [at for at, length in enumerate(words[:-1]) if length == 1]
        firsts = [at for at in lists if self._first_of(words[at + 1]) == "main.py"]
        if len(files) != 1 or len(firsts) != 1 or words[files[0] - 2 : files[0]] != [0, 0]:
            raise Unfit("no such configuration")
        place = ctypes.c_void_p.from_address
        self._file, self._command = place(config + 8 * files[0]), place(config + 8 * (files[0] - 2))
        self._first = place(words[firsts[0] + 1])
        self._api.Py_DecodeLocale.restype = ctypes.c_void_p
        self._api.Py_DecodeLocale.argtypes = [ctypes.c_char_p, ctypes.c_void_p]

    def _first_of(self, address):
        try:
            return self._text_at(self._words(address, 1)[0]) if address > PAGE_ZERO else None
        except (OSError, OverflowError, IndexError):
            return None

    def _find_initialized(self):
        """Where it is written whether this interpreter is there to be taken to pieces."""
        runtime = ctypes.addressof(ctypes.c_char.in_dll(self._api, "_PyRuntime"))
        for offset in range(0, 256, 4):
            number = ctypes.c_int.from_address(runtime + offset)
            if number.value != 1:
                continue
            number.value = 0
            found = not self._api.Py_IsInitialized()
            number.value = 1
            if found:
                self._initialized = number
                return
        raise Unfit("no such runtime")

    def _find_locks(self):
        """Where locks are that the interpreter's own end frees, though it is no end: seen in a process that ends so."""
        start = ctypes.addressof(ctypes.c_char.in_dll(self._api, "_PyRuntime"))
        reading, writing = os.pipe()
        before = self._words(start, RUNTIME_WORDS)
        process = os.fork()
        if process == 0:
            self._api._PyRuntime_Finalize()
            after = [ctypes.c_uint64.from_address(start + 8 * at).value for at in range(RUNTIME_WORDS)]
            os.write(writing, bytes(bool(old and not new) for old, new in zip(before, after)))  # noqa: B905  # Python 3.8
            os._exit(0)
        os.waitpid(process, 0)
        freed = os.read(reading, RUNTIME_WORDS)
        os.close(reading)
        os.close(writing)
        if len(freed) != RUNTIME_WORDS or not 0 < sum(freed) < MOST_LOCKS:
            raise Unfit("no such runtime")
        self._api.PyThread_allocate_lock.restype = ctypes.c_void_p
        return [ctypes.c_void_p.from_address(start + 8 * at) for at, is_lock in enumerate(freed) if is_lock]

    def _read_stat(self):
        with open("/proc/self/stat", "rb") as file:
            return [0] * 3 + file.read().rpartition(b")")[2].split()

    def fits(self, command, environment):
        """Whether a command in an environment can be run by this interpreter."""
        if len(command) < 2 or command[0] != os.fsencode(sys.executable):
            return False
        if command[1][:1] == b"-" and (command[1] != b"-c" or len(command) < 3):
            return False
        if command[1] not in (b"-c", b"main.py") and is_package(os.fsdecode(command[1])):
            return False
        # What lies there a fresh interpreter would take for modules and settings of its user.
        return held(environment) == self._held and not os.path.lexists(WORK + "/.local")

    def prepare(self):
        """Be `python3 main.py` in the environment without what is ours: what most who are born are to be."""
        sys.orig_argv[0] = sys.executable
        self._change_environment(self._environment)
        self._tell_proc([os.fsencode(item) for item in sys.orig_argv], self._environment)
        sys.excepthook = sys.__excepthook__ = self._hook()
        self._initialized.value = 0
        self._ending.arrange()

    def keep(self, text):
        """Keep a program of ours; see `Kept`."""
        self.kept.add(text)
        self.freeze()

    def freeze(self):
        """Take all that is there now for no garbage for ever: to look at it would be to take a copy of most of it.

        But not what the program is to fill.
        """
        gc.collect()
        gc.freeze()
        main = type(sys)("__main__")
        main.__dict__.clear()
        main.__dict__.update(sys.modules["__main__"].__dict__)
        sys.modules["__main__"] = main

    def take_over(self, command, environment, kept):
        """In a new process: be `python3 FILE ARGUMENTS` or `python3 -c TEXT ARGUMENTS` from here on.

        Args:
            command: that.
            environment: all variables.
            kept: number of the program of `kept` that TEXT is, or `None`.
        """
        sys.path_importer_cache.popitem()  # it had been asked who could read main.py
        if command[1] == b"-c":
            first, arguments = b"-c", command[3:]
            text = command[2] if kept is None else os.fsencode(self.kept.resume(kept))
            self._file.value, self._command.value = None, self._decoded(text + b"\n")
        else:
            first, arguments = command[1], command[2:]
            path = os.path.join(WORK.encode(), first)
            self._file.value = self._decoded(path)
            sys.path_importer_cache[os.fsdecode(path)] = None
        self._first.value = self._decoded(first)
        sys.argv[:] = map(os.fsdecode, [first, *arguments])
        sys.orig_argv[:] = map(os.fsdecode, command)
        if environment != self._environment:
            self._change_environment(environment)
        self._tell_proc(command, environment)

    def _change_environment(self, environment):
        for name in [name for name in os.environ if name not in environment]:
            del os.environ[name]
        for name, value in environment.items():
            if os.environ.get(name) != value:
                os.environ[name] = value

    def _decoded(self, text):
        """Text as the interpreter decodes its command line, in memory of its own."""
        return self._api.Py_DecodeLocale(text, None)

    def _tell_proc(self, command, environment):
        """Have /proc tell of the new command. Not every kernel lets one."""
        line = b"".join(item + b"\0" for item in command)
        self._block = line + b"".join(os.fsencode(name + "=" + value) + b"\0" for name, value in environment.items())
        start = address_of(self._block)
        middle, end = start + len(line), start + len(self._block)
        known = [int(self._stat[field]) if field else 0 for field in MAP_FIELDS]
        libc.syscall.restype = ctypes.c_long
        known[5] = libc.syscall(SYS_BRK, 0)
        libc.syscall.restype = ctypes.c_int
        known[7:] = [start, middle, middle, end]
        table = struct.pack("12QIi", *known, 0, 0, -1)
        libc.prctl(PR_SET_MM, PR_SET_MM_MAP, table, ctypes.c_ulong(len(table)), 0)

    def set_thread_stacks(self, size):
        """As large as the limit of the stack, which libc looks at when a program starts."""
        if size == self._stacks:
            return
        self._stacks, attributes = size, self._thread_attributes
        if size > 0 and hasattr(libc, "pthread_setattr_default_np"):
            libc.pthread_attr_init(attributes)
            libc.pthread_attr_setstacksize(attributes, ctypes.c_size_t(-(-size // 4096) * 4096))
            libc.pthread_setattr_default_np(attributes)

    def _hook(self):
        original, initialized = self._excepthook, self._initialized

        def excepthook(exctype, value, traceback, /):
            """Handle an exception by displaying it with a traceback on sys.stderr."""
            if exctype is KeyboardInterrupt:
                # It ends the process by a signal, before libc's end: let the interpreter do all by itself.
                initialized.value = 1
            original(exctype, value, traceback)

        return excepthook


def is_package(path):
    """Whether it is a folder or an archive of modules, which a fresh interpreter runs otherwise than a file."""
    try:
        return os.path.isdir(path) or bool(zipimport.zipimporter(path))
    except ImportError:
        return False


def held(variables):
    """Those variables that count when an interpreter starts."""
    return {name: value for name, value in variables.items() if name.startswith(HELD)}
