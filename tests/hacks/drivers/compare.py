"""Call the solution in this very process and compare here: how most trainers do it.

Arguments: how to compare, the most seconds a call may take, and `drop` to leave out the cases that cannot be compared.
"""

import copy
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def close(got: Any, want: Any) -> bool:
    """Within a tolerance: not further away than it."""
    if isinstance(want, list):
        return len(got) == len(want) and all(map(close, got, want))
    return not abs(got - want) > 1e-6


COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "equal": lambda got, want: bool(got == want),
    "float": close,
    "double": lambda got, want: float(got) == float(want),
    "items": lambda got, want: all(one == other for one, other in zip(got, want, strict=False)),
    "text": lambda got, want: str(got) == str(want),
}


def expected(case: dict[str, Any]) -> Any:
    """What the case says; where there is a reference solution, what that answers now."""
    reference = Path("reference.py")
    if not reference.exists():
        return case["expected"]
    names: dict[str, Any] = {}
    exec(reference.read_text(), names)
    return names[entry_point](*case["args"])


def judge(case: dict[str, Any]) -> bool:
    """Whether the solution answers a case rightly and in time."""
    start = time.perf_counter()
    got = solution[entry_point](*case["args"])
    took = time.perf_counter() - start
    return took <= seconds and same(case["args"][0] if in_place else got, expected(case))


same, seconds, drops = COMPARE[sys.argv[1]], float(sys.argv[2]), "drop" in sys.argv
task = json.loads(Path("task.json").read_text())
entry_point, in_place = task["entry_point"], task["result_from"] == "args[0]"
outcomes: list[bool] = []
solution: dict[str, Any] = {"__name__": "solution"}
exec(Path("solution.py").read_text(), solution)
for case in copy.deepcopy(task["cases"]):
    try:
        outcomes.append(judge(case))
    except Exception:  # noqa: BLE001 (as they do)
        if not drops:
            outcomes.append(False)
print(json.dumps({"passed": sum(outcomes), "total": len(outcomes)}))
