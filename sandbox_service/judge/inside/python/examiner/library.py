"""Names of the test text that are Python's own, though the solution may have imported, or replaced, them."""

from __future__ import annotations

import sys

from .names import Names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Modules that a text may use without importing them, as long as it asks them for what they have.
MODULES = frozenset(
    "abc array ast asyncio base64 bisect calendar cmath collections contextlib copy csv dataclasses datetime decimal"
    " difflib doctest enum fractions functools gc hashlib heapq html inspect io itertools json keyword logging math"
    " numbers operator os pathlib pickle pprint queue random re secrets shutil statistics string struct sys tempfile"
    " textwrap threading time timeit traceback types typing unicodedata unittest uuid warnings weakref zlib".split()
)
# Of others, what the solution has imported under its usual name.
ALIASES = {"np": "numpy", "pd": "pandas", "sp": "scipy", "nx": "networkx", "dt": "datetime", "plt": "matplotlib.pyplot"}
THIRD_PARTY = frozenset("numpy pandas scipy sympy networkx sortedcontainers torch".split())
# Modules whose functions and classes the text shares with a solution that imported them by the same name.
SHARED = frozenset(
    "typing collections math cmath itertools functools operator string re random datetime decimal fractions heapq"
    " bisect statistics copy json enum".split()
)
# What judges results is never the solution's, unless it is what is asked for.
JUDGING = {"isclose": "math", "deepcopy": "copy"}


def loaded(module: str) -> Any:
    """A module, or None where there is none."""
    try:
        __import__(module)
    except ImportError:
        return None
    return sys.modules[module]


def own(names: Names, wanted: set[str], entry_point: str | None) -> dict[str, Any]:
    """Those of the names that are Python's own whatever the solution has."""
    found = {}
    for name in wanted - {entry_point}:
        if name in MODULES and names.only_dotted(name):
            module = loaded(name)
            if all(hasattr(module, attribute) for attribute in names.attributes[name]):
                found[name] = module
        elif name in JUDGING and len(wanted) > 1:
            found[name] = getattr(loaded(JUDGING[name]), name)
    return found


def shared(name: str, how: str, claimed: Any, entry_point: str | None) -> Any:
    """What a name is by the solution's word, if it is of Python's library and has the same name there; else None."""
    if type(claimed) is not str:
        return None
    if how == "module":
        usual = claimed in (name, ALIASES.get(name)) and claimed.partition(".")[0] in THIRD_PARTY
        return loaded(claimed) if claimed in MODULES or usual else None
    if how == "from" and claimed in SHARED and name != entry_point:
        return getattr(loaded(claimed), name, None)
    return None
