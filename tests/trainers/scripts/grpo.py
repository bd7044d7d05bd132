"""The example's training, with every reward written down: one JSON line a step, then what TRL logged."""

import functools
import json
import sys

import trl_grpo

from sandbox_service.adapters.trl import reward_fn

inner = reward_fn(patience=120.0)
steps = []


@functools.wraps(inner)
async def recorded(**columns):
    rewards = await inner(**columns)
    steps.append([[reward, tests in BROKEN] for reward, tests in zip(rewards, columns["tests"], strict=True)])
    print(json.dumps({"step": len(steps)}), flush=True)
    return rewards


# A row whose tests cannot be read, and one whose checker fails on everything: both have no reward.
checker = {"mode": "checker", "language": "python", "code": "raise SystemExit(3)"}
broken = {"type": "stdio", "cases": [{"stdin": "1", "expected": "2"}], "compare": checker}
BROKEN = [json.dumps(broken), "{}"]
rows = [row | {"tests": json.dumps(row["tests"])} for row in trl_grpo.ROWS] * 3
rows += [{"prompt": "double", "tests": tests} for tests in BROKEN]
log = trl_grpo.train(recorded, output_dir=sys.argv[1], steps=int(sys.argv[2]), rows=rows)
print(json.dumps({"rewards": steps, "log": log}))
