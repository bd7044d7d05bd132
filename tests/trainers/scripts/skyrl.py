"""SkyRL-gym's own `make`, answers of every kind, and a service that is away."""

import json

import skyrl_env
import skyrl_gym

ANSWERS = ["```python\nprint(2 * int(input()))\n```", "```python\nprint(2)\n```", "Nothing."]
found = []
for config, answer in [({}, ANSWERS[0]), ({}, ANSWERS[1]), ({}, ANSWERS[2]), (None, ANSWERS[0])]:
    settings = {"url": "http://127.0.0.1:9", "patience": 0.2} if config is None else config
    env = skyrl_gym.make("sandbox", env_config=settings, extras=skyrl_env.ROW)
    env.init([{"role": "user", "content": "x"}])
    output = env.step(answer)
    found.append([output["reward"], output["done"], output["metadata"]["verdict"], env.get_metrics()["infra"]])
    env.close()
print(json.dumps(found))
