"""verl's own reward code for SandboxFusion, pointed at a URL; then the service's compute_score as verl loads it."""

import asyncio
import json
import os
import sys

from omegaconf import OmegaConf
from verl.trainer.ppo.reward import get_custom_reward_fn, resolve_reward_manager_cls
from verl.utils.reward_score import default_compute_score

url = sys.argv[1]
fusion = f"{url}/compat/sandboxfusion/run_code"
STDIO = {"inputs": ["1\n", "2\n", "3\n"], "outputs": ["2\n", "4\n", "6\n"]}
NAMED = {"inputs": ["1\n[2]", "3\n[4]"], "outputs": ["[1, 2]", "[3, 4]"], "fn_name": "add"}
ASSERTS = {"assert_case": ["assert add(1, [2]) == [1, 2]"]}
ADD = "def add(a, b):\n    return [a, *b]"
CASES = {
    "right": ("print(2 * int(input()))", STDIO),
    "one of three": ("print(2)", STDIO),
    "wrong": ("print(0)", STDIO),
    "late": ("n = input()\nwhile n == '2': pass\nprint(2 * int(n))", STDIO),
    "dies": ("raise SystemExit(int(input()))", STDIO),
    "function": (ADD, NAMED),
    "asserts": (ADD, ASSERTS),
    "asserts fail": ("def add(a, b): return a", ASSERTS),
}


def score(code, truth, memory=1024):
    answer = f"Here:\n```python\n{code}\n```"
    found = default_compute_score(
        "codecontests", answer, json.dumps(truth), sandbox_fusion_url=fusion, memory_limit_mb=memory
    )
    return found if isinstance(found, float) else found[0]


print(json.dumps({name: score(*case) for name, case in CASES.items()}))

custom = {"path": "pkg://sandbox_service.adapters.verl", "name": "compute_score", "reward_kwargs": {"url": url}}
manager = {
    "source": "importlib",
    "name": "SandboxRewardManager",
    "module": {"path": "pkg://sandbox_service.adapters.verl_reward_manager"},
}
config = OmegaConf.create({"reward": {"custom_reward_function": custom, "reward_manager": manager}})
compute = get_custom_reward_fn(config)


async def ours():
    texts = {name: f"```python\n{code}\n```" for name, (code, _) in CASES.items()}
    return {name: await compute("any", texts[name], truth, {}) for name, (_, truth) in CASES.items()}


print(json.dumps(asyncio.run(ours())))


class Tokenizer:
    def decode(self, ids, skip_special_tokens):
        return "```python\n" + "".join(map(chr, ids.tolist())) + "\n```"


async def managed():
    import numpy as np
    import torch
    from verl import DataProto

    text = [ord(letter) for letter in CASES["one of three"][0]]
    tensors = {"responses": torch.tensor([text]), "attention_mask": torch.ones(1, len(text), dtype=torch.long)}
    rows = {"data_source": ["any"], "reward_model": [{"ground_truth": STDIO}], "extra_info": [{}]}
    others = {name: np.array(value, dtype=object) for name, value in rows.items()}
    cls = resolve_reward_manager_cls(config)
    return await cls(config, Tokenizer()).run_single(DataProto.from_dict(tensors=tensors, non_tensors=others))


os.environ["SANDBOX_URL"] = url
print(json.dumps(asyncio.run(managed())))
