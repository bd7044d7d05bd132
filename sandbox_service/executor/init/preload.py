"""Modules that are there before a program asks for them, and not to be seen before it does.

They are imported by the zygote, taken out of `sys.modules`, and put back by the first `import` that would have read
them: each with those that it imports itself, in the order in which that would have happened. Where anything could make
another module of them (a file of the program's, another path), they are imported as ever.
"""

import builtins
import os
import sys

STDLIB = (
    "collections heapq bisect math itertools functools operator re string random typing copy json datetime dataclasses"
)
SETS = {"none": "", "stdlib": STDLIB, "numpy": STDLIB + " numpy"}
RENEWED = {"random": "seed", "numpy.random": "seed", "threading": "_after_fork"}
"""What is to be called of modules whose state is made by chance, or of the process, when they are read."""
BOOTSTRAP = "<frozen importlib._bootstrap>"
"""Frames of this file are left out of what is told of an error."""
FIND = """
def _find_and_load(name, import_):
    if name in _ahead and name not in _modules and _give(name):
        return _modules[name]
    return _original(name, import_)
"""


class Imports:
    """Who imports whom, recorded while it happens."""

    def __init__(self):
        self.of, self._asked, self._seen = {}, set(), set(sys.modules)
        self.original = builtins.__import__

    def __call__(self, name, globals=None, locals=None, fromlist=(), level=0):
        """Stand in for `__import__`."""
        importer = (globals or {}).get("__name__", "")
        full = _resolved(name, globals["__package__"], level) if level else name
        self._note(importer)
        ways = [full.rsplit(".", left)[0] for left in range(full.count("."), -1, -1)]
        ways += [full + "." + part for part in fromlist or ()]
        self._asked.update(ways)
        self.of.setdefault(importer, []).extend(ways)
        module = self.original(name, globals, locals, fromlist, level)
        self._note(full)
        return module

    def _note(self, importer):
        """What nobody asked for, its importer has put there by hand."""
        for name in [name for name in sys.modules if name not in self._seen]:
            self._seen.add(name)
            if name not in self._asked:
                self.of.setdefault(importer, []).append(name)


def _resolved(name, package, level):
    base = package.rsplit(".", level - 1)[0]
    return base + "." + name if name else base


class Ahead:
    """Modules out of sight.

    Args:
        names: what is imported.
    """

    def __init__(self, names):
        before = set(sys.modules)
        builtins.__import__ = imports = Imports()
        try:
            for name in names:
                try:
                    imports(name, {"__name__": ""})
                except ModuleNotFoundError:  # not everyone has numpy
                    pass
        finally:
            builtins.__import__ = imports.original
        new = [name for name in sys.modules if name not in before]
        self.modules = {name: sys.modules[name] for name in new}
        self._needs = {name: [need for need in imports.of.get(name, ()) if need in self.modules] for name in new}
        self._hide_parts()

    def _hide_parts(self):
        """A package has its parts as attributes only once somebody imports them."""
        for name, module in self.modules.items():
            package, _, part = name.rpartition(".")
            if package in self.modules and getattr(self.modules[package], part, None) is module:
                delattr(self.modules[package], part)

    def install(self):
        """Have the interpreter ask here first. They are out of `sys.modules` by now."""
        self._path, self._finders = sys.path[:], sys.meta_path[:]
        bootstrap = sys.modules["_frozen_importlib"]
        scope = {"_ahead": self.modules, "_give": self.give, "_modules": sys.modules}
        scope.update(_original=bootstrap._find_and_load, __name__=bootstrap.__name__)
        exec(compile(FIND, BOOTSTRAP, "exec"), scope)
        bootstrap._find_and_load = scope["_find_and_load"]

    def give(self, name):
        """Put a module where it belongs, with all that it needs; False if it had better be imported."""
        needed = self._closure(name, [], set())
        if not self._would_be_found(needed):
            return False
        for one in needed:
            package, _, part = one.rpartition(".")
            sys.modules[one] = self.modules[one]
            if package in self.modules:
                setattr(self.modules[package], part, self.modules[one])
            if one in RENEWED:
                getattr(self.modules[one], RENEWED[one])()
        return True

    def _closure(self, name, found, seen):
        """What is to be put there: whatever is imported first is complete last."""
        package = name.rpartition(".")[0]
        if package in self.modules and name not in seen:
            self._closure(package, found, seen)
        if name not in seen and name not in sys.modules:
            seen.add(name)
            for need in self._needs[name]:
                self._closure(need, found, seen)
            found.append(name)
        return found

    def _would_be_found(self, names):
        if sys.path[1:] != self._path or sys.meta_path != self._finders:
            return False
        try:
            own = {entry.partition(".")[0] for entry in os.listdir(sys.path[0] or ".")}
        except OSError:
            own = set()
        every = self._every(names)
        if own & {name.partition(".")[0] for name in every}:
            return False
        return all(sys.modules.get(name, self.modules[name]) is self.modules[name] for name in every)

    def _every(self, names):
        """These and all that they need, also what is there already."""
        seen, ahead = set(), list(names)
        while ahead:
            name = ahead.pop()
            if name not in seen:
                seen.add(name)
                ahead += self._needs[name]
        return seen
