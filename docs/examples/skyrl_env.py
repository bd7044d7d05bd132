"""The service as an environment of SkyRL-gym.

pip install sandbox-service skyrl-gym
sandbox-service up &
python skyrl_env.py
"""

import skyrl_gym

skyrl_gym.register(id="sandbox", entry_point="sandbox_service.adapters.skyrl:SandboxEnv")

ROW = {"reward_spec": {"ground_truth": {"inputs": ["1", "3"], "outputs": ["2", "6"]}}}

if __name__ == "__main__":
    env = skyrl_gym.make("sandbox", env_config={}, extras=ROW)
    prompt, _ = env.init([{"role": "user", "content": "Double a number."}])
    output = env.step("```python\nprint(2 * int(input()))\n```")
    print("reward", output["reward"], "done", output["done"], env.get_metrics())
