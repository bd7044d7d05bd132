"""`python -m tests.chaos`."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from tests.chaos.run import Order, run

RETRIED_EACH = 10
"""One kill in so many, at least, hits a submission that is then tried again."""
KILLS_A_FAILURE = 50
"""One in so many, at most, is the last straw for a submission that was hit at every attempt before."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=sys.modules["tests.chaos"].__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--submissions", type=int, default=5000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="chaos-", ignore_cleanup_errors=True) as folder:
        report = run(Order(given.seed, given.kills, given.submissions), Path(folder))
        retried = sum(count for attempts, count in report["attempts"].items() if attempts > 1)
        if retried < given.kills // RETRIED_EACH:
            report["faults"].append(f"only {retried} submissions were tried more than once")
        if (failed := sum(report["failed"].values())) > given.kills // KILLS_A_FAILURE:
            report["faults"].append(f"{failed} submissions were given up")
        if report["faults"]:
            report["log"] = (Path(folder) / "up.log").read_text()[-4000:].splitlines()
    print(json.dumps(report, indent=1, default=str))
    return bool(report["faults"])


if __name__ == "__main__":
    sys.exit(main())
