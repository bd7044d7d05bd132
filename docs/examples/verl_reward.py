"""The service's reward in verl, as verl itself loads and calls it. One CPU, no Ray.

    pip install sandbox-service verl
    sandbox-service up &
    python verl_reward.py

For a training run the same three settings go on the command line:

    reward.custom_reward_function.path=pkg://sandbox_service.adapters.verl
    reward.custom_reward_function.name=compute_score
    +reward.custom_reward_function.reward_kwargs.url=http://127.0.0.1:8000
"""

import asyncio
import os

from omegaconf import OmegaConf
from verl.trainer.ppo.reward import get_custom_reward_fn

custom = {
    "path": "pkg://sandbox_service.adapters.verl",
    "name": "compute_score",
    "reward_kwargs": {"url": os.environ.get("SANDBOX_URL", "http://127.0.0.1:8000")},
}
compute_score = get_custom_reward_fn(OmegaConf.create({"reward": {"custom_reward_function": custom}}))

TESTS = {"inputs": ["1", "3"], "outputs": ["2", "6"]}
ANSWERS = {
    "right": "```python\nprint(2 * int(input()))\n```",
    "wrong": "```python\nprint(7)\n```",
}

if __name__ == "__main__":
    for name, answer in ANSWERS.items():
        print(f"{name}: {asyncio.run(compute_score('my_data', answer, TESTS, {}))}")
