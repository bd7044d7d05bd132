"""Repositories of Python that are made up, and of which it is known who uses whom, because their maker decided it.

Run a module of it, and the calls that really happen are those that are listed; `test_impact.py` sees to that.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

STATIC = ("function", "from", "module", "relative", "reexport", "star", "alias", "method", "self", "super", "typed",
          "attribute", "returned", "constructor", "decorator", "inner", "base", "table")  # fmt: skip
DYNAMIC = ("unique", "shared", "getattr", "registry")
"""What the text does not say: methods of something unknown, whose name one class alone has, or several; and more."""
Edge = tuple[str, str]


@dataclass
class Module:
    """A module on its way to being text."""

    package: str
    name: str
    imports: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)

    @property
    def path(self) -> str:
        return f"{self.package}/{self.name}.py"

    @property
    def text(self) -> str:
        return "\n".join([*dict.fromkeys(self.imports), "", *self.body]) + "\n"


@dataclass
class Repository:
    """Files by path, and who uses whom: by the kind of call (user, used), each as `path::qualified.name`."""

    files: dict[str, str]
    edges: dict[str, set[Edge]]

    def of(self, *kinds: str) -> set[Edge]:
        return set().union(*(self.edges[kind] for kind in kinds))

    def dependents(self, changed: str, *kinds: str) -> set[str]:
        """Whoever uses a name, directly or through others."""
        found, left = set[str](), [changed]
        while left:
            used = left.pop()
            users = {user for user, other in self.of(*kinds) if other == used} - found
            found |= users
            left += users
        return found - {changed}


def make(seed: int, modules: int = 30) -> Repository:
    """A repository of so many modules in packages; each uses some of those made before it."""
    return _Maker(seed).make(modules)


class _Maker:
    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.made: list[Module] = []
        self.edges: dict[str, set[Edge]] = {kind: set() for kind in (*STATIC, *DYNAMIC)}

    def make(self, count: int) -> Repository:
        packages = [f"p{number}" for number in range(max(2, count // 6))]
        for number in range(count):
            module = Module(self.chance.choice(packages), f"m{number}")
            self._fill(module, number)
            self.made.append(module)
        # Of packages of their own: one that imported its modules would be imported by them.
        inits = {
            f"api_{package}": [f"from {package}.{each.name} import f{each.name} as r{each.name}" for each in own]
            for package, own in ((package, self._of(package)) for package in packages)
        } | {package: [] for package in packages}
        files = {f"{package}/__init__.py": "\n".join(lines) + "\n" for package, lines in inits.items()}
        return Repository(files | {module.path: module.text for module in self.made}, self.edges)

    def _of(self, package: str) -> list[Module]:
        return [module for module in self.made if module.package == package]

    def _fill(self, module: Module, number: int) -> None:
        """A function, a class with a base and methods, a decorator, and users of what was made before."""
        name = module.name
        own = f"{module.path}::"
        module.body += [
            f"def f{name}(x=0):\n    return x + {number}\n",
            f"def d{name}(function):\n    return function\n",
            f"class B{name}:\n    def base(self):\n        return {number}\n",
            f"class C{name}(B{name}):\n    def __init__(self):\n        self.value = {number}\n",
            f"    def unique_{name}(self):\n        return self.shared() + self.value\n",
            "    def shared(self):\n        return super().base()\n",
            f"def make_{name}() -> C{name}:\n    return C{name}()\n",
        ]
        self.edges["self"].add((f"{own}C{name}.unique_{name}", f"{own}C{name}.shared"))
        self.edges["super"].add((f"{own}C{name}.shared", f"{own}B{name}.base"))
        self.edges["base"].add((f"{own}C{name}", f"{own}B{name}"))
        self.edges["constructor"].add((f"{own}make_{name}", f"{own}C{name}.__init__"))
        for kind in self.chance.sample((*STATIC, *DYNAMIC), 12) if self.made else ():
            if kind not in ("self", "super", "base", "table"):
                getattr(self, f"_{kind}")(module, self.chance.choice(self.made))

    def _user(self, module: Module, kind: str, body: str, *used: str) -> None:
        name = f"u_{kind}"
        module.body.append(f"def {name}(x=0):\n{body}\n")
        self.edges[kind] |= {(f"{module.path}::{name}", each) for each in used}

    # ---- what the text says ----

    def _function(self, module: Module, _: Module) -> None:
        self._user(module, "function", f"    return f{module.name}(x)", f"{module.path}::f{module.name}")

    def _from(self, module: Module, other: Module) -> None:
        module.imports.append(f"from {other.package}.{other.name} import f{other.name}")
        self._user(module, "from", f"    return f{other.name}(x)", f"{other.path}::f{other.name}")

    def _module(self, module: Module, other: Module) -> None:
        module.imports.append(f"import {other.package}.{other.name}")
        body = f"    return {other.package}.{other.name}.f{other.name}(x)"
        self._user(module, "module", body, f"{other.path}::f{other.name}")

    def _alias(self, module: Module, other: Module) -> None:
        module.imports.append(f"from {other.package} import {other.name} as a_{other.name}")
        self._user(module, "alias", f"    return a_{other.name}.f{other.name}(x)", f"{other.path}::f{other.name}")

    def _relative(self, module: Module, other: Module) -> None:
        module.imports.append(f"from ..{other.package}.{other.name} import f{other.name} as l_{other.name}")
        if module.package == other.package:
            module.imports[-1] = f"from .{other.name} import f{other.name} as l_{other.name}"
        else:  # top-level packages have no parent in common
            module.imports[-1] = f"from {other.package}.{other.name} import f{other.name} as l_{other.name}"
        self._user(module, "relative", f"    return l_{other.name}(x)", f"{other.path}::f{other.name}")

    def _reexport(self, module: Module, other: Module) -> None:
        body = f"    from api_{other.package} import r{other.name}\n    return r{other.name}(x)"
        self._user(module, "reexport", body, f"{other.path}::f{other.name}")

    def _star(self, module: Module, other: Module) -> None:
        module.imports.append(f"from {other.package}.{other.name} import *")
        self._user(module, "star", f"    return make_{other.name}()", f"{other.path}::make_{other.name}")

    def _class(self, module: Module, other: Module) -> str:
        module.imports.append(f"from {other.package}.{other.name} import C{other.name}")
        return f"C{other.name}"

    def _method(self, module: Module, other: Module) -> None:
        made = self._class(module, other)
        body = f"    made = {made}()\n    return made.unique_{other.name}()"
        self._user(
            module, "method", body, f"{other.path}::{made}.unique_{other.name}", f"{other.path}::{made}.__init__"
        )

    def _typed(self, module: Module, other: Module) -> None:
        made = self._class(module, other)
        module.body.append(f"def u_typed(x: '{made} | None' = None):\n    return x.shared() if x else 0\n")
        self.edges["typed"].add((f"{module.path}::u_typed", f"{other.path}::{made}.shared"))

    def _attribute(self, module: Module, other: Module) -> None:
        made = self._class(module, other)
        name = f"H{module.name}"
        module.body.append(
            f"class {name}:\n    def __init__(self):\n        self.kept = {made}()\n\n"
            f"    def u_attribute(self):\n        return self.kept.base()\n"
        )
        self.edges["attribute"] |= {
            (f"{module.path}::{name}.u_attribute", f"{other.path}::B{other.name}.base"),
            (f"{module.path}::{name}.__init__", f"{other.path}::{made}.__init__"),
        }

    def _returned(self, module: Module, other: Module) -> None:
        module.imports.append(f"from {other.package}.{other.name} import make_{other.name}")
        body = f"    return make_{other.name}().shared()"
        used = (f"{other.path}::make_{other.name}", f"{other.path}::C{other.name}.shared")
        self._user(module, "returned", body, *used)

    def _constructor(self, module: Module, other: Module) -> None:
        made = self._class(module, other)
        self._user(module, "constructor", f"    return {made}()", f"{other.path}::{made}.__init__")

    def _decorator(self, module: Module, other: Module) -> None:
        module.imports.append(f"from {other.package}.{other.name} import d{other.name}")
        module.body.append(f"@d{other.name}\ndef u_decorator(x=0):\n    return x\n")
        self.edges["decorator"].add((f"{module.path}::u_decorator", f"{other.path}::d{other.name}"))

    def _inner(self, module: Module, other: Module) -> None:
        module.imports.append(f"from {other.package}.{other.name} import f{other.name}")
        body = f"    def inner():\n        return f{other.name}(x)\n\n    return inner()"
        module.body.append(f"def u_inner(x=0):\n{body}\n")
        own = f"{module.path}::u_inner"
        self.edges["inner"] |= {(own, f"{own}.inner"), (f"{own}.inner", f"{other.path}::f{other.name}")}

    # ---- what it does not say ----

    def _unique(self, module: Module, other: Module) -> None:
        body = f"    return x.unique_{other.name}() if x else 0"
        self._user(module, "unique", body, f"{other.path}::C{other.name}.unique_{other.name}")

    def _shared(self, module: Module, other: Module) -> None:
        self._user(module, "shared", "    return x.shared() if x else 0", f"{other.path}::C{other.name}.shared")

    def _getattr(self, module: Module, other: Module) -> None:
        module.imports.append(f"import {other.package}.{other.name}")
        body = f"    return getattr({other.package}.{other.name}, 'f' + '{other.name}')(x)"
        self._user(module, "getattr", body, f"{other.path}::f{other.name}")

    def _registry(self, module: Module, other: Module) -> None:
        module.imports.append(f"from {other.package}.{other.name} import f{other.name}")
        module.body.append(f"REGISTRY = {{'f': f{other.name}}}\n")
        self._user(module, "registry", "    return REGISTRY['f'](x)", f"{other.path}::f{other.name}")
        # That the table is read, and made of the function, stands there.
        table = {(f"{module.path}::u_registry", module.path), (module.path, f"{other.path}::f{other.name}")}
        self.edges["table"] |= table
