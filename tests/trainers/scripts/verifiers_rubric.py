"""A rubric of verifiers up to 0.3 around the reward function: what it makes of an answer, and of a service away."""

import asyncio
import json
import sys

import verifiers as vf

from sandbox_service.adapters.verifiers_legacy import reward_fn

TESTS = json.dumps({"inputs": ["1", "3"], "outputs": ["2", "6"]})


async def score(url, code, patience=60.0):
    rubric = vf.Rubric(funcs=[reward_fn(url, patience=patience)], weights=[1.0])
    completion = [{"role": "assistant", "content": f"```python\n{code}\n```"}]
    row = {"prompt": [{"role": "user", "content": "x"}], "answer": TESTS, "example_id": 0, "task": "code"}
    state = vf.State(input=row)
    state["completion"], state["trajectory"], state["timing"] = completion, [], vf.types.RolloutTiming()
    await rubric.score_rollout(state)
    error = state.get("error")
    return [state["reward"], type(error).__name__ if error else None]


async def main():
    url = sys.argv[1]
    cases = [(url, "print(2 * int(input()))"), (url, "print(2)"), ("http://127.0.0.1:9", "1", 0.2)]
    print(json.dumps([await score(*case) for case in cases]))


asyncio.run(main())
