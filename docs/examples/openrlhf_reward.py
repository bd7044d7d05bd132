"""The file for OpenRLHF's `--reward.remote_url openrlhf_reward.py`; SANDBOX_URL names the service.

    pip install sandbox-service
    sandbox-service up &
    python openrlhf_reward.py       # asks once, as OpenRLHF does

Without a file: `--reward.remote_url http://127.0.0.1:8000/compat/openrlhf/get_reward`. Either way the data set's label
(`--data.label_key`) holds the tests.
"""

from sandbox_service.adapters.openrlhf import reward_func

PROMPT = "Double a number.\n"
LABEL = '{"inputs": ["1", "3"], "outputs": ["2", "6"]}'

if __name__ == "__main__":
    query = PROMPT + "```python\nprint(2 * int(input()))\n```"
    print(reward_func([query], [PROMPT], [LABEL])["rewards"])
