"""Run a program once a case, and charge it with the CPU time of the process that was waited for.

Argument: the most CPU seconds a case may take.
"""

import json
import resource
import subprocess
import sys
from pathlib import Path


def cpu_seconds() -> float:
    """What the children that have been waited for have used."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


passed, cases = 0, json.loads(Path("task.json").read_text())["cases"]
for case in cases:
    before = cpu_seconds()
    done = subprocess.run([sys.executable, "main.py"], input=case["stdin"].encode(), stdout=subprocess.PIPE)
    used = cpu_seconds() - before
    passed += done.stdout.split() == case["expected"].encode().split() and used <= float(sys.argv[1])
print(json.dumps({"passed": passed, "total": len(cases)}))
