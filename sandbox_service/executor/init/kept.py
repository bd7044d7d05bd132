"""Programs of ours that many runs are to run: what they define is there already, and only their last line is run."""

import sys

START = "import sys; del sys.path[0]; "
"""The work dir is no place to load modules from; a program that is run as a whole sees to that itself."""


class Kept:
    """Programs by number, in the order in which they came."""

    def __init__(self):
        self._programs = []

    def add(self, text):
        """Run all of a program but its last line.

        What it imports is out of sight again, and whoever imports it later gets another one: so these may only be
        modules in C that keep nothing, such as `_json`.
        """
        modules, folders = set(sys.modules), set(sys.path_importer_cache)
        module = type(sys)("__main__")
        definitions, _, last = text.decode().rstrip().rpartition("\n")
        exec(compile(definitions, "<string>", "exec"), module.__dict__)
        for table, before in ((sys.modules, modules), (sys.path_importer_cache, folders)):
            for name in set(table) - before:
                del table[name]
        self._programs.append((module, START + last))

    def resume(self, number):
        """In a new process: be that program from here on. Gives the text that is left to be run."""
        module, text = self._programs[number]
        for name, value in sys.modules["__main__"].__dict__.items():
            module.__dict__.setdefault(name, value)
        sys.modules["__main__"] = module
        return text
