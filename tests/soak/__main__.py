"""`python -m tests.soak`."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from tests.soak import endurance, hostile, overload


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=sys.modules["tests.soak"].__doc__)
    kinds = parser.add_subparsers(dest="kind", required=True)
    flood = kinds.add_parser("overload")
    flood.add_argument("--seconds", type=float, default=180)
    flood.add_argument("--times", type=float, default=3)
    flood.add_argument("--max-queued", type=int, default=5000)
    long = kinds.add_parser("endurance")
    long.add_argument("--submissions", type=int, default=50_000)
    long.add_argument("--result-ttl", type=int, default=20, help="seconds")
    enemies = kinds.add_parser("hostile")
    enemies.add_argument("--submissions", type=int, default=1000, help="in a round")
    enemies.add_argument("--rounds", type=int, default=3)
    enemies.add_argument("--slots", type=int, default=8, help="how many run at once")
    enemies.add_argument("--result-ttl", type=int, default=20, help="seconds")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-", ignore_cleanup_errors=True) as folder:
        if given.kind == "overload":
            report = overload.run(Path(folder), given.seconds, given.times, given.max_queued)
        elif given.kind == "hostile":
            report = hostile.run(Path(folder), given.submissions, given.rounds, given.slots, given.result_ttl)
        else:
            report = endurance.run(Path(folder), given.submissions, given.result_ttl)
    print(json.dumps(report, indent=1))
    return bool(report["faults"])


if __name__ == "__main__":
    sys.exit(main())
