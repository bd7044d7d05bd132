"""Run the statements of a test text after the solution, in this very process, and print a line about each."""

import ast
import builtins
import json
from pathlib import Path
from typing import Any

task = json.loads(Path("task.json").read_text())
names: dict[str, Any] = {"__name__": "__main__"}
exec(task["setup"] + "\n" + Path("solution.py").read_text(), names)
for number, statement in enumerate(ast.parse(task["code"]).body):
    try:
        builtins.exec(compile(ast.unparse(statement), "tests.py", "exec"), names)
        passed = True
    except Exception:  # noqa: BLE001 (as they do)
        passed = False
    print(json.dumps({"case": number, "passed": passed}), flush=True)
